import { count, plural, probability, shareAtMost } from '../../kit/wording.ts';
import { isAtLeast } from '../../media/level.ts';
import type { LoadTakes } from '../../record/output-pairs.ts';
import { CONFIDENCE } from '../../statistics/quantile.ts';
import { clopperPearsonUpper } from '../../statistics/rate-interval.ts';
import { exactMcNemar } from '../../statistics/rise-test.ts';
import type { LevelOfPair } from '../pair-levels.ts';
import type { ProbeAnswer } from '../probe.ts';
import { NOT_COMPARED, type Untestable } from '../probe-untestable.ts';

/** Fewer discordant cells never reach one-sided 5 %. */
const FEWEST_DISCORDANT = 5;

const SIGNIFICANCE = 0.05;

const SENTENCES = {
  batch_dependent: 'concurrency changes the output (batch-dependent)',
  no_sign: 'no sign that concurrency changes the output',
  too_few_discordant: 'effect of concurrency not decided: too few prompts x seeds differ',
  not_testable: 'concurrency not testable',
} as const;

const REMEDY =
  'set load.concurrency to 1, or use determinism.near in the gate: determinism.pixel holds for this load only';

/**
 * Exact McNemar over cells, one-sided 5 %: whether concurrent takes differ from the first alone more often than the
 * second alone does. The share of changed cells has a Clopper-Pearson bound, one-sided 95 %. `lost`: why requests
 * delivered nothing.
 */
export function decideLoadProbe(taken: readonly LoadTakes[], levelOf: LevelOfPair, lost: Untestable | null = null) {
  const compared = taken.flatMap(({ alone: [first, second], concurrent }) => {
    const alone = sameAs(first, second, levelOf);
    const beside = sameAs(first, concurrent, levelOf);
    return alone === null || beside === null ? [] : [{ alone, beside }];
  });
  const cells = compared.length;
  const changedConcurrent = compared.filter(({ alone, beside }) => alone && !beside).length;
  const changedAlone = compared.filter(({ alone, beside }) => !alone && beside).length;
  const discordant = changedConcurrent + changedAlone;
  const p = discordant < FEWEST_DISCORDANT ? null : exactMcNemar(changedConcurrent, changedAlone);
  const bound = cells === 0 ? null : clopperPearsonUpper(changedConcurrent, cells, CONFIDENCE);
  const code = codeOf(cells, discordant, p);
  const why = cells > 0 ? null : taken.length > 0 ? NOT_COMPARED : lost;
  const evidence = [
    ...(cells === 0
      ? []
      : [
          `of ${plural(cells, 'prompt x seed')}, ${count(changedConcurrent)} changed only under concurrency and ${count(changedAlone)} only without it`,
        ]),
    ...(p === null ? [] : [`p = ${probability(p)}`]),
    ...(bound === null || code === 'batch_dependent'
      ? []
      : [`concurrency changes at most ${shareAtMost(bound)} of outputs (one-sided 95 % bound, n = ${count(cells)})`]),
    ...(why === null ? [] : [why.why]),
  ];
  return {
    question: 'load',
    code,
    facts: { cells, changedConcurrent, changedAlone, p, bound },
    sentence: SENTENCES[code],
    evidence: evidence.join('; '),
    remedy: code === 'batch_dependent' ? REMEDY : (why?.remedy ?? null),
  } satisfies ProbeAnswer;
}

function codeOf(cells: number, discordant: number, p: number | null): keyof typeof SENTENCES {
  if (cells === 0) return 'not_testable';
  if (p === null) return discordant === 0 ? 'no_sign' : 'too_few_discordant';
  return p <= SIGNIFICANCE ? 'batch_dependent' : 'no_sign';
}

/** Null: the bytes differ, and the pixels are unknown. */
function sameAs(a: string, b: string, levelOf: LevelOfPair): boolean | null {
  if (a === b) return true;
  const level = levelOf(a, b);
  return level === null ? null : isAtLeast(level, 'pixel');
}
