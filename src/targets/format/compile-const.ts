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
      const found = checked(name, value, false);
      if (!found.fits) refuse(['price'], found.fault.cause, found.fault.remedy, 'key');
    }
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const path = ['const', name];
      const found = checked(name, value, isFilled(path));
      if (!found.fits) refuse(path, found.fault.cause, found.fault.remedy);
      else if (found.doubt !== null) warn(path, found.doubt);
      return [name, found.fits ? found.value : value];
    }),
  );
}
