import { skippedReason } from '../../analysis/probe-untestable.ts';
import { groupBy } from '../../kit/grouping.ts';
import { leftOutReason } from '../../kit/outcome-words.ts';
import { localDay } from '../../kit/time.ts';
import { visibleLine } from '../../kit/visible.ts';
import { listed, listedInShort } from '../../kit/wording.ts';
import type { SkippedProbe } from '../../plan/recorded-plan.ts';
import type { Run } from '../../record/run.ts';
import { missingBetween } from '../../report/two-runs.ts';
import type { PreparedSuite } from '../../run/prepare-suite.ts';
import type { Suite } from '../../suite/suite.ts';
import type { Variant } from '../../targets/target.ts';

/** What a stored baseline adds, what one side lacks, and changed environment variables. */
export function describeAgainst(against: PreparedSuite['against'], variants: readonly Variant[]): readonly string[] {
  if (against === null) return [];
  const { run, createdAt, missing, changedEnvironment } = against.run;
  const twins = variants.filter(({ twinOf }) => twinOf !== undefined).map(({ name }) => name);
  return [
    `compared with the stored baseline (run ${run}, ${localDay(createdAt)}); its variants are sent again as ${listed(twins)}`,
    ...missingBetween(missing, { run: 'this suite', baseline: 'the stored baseline' }),
    ...(changedEnvironment.length === 0
      ? []
      : [
          `${listed(changedEnvironment)} changed since the stored baseline was measured; its variants are sent with the new ${changedEnvironment.length === 1 ? 'value' : 'values'}`,
        ]),
  ].map(visibleLine);
}

export function leftOutVariants(leftOut: Run['leftOut']): readonly string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  return [
    `left out ${listedInShort(leftOut.map(({ variant }) => visibleLine(variant)))}: ${visibleLine(leftOutReason(first.reason))}`,
  ];
}

export function unaskedPrompts({ cases }: Pick<Suite, 'cases'>, variants: readonly Variant[]): readonly string[] {
  return cases
    .filter(({ kinds }) => !variants.some(({ kind }) => kinds.includes(kind)))
    .map(
      ({ id, kinds }) =>
        `the prompt ${visibleLine(id)} is unused: no variant has one of its kinds (${kinds.join(', ')})`,
    );
}

export function leftOutProbes(skippedProbes: readonly SkippedProbe[]): readonly string[] {
  const alike = groupBy(skippedProbes, ({ probe, whole, reason }) => JSON.stringify([probe, whole, reason]));
  return [...alike.values()].map((group) => {
    const [{ probe, whole, reason }] = group;
    const names = listed(group.map(({ variant }) => variant));
    const what = whole ? 'nothing to test' : 'tested in part';
    return visibleLine(`${probe}: ${what} for ${names}: ${skippedReason(reason)}`);
  });
}
