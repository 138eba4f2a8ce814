import { z } from 'zod';
import { count as wholeNumber } from '../../kit/declare.ts';
import { groupBy } from '../../kit/grouping.ts';
import { type Json, ownValue } from '../../kit/json.ts';
import { json } from '../../kit/json-value.ts';
import { count, listedInShort, MOST_WHOLE, plural } from '../../kit/wording.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import type { Cell, VariantSummary } from '../summaries.ts';
import { variantList, warning } from './warning.ts';

/** Variants of one endpoint with different constants and equal bytes: constants are not sent, or ignored. */
export const equalVariants = warning({
  code: 'equal_variants',
  meaning: 'Variants with different constants gave the same bytes.',
  fields: {
    variants: variantList,
    cells: wholeNumber.describe('Prompts and seeds at which all of them delivered.'),
    constants: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the constant.'),
          values: z.array(json).describe('Its values.'),
        }),
      )
      .describe('What they differ in, in the order of `variants`; null where one does not set it.'),
  },
  find: ({ variants, cells }) => {
    const byVariant = groupBy(cells, ({ variant }) => variant);
    const outputs = new Map([...byVariant].map(([name, variantCells]) => [name, outputsOf(variantCells)]));
    const endpoints = groupBy(variants, ({ kind, target, baseUrl }) => JSON.stringify([kind, target, baseUrl]));
    return [...endpoints.values()]
      .flatMap((members) => equalGroups(members, outputs))
      .flatMap((group) => {
        const [common, constants] = [commonCells(group, outputs), differentConstants(group)];
        if (constants.length === 0 || common === 0) return [];
        return [{ unfit: 'comparison' as const, variants: group.map(({ name }) => name), cells: common, constants }];
      });
  },
  words: ({ variants, cells, constants }) => {
    const values = constants.map(
      ({ name, values: constants }) => `${name} (${listedInShort(constants.map((value) => JSON.stringify(value)))})`,
    );
    return {
      what: `${variants.length > MOST_WHOLE ? `${count(variants.length)} variants` : listedInShort(variants)} gave the same files for ${plural(cells, 'prompt x seed')}: ${listedInShort(constants.map(({ name }) => name))} had no effect`,
      cause: `${listedInShort(variants)} differ in ${listedInShort(values)}: the target does not send it, or the service ignores the value`,
      remedy: 'check the spelling of the value, and where the target sends it',
    };
  },
  example: {
    unfit: 'comparison',
    variants: ['euler', 'heun'],
    cells: 3,
    constants: [{ name: 'sampler', values: ['euler', 'hein'] }],
  },
});

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
