import { groupBy } from '../../../src/kit/grouping.ts';
import { LIKENESSES, type Likeness, likenessOf } from '../../../src/media/level.ts';
import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import type { Truth } from './changes.ts';
import type { KnownPair } from './known-pairs.ts';
import { RULES, type Rule, saysAnother } from './rules.ts';

/** What the shipped rule must not say of a pair, by its truth. */
export const ERRORS: readonly {
  readonly name: string;
  readonly truth: Truth;
  readonly isError: (word: Likeness | null) => boolean;
}[] = [
  { name: 'same picture called `another`', truth: 'same', isError: (word) => word === 'another' },
  { name: 'another picture called `similar`', truth: 'another', isError: (word) => word === 'similar' },
  { name: 'another picture not called `another`', truth: 'another', isError: (word) => word !== 'another' },
  { name: 'no word', truth: 'same', isError: (word) => word === null },
];

export const wordOf = ({ level, difference }: KnownPair): Likeness | null => likenessOf(level, difference);

/** Pairs, or images, that are counted among all. */
interface Counted {
  readonly errors: number;
  readonly n: number;
}

/** What is counted of pairs with one truth. */
export function counted(pairs: readonly KnownPair[], truth: Truth, isCounted: (pair: KnownPair) => boolean): Counted {
  const known = pairs.filter((pair) => pair.truth === truth);
  return { errors: known.filter(isCounted).length, n: known.length };
}

/** The same of baseline's outputs with any such pair: pairs of one output are like each other. */
function countedByOutput(pairs: readonly KnownPair[], truth: Truth, isCounted: (pair: KnownPair) => boolean): Counted {
  const outputs = [...groupBy(pairs, ({ of }) => of).values()].map((group) => counted(group, truth, isCounted));
  return { errors: outputs.filter(({ errors }) => errors > 0).length, n: outputs.filter(({ n }) => n > 0).length };
}

/** The errors of each word among pairs that nobody disputes, with the exact interval. */
export function errorTable(parts: ReadonlyMap<string, readonly KnownPair[]>): string {
  const rows = ERRORS.flatMap(({ name, truth, isError }) => {
    const isWrong = (pair: KnownPair) => isError(wordOf(pair));
    const shares = (count: typeof counted) => [...parts.values()].map((pairs) => shareOf(count(pairs, truth, isWrong)));
    return [
      [name, ...shares(counted)],
      ['outputs with such a pair', ...shares(countedByOutput)],
    ];
  });
  const similar = [...parts.values()].map((pairs) =>
    shareOf(counted(pairs, 'same', (pair) => wordOf(pair) !== 'similar')),
  );
  return table([['', ...parts.keys()], ...rows, ['same picture not called `similar`', ...similar]]);
}

/** How rules that could tell another picture err, and what they say of pairs that people dispute. */
export function ruleTable(pairs: readonly KnownPair[]): string {
  const row = (rule: Rule): readonly string[] => {
    const says = (pair: KnownPair) => saysAnother(rule, pair);
    return [
      rule.name,
      shareOf(counted(pairs, 'same', says)),
      shareOf(counted(pairs, 'another', (pair) => !says(pair))),
      shareOf(counted(pairs, 'disputed', says)),
    ];
  };
  return table([
    ['rule', 'same, called `another`', 'another, not called so', 'disputed, called `another`'],
    ...RULES.map(row),
  ]);
}

/** The words of each kind of pair, with the ranges of the distances. */
export function kindTable(pairs: readonly KnownPair[]): string {
  const kinds = groupBy(pairs, ({ truth, kind }) => `${truth}/${kind}`);
  const rows = [...kinds.values()].toSorted(byTruth).map((group) => [
    group[0]?.truth ?? '',
    group[0]?.kind ?? '',
    ...LIKENESSES.map((word) => String(group.filter((pair) => wordOf(pair) === word).length || '')),
    range(
      group.flatMap(({ difference }) => difference.pdqDistance ?? []),
      0,
    ),
    range(
      group.flatMap(({ difference }) => difference.ssim?.p5 ?? []),
      2,
    ),
    range(
      group.flatMap(({ difference }) => difference.correlation ?? []),
      2,
    ),
  ]);
  return table([['people say', 'kind', ...LIKENESSES, 'PDQ', 'SSIM', 'correlation'], ...rows]);
}

const TRUTHS: readonly Truth[] = ['same', 'another', 'disputed'];

function byTruth([a]: readonly KnownPair[], [b]: readonly KnownPair[]): number {
  return TRUTHS.indexOf(a?.truth ?? 'same') - TRUTHS.indexOf(b?.truth ?? 'same');
}

/** From the least to the largest, with the median between. */
function range(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(digits);
  return sorted.length === 0 ? '' : `${at(0)}, ${at(0.5)}, ${at(1)}`;
}

/** `3 of 968: 0.31 % (0.06 to 0.90)`, the interval of 95 %. */
function shareOf({ errors, n }: { readonly errors: number; readonly n: number }): string {
  if (n === 0) return '';
  const { low, high } = clopperPearson(errors, n, 0.95);
  const percent = (share: number) => (100 * share).toFixed(2);
  return `${errors} of ${n}: ${percent(errors / n)} % (${percent(low)} to ${percent(high)})`;
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
