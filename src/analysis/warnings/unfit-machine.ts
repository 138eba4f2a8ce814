import { z } from 'zod';
import { groupBy } from '../../kit/grouping.ts';
import { count, plural } from '../../kit/wording.ts';
import { type Unfitness, unfitnessSchema } from '../../record/calibration.ts';
import { unfitnessWords } from '../incomplete.ts';
import { warning } from './warning.ts';

/** From the calibration before the run or of each shard; one warning per kind of reason, not per shard. */
export const unfitMachine = warning({
  code: 'unfit_machine',
  meaning: 'Calibration found it before the run.',
  fields: {
    shards: z
      .array(z.int().min(1))
      .nullable()
      .describe('Of a merged run, the shards whose machines it was found against, the worst first; null of any other.'),
    reason: unfitnessSchema.describe('Of several shards, that of the worst.'),
  },
  find: ({ run: { calibration, shards } }) => {
    if (shards === null) return (calibration?.unfit ?? []).map((reason) => ({ shards: null, reason }));
    const reasons = shards.merged.flatMap(({ index, unfit }) => unfit.map((reason) => ({ index, reason })));
    return [...groupBy(reasons, ({ reason }) => reason.code).values()].flatMap((group) => {
      const worstFirst = group.toSorted((a, b) => badness(b.reason) - badness(a.reason) || a.index - b.index);
      const indices = worstFirst.map(({ index }) => index);
      return worstFirst.slice(0, 1).map(({ reason }) => ({ shards: indices, reason }));
    });
  },
  words: ({ shards, reason }) => {
    const { what, cause, remedy } = unfitnessWords(reason, 'before');
    return { what: `${shardsPrefix(shards)}before the run, ${what}`, cause, remedy };
  },
  example: { shards: null, reason: { code: 'saves_power', by: { code: 'battery' } } },
});

function badness(reason: Unfitness): number {
  if (reason.code === 'late_wake') return reason.lateMs;
  return reason.code === 'overloaded' ? reason.loadAverage / reason.cores : 0;
}

function shardsPrefix(shards: readonly number[] | null): string {
  const [worst, ...others] = shards ?? [];
  if (worst === undefined) return '';
  if (others.length === 0) return `shard ${count(worst)}: `;
  return `${plural(others.length + 1, 'shard')} (shard ${count(worst)} is the worst): `;
}
