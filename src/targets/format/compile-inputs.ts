import { type Inputs, sideProblem } from '../inputs.ts';
import type { DeclaredTarget, InputRule } from '../model/schema.ts';
import type { Check } from './check.ts';

const ANY_SEED: Inputs['seed'] = { min: 0, max: 4_294_967_295, omit_means: 'unknown', claim: 'none' };

export function compileInputs({ seed = ANY_SEED, ...others }: DeclaredTarget['inputs'], check: Check): Inputs {
  for (const [name, rule] of Object.entries(others)) {
    if (rule.as === 'pixels') checkSizes(name, rule, check);
    if (rule.as !== 'enum' || (rule.map === undefined) !== (rule.values === undefined) || !check.isWhole('inputs'))
      continue;
    check.refuse(['inputs', name], `"${name}" needs either values or map`, 'list what the endpoint takes');
  }
  return { seed, others };
}

/** A size of the map that the limits refuse could never be requested. */
function checkSizes(
  name: string,
  { map = {}, ...limits }: Extract<InputRule, { as: 'pixels' }>,
  { refuse }: Check,
): void {
  const { min, max } = limits;
  if (min !== undefined && max !== undefined && min > max) {
    refuse(['inputs', name, 'min'], `min ${min} is above max ${max}`, 'write min <= max');
  }
  for (const [ratio, size] of Object.entries(map)) {
    const [problem] = size.split('x').flatMap((side) => sideProblem(Number(side), limits) ?? []);
    if (problem !== undefined) refuse(['inputs', name, 'map', ratio], `${size}: ${problem.cause}`, problem.remedy);
  }
}
