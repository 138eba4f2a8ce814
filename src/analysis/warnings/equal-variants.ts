import { type Json, ownValue } from '../../kit/json.ts';
import { caseSeedOf } from '../../plan/plan.ts';
import type { Cell, VariantSummary } from '../analysis.ts';
import { groupBy } from '../grouping.ts';
import type { WarningOf } from '../warning-codes/coded-warning.ts';
import type { WarningRule } from './evidence.ts';

type Outputs = ReadonlyMap<string, string>;

/**
 * Variants of one endpoint with different constants whose common cells all hold the same bytes: the constants are not
 * sent, or the service ignores them. With the same constants, or other places, equal bytes are expected.
 */
export const equalVariants: WarningRule = ({ variants, cells }) => {
  const byVariant = groupBy(cells, ({ variant }) => variant);
  const outputs = new Map([...byVariant].map(([name, own]) => [name, outputsOf(own)]));
  const endpoints = groupBy(variants, ({ kind, target, baseUrl }) => JSON.stringify([kind, target, baseUrl]));
  return [...endpoints.values()].flatMap((members) => {
    const groups: VariantSummary[][] = [];
    for (const variant of members) {
      const group = groups.find((each) =>
        each.every((other) => (equalCells(outputs.get(other.name), outputs.get(variant.name)) ?? 0) > 0),
      );
      if (group === undefined) groups.push([variant]);
      else group.push(variant);
    }
    return groups.flatMap((group) => warningOf(group, outputs));
  });
};

function warningOf(
  group: readonly VariantSummary[],
  outputs: ReadonlyMap<string, Outputs>,
): WarningOf<'equal_variants'>[] {
  const names = [...new Set(group.flatMap(({ constants }) => Object.keys(constants)))];
  const constants = names
    .map((name) => ({ name, values: group.map((variant): Json => ownValue(variant.constants, name) ?? null) }))
    .filter(({ values }) => new Set(values.map((value) => JSON.stringify(value))).size > 1);
  if (group.length < 2 || constants.length === 0) return [];
  const [first, ...others] = group.map(({ name }) => outputs.get(name) ?? new Map<string, string>());
  const common = [...(first?.keys() ?? [])].filter((cell) => others.every((other) => other.has(cell)));
  if (common.length === 0) return [];
  return [{ code: 'equal_variants', variants: group.map(({ name }) => name), cells: common.length, constants }];
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

/** Null where a common cell differs. */
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
