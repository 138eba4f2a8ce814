import { type Diagnostic, diagnoseFrom } from '../kit/diagnostic.ts';
import { type Json, type JsonObject, ownValue } from '../kit/json.ts';
import { nearest } from '../kit/nearest.ts';
import type { DeclaredEndpoint } from '../suite/format/suite.ts';
import { checkConstant } from './model/const-type.ts';
import type { Target } from './model/target.ts';

export interface ResolvedConstants {
  readonly constants: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export function resolveConstants(
  endpoint: Pick<DeclaredEndpoint, 'name' | 'place' | 'constants' | 'constantSources'>,
  target: Target,
): ResolvedConstants {
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const own = Object.entries(endpoint.constants).map(([name, given]): readonly [string, Json] => {
    const source = ownValue(endpoint.constantSources, name) ?? { place: endpoint.place, setBy: null, filled: false };
    if (!target.uses.const.includes(name)) {
      diagnostics.push(
        diagnoseFrom(source, {
          cause: `"${endpoint.name}" sets the constant "${name}", which ${target.id} never uses`,
          remedy: suggestConstant(name, target),
        }),
      );
    }
    const type = ownValue(target.constTypes, name);
    if (type === undefined) return [name, given];
    const checked = checkConstant(`${name} of ${target.id}`, type, given, source.filled);
    if (!checked.fits) diagnostics.push(diagnoseFrom(source, checked.fault));
    else if (checked.doubt !== null) warnings.push(diagnoseFrom(source, checked.doubt));
    return [name, checked.fits ? checked.value : given];
  });
  return { constants: { ...target.constants, ...Object.fromEntries(own) }, diagnostics, warnings };
}

function suggestConstant(name: string, { id, uses }: Target): string {
  const near = nearest(name, uses.const);
  if (near !== null) return `did you mean "${near}"?`;
  return `${id} uses ${uses.const.length === 0 ? 'none' : uses.const.join(', ')}`;
}
