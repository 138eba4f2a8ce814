import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import { missingBetween } from '../../../report/statements/baseline-statement.ts';
import type { Variant } from '../../../targets/model/target.ts';
import { visibleLine } from '../../../text/visible.ts';
import { listed } from '../../../text/wording.ts';

/** What a stored baseline adds, what one side lacks, and changed environment variables. */
export function describeAgainst(against: PreparedSuite['against'], variants: readonly Variant[]): readonly string[] {
  if (against === null) return [];
  const { run, createdAt, missing, changedEnvironment } = against.run;
  const twins = variants.filter(({ twinOf }) => twinOf !== undefined).map(({ name }) => name);
  return [
    `compared with the stored baseline (run ${run}, ${createdAt.slice(0, 10)}); its variants are sent again as ${listed(twins)}`,
    ...missingBetween(missing, { run: 'this suite', baseline: 'the stored baseline' }),
    ...(changedEnvironment.length === 0
      ? []
      : [
          `${listed(changedEnvironment)} changed since the stored baseline was measured; its variants are sent with the new ${changedEnvironment.length === 1 ? 'value' : 'values'}`,
        ]),
  ].map(visibleLine);
}
