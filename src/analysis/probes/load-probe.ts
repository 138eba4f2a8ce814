import { count, plural, probability, shareAtMost } from '../../kit/wording.ts';
import { isAtLeast } from '../../media/level.ts';
import type { LevelOfPair, LoadTakes } from '../../record/output-pairs.ts';
import { exactMcNemar } from '../../statistics/paired-rates.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { PLAIN_PROBE_WORDS, type ProbeStatement, probeReason } from '../note.ts';
import type { LoadFinding, ProbeReason } from '../probe.ts';

/** Fewer discordant cells never reach one-sided 5 %. */
const FEWEST_DISCORDANT = 5;

const SIGNIFICANCE = 0.05;

/**
 * Exact McNemar over cells, one-sided 5 %: whether concurrent takes differ from the first alone more often than the
 * second alone does. The share of changed cells has a Clopper-Pearson bound, one-sided 95 %. `lost`: why requests
 * delivered nothing.
 */
export function decideLoadProbe(
  cells: readonly LoadTakes[],
  levelOf: LevelOfPair,
  lost: ProbeReason | null = null,
): LoadFinding {
  const compared = cells.flatMap(({ alone: [first, second], concurrent }) => {
    const alone = sameAs(first, second, levelOf);
    const beside = sameAs(first, concurrent, levelOf);
    return alone === null || beside === null ? [] : [{ alone, beside }];
  });
  const changedConcurrent = compared.filter(({ alone, beside }) => alone && !beside).length;
  const changedAlone = compared.filter(({ alone, beside }) => !alone && beside).length;
  const counts = { cells: compared.length, changedConcurrent, changedAlone };
  if (compared.length === 0) {
    const reason = cells.length > 0 ? ({ code: 'not_compared' } as const) : lost;
    return { ...counts, code: 'not_testable', p: null, bound: null, reason };
  }
  const bound = clopperPearsonUpper(changedConcurrent, compared.length, CONFIDENCE);
  const discordant = changedConcurrent + changedAlone;
  if (discordant === 0) return { ...counts, code: 'no_sign', p: null, bound, reason: null };
  if (discordant < FEWEST_DISCORDANT) return { ...counts, code: 'too_few_discordant', p: null, bound, reason: null };
  const p = exactMcNemar(changedConcurrent, changedAlone).greater;
  return { ...counts, code: p <= SIGNIFICANCE ? 'batch_dependent' : 'no_sign', p, bound, reason: null };
}

/** Null: the bytes differ, and the pixels are unknown. */
function sameAs(a: string, b: string, levelOf: LevelOfPair): boolean | null {
  if (a === b) return true;
  const level = levelOf(a, b);
  return level === null ? null : isAtLeast(level, 'pixel');
}

const LOAD_WORDS: Readonly<Record<LoadFinding['code'], string>> = {
  ...PLAIN_PROBE_WORDS,
  no_sign: 'no sign that concurrency changes the output',
};

export function loadStatement({
  code,
  cells,
  changedConcurrent,
  changedAlone,
  p,
  bound,
  reason,
}: LoadFinding): ProbeStatement {
  const parts = [
    ...(cells === 0
      ? []
      : [
          `of ${plural(cells, 'cell')}, ${count(changedConcurrent)} changed only under concurrency and ${count(changedAlone)} only without it`,
        ]),
    ...(p === null ? [] : [`p = ${probability(p)}`]),
    ...(bound === null || code === 'batch_dependent'
      ? []
      : [`concurrency changes at most ${shareAtMost(bound)} of cells (one-sided 95 % bound, n = ${count(cells)})`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  return { word: LOAD_WORDS[code], evidence: parts.join('; '), bad: code === 'batch_dependent' };
}
