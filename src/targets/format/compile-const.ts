import { ownValue } from '../../kit/json.ts';
import { type CheckedConstant, checkConstant } from '../const-type.ts';
import type { DeclaredTarget } from '../model/schema.ts';
import type { Target } from '../target.ts';
import type { Check } from './check.ts';

/** The constants, converted to their types. */
export function compileConstants(
  { id, const: given, const_types: types, price }: DeclaredTarget,
  { refuse, warn, isFilled }: Check,
): Target['constants'] {
  const checked = (name: string, value: Parameters<typeof checkConstant>[2], filled: boolean): CheckedConstant => {
    const type = ownValue(types, name);
    return type === undefined
      ? { fits: true, value, doubt: null }
      : checkConstant(`${name} of ${id}`, type, value, filled);
  };
  // A price for an impossible value would be ignored silently.
  for (const [name, values] of price.flatMap(({ when }) => Object.entries(when))) {
    for (const value of values) {
      const result = checked(name, value, false);
      if (!result.fits) refuse(['price'], result.fault.cause, result.fault.remedy, 'key');
    }
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const path = ['const', name];
      const result = checked(name, value, isFilled(path));
      if (!result.fits) refuse(path, result.fault.cause, result.fault.remedy);
      else if (result.doubt !== null) warn(path, result.doubt);
      return [name, result.fits ? result.value : value];
    }),
  );
}
