import { groupBy } from '../../kit/grouping.ts';
import { type Json, ownValue } from '../../kit/json.ts';
import { count, listedInShort, MOST_WHOLE, plural } from '../../kit/wording.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import type { Cell, VariantSummary } from '../summaries.ts';
import { rules } from './warning-rule.ts';

/** Whether the service used the model, the input image and the constants that it was sent. */
export const INPUTS = rules(
  {
    code: 'other_model_answered',
    meaning: 'Another model answered than the one asked for, or several did.',
    find: ({ variants, trialsOf }) =>
      variants.flatMap(({ name, constants: { model } }) => {
        const asked = typeof model === 'string' ? model : null;
        const answers = trialsOf(name).flatMap(({ sample }) => sample.reported.model ?? []);
        const answered = [...groupBy(answers, (answer) => answer)]
          .map(([answer, takes]) => ({ model: answer, takes: takes.length }))
          .sort((a, b) => b.takes - a.takes);
        const others = answered.filter((other) => asked !== null && !isVersionOf(other.model, asked));
        if (others.length === 0 && answered.length < 2) return [];
        const models = others.length > 0 ? others : answered;
        const places = models.map(({ model, takes }) => `${model} in ${count(takes)}`);
        const of = `for ${name}: ${listedInShort(places)} of ${plural(answers.length, 'take')}`;
        const who = models.length === 1 ? 'another model' : 'other models';
        return [
          {
            variants: [name],
            unfit: { of: 'comparison', variants: [name], because: 'another model answered' },
            facts: { asked, models, ofTakes: answers.length },
            what: others.length > 0 ? `${who} answered ${of}; it asked for ${asked}` : `several models answered ${of}`,
            // Providers route calls of an ended model to its successor without a word.
            cause: 'the service chose the model: the one asked for may have ended, or has a new version',
            remedy: 'set the constant model to a version that the provider still offers, and measure again',
          },
        ];
      }),
  },
  {
    code: 'unchanged_edits',
    meaning: 'Edits whose output is visually identical to their first input image.',
    find: ({ variants, trialsOf }) =>
      variants.flatMap(({ name }) => {
        const compared = trialsOf(name).flatMap(({ edit }) => edit?.unchanged ?? []);
        const edits = compared.filter((unchanged) => unchanged).length;
        if (edits === 0) return [];
        const unfit = { of: 'comparison', variants: [name], because: 'edits left the input as it was' } as const;
        return [
          {
            variants: [name],
            // Such an edit is fast, and equal for all seeds.
            ...(edits === compared.length ? { unfit } : {}),
            facts: { edits, ofEdits: compared.length },
            what: `${name} left the input as it was in ${count(edits)} of ${plural(compared.length, 'edit')}`,
            cause: 'their outputs are visually identical to the input image',
            remedy: 'look at them, and check what the target sends: the prompt, the mask, the strength',
          },
        ];
      }),
  },
  {
    code: 'equal_variants',
    meaning: 'Variants with different constants gave the same bytes.',
    find: ({ variants: all, cells }) => {
      const byVariant = groupBy(cells, ({ variant }) => variant);
      const outputs = new Map([...byVariant].map(([name, variantCells]) => [name, outputsOf(variantCells)]));
      // Of one endpoint: then a constant is not sent, or ignored.
      const endpoints = groupBy(all, ({ kind, target, baseUrl }) => JSON.stringify([kind, target, baseUrl]));
      return [...endpoints.values()]
        .flatMap((members) => equalGroups(members, outputs))
        .flatMap((group) => {
          const [common, constants] = [commonCells(group, outputs), differentConstants(group)];
          if (constants.length === 0 || common === 0) return [];
          const variants = group.map(({ name }) => name);
          const who = variants.length > MOST_WHOLE ? `${count(variants.length)} variants` : listedInShort(variants);
          const values = constants.map(
            ({ name, values: own }) =>
              `${name} (${listedInShort(own.map((value) => (value === null ? 'not set' : JSON.stringify(value))))})`,
          );
          return [
            {
              variants,
              unfit: { of: 'comparison', variants, because: 'variants gave the same files' },
              facts: { cells: common, constants },
              what: `${who} gave the same files for ${plural(common, 'prompt x seed')}: ${listedInShort(constants.map(({ name }) => name))} had no effect`,
              cause: `${listedInShort(variants)} differ in ${listedInShort(values)}: the target does not send it, or the service ignores the value`,
              remedy: 'check the spelling of the value, and where the target sends it',
            },
          ];
        });
    },
  },
);

/** `models/x`, `x-2026-04-21`, `x-001`, `x-preview` are `x`; `x-mini` is another model. */
function isVersionOf(answered: string, asked: string): boolean {
  const [is, wanted] = [answered, asked].map((name) => name.toLowerCase().replace(/^.*\//, ''));
  if (is === undefined || wanted === undefined || !is.startsWith(wanted)) return false;
  return /^([-@:.](v?\d[\d.-]*|latest|preview|stable))*$/.test(is.slice(wanted.length));
}

/** Digests of a variant's outputs as one key, by prompt and seed. */
type Outputs = ReadonlyMap<string, string>;

/** Variants with equal common cells, each two with at least one. */
function equalGroups(
  members: readonly VariantSummary[],
  outputs: ReadonlyMap<string, Outputs>,
): readonly (readonly VariantSummary[])[] {
  const groups: VariantSummary[][] = [];
  for (const variant of members) {
    const group = groups.find((members) =>
      members.every((other) => (equalCells(outputs.get(other.name), outputs.get(variant.name)) ?? 0) > 0),
    );
    if (group === undefined) groups.push([variant]);
    else group.push(variant);
  }
  return groups;
}

function differentConstants(group: readonly VariantSummary[]) {
  const names = [...new Set(group.flatMap(({ constants }) => Object.keys(constants)))];
  return names
    .map((name) => ({ name, values: group.map(({ constants }): Json => ownValue(constants, name) ?? null) }))
    .filter(({ values }) => new Set(values.map((value) => JSON.stringify(value))).size > 1);
}

function commonCells(group: readonly VariantSummary[], outputs: ReadonlyMap<string, Outputs>): number {
  const [first, ...others] = group.map(({ name }) => outputs.get(name));
  return [...(first?.keys() ?? [])].filter((cell) => others.every((other) => other?.has(cell))).length;
}

function outputsOf(cells: readonly Cell[]): Outputs {
  return new Map(
    cells
      .filter(({ outputGroups }) => outputGroups.length > 0)
      .map((cell) => [
        caseSeedOf(cell),
        cell.outputGroups
          .map(({ sha256 }) => sha256)
          .sort()
          .join(' '),
      ]),
  );
}

/** Null if a common cell differs. */
function equalCells(one: Outputs | undefined, other: Outputs | undefined): number | null {
  let common = 0;
  for (const [cell, digests] of one ?? []) {
    const held = other?.get(cell);
    if (held === undefined) continue;
    if (held !== digests) return null;
    common += 1;
  }
  return common;
}
