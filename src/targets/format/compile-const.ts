import { type JsonObject, ownValue } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { type ConstType, checkConstant } from '../model/const-type.ts';
import type { Compiler } from './compile.ts';
import type { DeclaredTarget } from './schema.ts';
import type { DeclaredConstTypes } from './schema-const.ts';

export interface CompiledConstants {
  readonly constants: JsonObject;
  readonly constTypes: Readonly<Record<string, ConstType>>;
}

/** @param used names that templates use of `const` */
export function compileConstants(
  declared: Pick<DeclaredTarget, 'id' | 'const' | 'const_types' | 'price'>,
  used: readonly string[],
  compiler: Compiler,
): CompiledConstants {
  const constTypes = Object.fromEntries(
    Object.entries(declared.const_types).map(([name, type]) => [name, constTypeOf(type)]),
  );
  for (const name of Object.keys(constTypes)) {
    if (used.includes(name)) continue;
    const near = nearest(name, used);
    const remedy = near === null ? `put \${const.${name}} into submit, or remove it` : `did you mean "${near}"?`;
    compiler.refuse(['const_types', name], `no template uses "${name}"`, remedy, 'key');
  }
  const constants = Object.entries(declared.const).map(([name, given]) => {
    const path = ['const', name];
    const type = ownValue(constTypes, name);
    if (type === undefined) return [name, given] as const;
    const checked = checkConstant(`${name} of ${declared.id}`, type, given, compiler.isFilled(path));
    if (!checked.fits) compiler.refuse(path, checked.fault.cause, checked.fault.remedy);
    else if (checked.doubt !== null) compiler.warn(path, checked.doubt);
    return [name, checked.fits ? checked.value : given] as const;
  });
  reportImpossiblePrices(declared, constTypes, compiler);
  return { constants: Object.fromEntries(constants), constTypes };
}

/** A price for an impossible value would be ignored silently. */
function reportImpossiblePrices(
  { id, price }: Pick<DeclaredTarget, 'id' | 'price'>,
  constTypes: CompiledConstants['constTypes'],
  compiler: Compiler,
): void {
  for (const { when } of price) {
    for (const [name, values] of Object.entries(when)) {
      const type = ownValue(constTypes, name);
      if (type === undefined) continue;
      for (const value of Array.isArray(values) ? values : [values]) {
        const checked = checkConstant(`${name} of ${id}`, type, value, false);
        if (!checked.fits) compiler.refuse(['price'], checked.fault.cause, checked.fault.remedy, 'key');
      }
    }
  }
}

function constTypeOf(declared: DeclaredConstTypes[string]): ConstType {
  if ('values' in declared) return { as: 'values', values: declared.values };
  if ('known' in declared) return { as: 'known', known: declared.known };
  if (declared.type === 'int' || declared.type === 'number') {
    const { type, min = null, max = null } = declared;
    return { as: 'number', whole: type === 'int', min, max };
  }
  return { as: declared.type };
}
