import { accepted, type Checked, refusal, refused } from '../../../kit/diagnostic.ts';
import { type JsonObject, ownValue } from '../../../kit/json.ts';
import { suggest } from '../../../kit/nearest.ts';
import { checkConstant } from '../../../targets/inputs.ts';
import type { Target } from '../../../targets/target.ts';
import { commaSeparated } from '../../line/questions.ts';

export type ConstValue = string | number | boolean;

/** A constant of the request. Of one with several values, each is a variant. */
export interface Constant {
  readonly name: string;
  /** At least one. */
  readonly values: readonly ConstValue[];
}

/** Fields of the body of `suites/templates/target.yaml` that are no constants. */
const OTHER_FIELDS = ['prompt', 'seed', 'image', 'images', 'mask', 'response_format'];

/**
 * Of `--const NAME=VALUE,VALUE`. Without a preset, what reads as a number, `true` or `false` is one.
 * @param target of a preset; null: the target is written too, with these constants
 */
export function constantsOf(given: readonly string[], target: Target | null): readonly Constant[] {
  const constants = given.map((text): Constant => {
    const [, name, values = ''] = /^([A-Za-z_]\w*)=(.+)$/.exec(text) ?? [];
    const listed = [...new Set(commaSeparated(values))];
    if (name === undefined || listed.length === 0) {
      throw refusal(`--const "${text}" has no value`, 'write a name and its values, as --const turbo=false,true');
    }
    if (name === 'model')
      throw refusal('--const cannot set model', `write ${listed.map((model) => `--model ${model}`).join(' ')}`);
    return { name, values: accepted(checkValues(name, listed, target)) };
  });
  const repeated = constants.find(({ name }, at) => constants.findIndex((other) => other.name === name) < at);
  if (repeated !== undefined) {
    const values = constants.flatMap(({ name, values: own }) => (name === repeated.name ? own : []));
    throw refusal(`--const sets ${repeated.name} twice`, `write --const ${repeated.name}=${values.join(',')}`);
  }
  return constants;
}

/** @param texts at least one value of the constant, as an option gives it */
export function checkValues(
  name: string,
  texts: readonly string[],
  target: Target | null,
): Checked<readonly ConstValue[]> {
  const unwritable = texts.find((text) => text.includes('${'));
  if (unwritable !== undefined) return refused(`"${unwritable}" contains "\${"`, 'write the value itself');
  if (target === null) {
    if (!OTHER_FIELDS.includes(name)) return { ok: true, value: name === 'model' ? texts : texts.map(scalarOf) };
    return refused(`--const cannot set ${name}: the template sets it`, `leave out --const ${name}`);
  }
  if (!target.uses.const.includes(name)) {
    const { const: known } = target.uses;
    return refused(
      `${target.id} has no constant ${name}`,
      known.length === 0 ? 'leave out --const and --model' : suggest(name, known),
    );
  }
  const type = ownValue(target.constTypes, name);
  if (type === undefined) return { ok: true, value: name === 'model' ? texts : texts.map(scalarOf) };
  const values: ConstValue[] = [];
  for (const text of texts) {
    const checked = checkConstant(`${name} of ${target.id}`, type, text, true);
    if (!checked.fits) return refused(checked.fault.cause, checked.fault.remedy);
    values.push(typeof checked.value === 'object' ? text : checked.value);
  }
  return { ok: true, value: values };
}

function scalarOf(text: string): ConstValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

/** The constants of each variant, in order; one without any where there are none. At most one has several values. */
export function variantConstants(constants: readonly Constant[]): readonly JsonObject[] {
  const [varied, another] = constants.filter(({ values }) => values.length > 1);
  if (another !== undefined && varied !== undefined) {
    throw refusal(
      `${varied.name} and ${another.name} both have several values`,
      `give several values to one constant only; add other variants to the suite`,
    );
  }
  const of = (at: number): JsonObject =>
    Object.fromEntries(constants.map(({ name, values }) => [name, values[at] ?? values[0] ?? null]));
  return (varied?.values ?? [null]).map((_, at) => of(at));
}
