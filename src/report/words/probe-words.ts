import type { Analysis } from '../../analysis/analysis.ts';
import type {
  CacheFinding,
  LoadFinding,
  ProbeFindings,
  ProbeReason,
  SeedFinding,
} from '../../analysis/probes/probe-finding.ts';
import { count, plural, probability, shareAtMost, significant } from '../../kit/wording.ts';
import type { ProbeKind } from '../../suite/format/suite.ts';
import { NUMBERED_PROBE_WORDS, PLAIN_PROBE_WORDS } from './note-words.ts';

/** May hold hostile text: the code of an error. */
export function probeReason(reason: ProbeReason): string {
  switch (reason.code) {
    case 'requests_failed': {
      const error = reason.error === '' || reason.error === reason.outcome ? '' : ` (${reason.error})`;
      return `${count(reason.failed)} of ${plural(reason.sent, 'request')} of the probe failed, most often ${reason.outcome}${error}`;
    }
    case 'one_take':
      return `only one of ${plural(reason.sent, 'take')} of the first prompt and seed was delivered: nothing to compare it with`;
    case 'not_compared':
      return 'takes have different bytes and were not compared further';
    case 'too_few_pairs':
      return `${plural(reason.pairs, 'pair')} delivered; the test needs ${count(reason.needs)}`;
    case 'no_take':
      return NUMBERED_PROBE_WORDS.no_take(reason.sent);
    case 'too_few_seeds':
      return NUMBERED_PROBE_WORDS.too_few_seeds(reason.seeds);
    default:
      return PLAIN_PROBE_WORDS[reason.code];
  }
}

export interface ProbeStatement {
  readonly word: string;
  readonly evidence: string;
  /** True where numbers are biased, or the target declares otherwise. */
  readonly bad: boolean;
}

export type ProbeQuestion = 'seed' | 'no_seed' | 'cache' | 'load';

export function probeQuestions({ run }: Analysis): readonly ProbeQuestion[] {
  const questions: Readonly<Record<ProbeKind, readonly ProbeQuestion[]>> = {
    seed: ['seed', 'no_seed'],
    cache: ['cache'],
    load: ['load'],
  };
  return (run.plan.probes?.kinds ?? []).flatMap((kind) => questions[kind]);
}

/** For a line that begins with the variant. */
export const QUESTION_NAMES: Readonly<Record<ProbeQuestion, string>> = {
  seed: 'seed',
  no_seed: 'without a seed',
  cache: 'repeats',
  load: 'concurrency',
};

export function probeStatement(question: ProbeQuestion, found: ProbeFindings): ProbeStatement | null {
  switch (question) {
    case 'seed':
      return found.seed === null ? null : seedStatement(found.seed);
    case 'no_seed':
      return found.seed === null ? null : omittedStatement(found.seed);
    case 'cache':
      return found.cache === null ? null : cacheStatement(found.cache);
    case 'load':
      return found.load === null ? null : loadStatement(found.load);
  }
}

function seedStatement({
  code,
  seen,
  takes,
  within,
  bound,
  otherSeeds,
  otherImages,
  reason,
}: SeedFinding): ProbeStatement {
  const parts = [
    ...(seen !== null && code === 'not_claimed' ? [`observed: ${PLAIN_PROBE_WORDS[seen]}`] : []),
    ...(within === null ? [] : [`lowest level among ${plural(takes, 'take')} of a seed: ${within}`]),
    ...(bound === null
      ? []
      : [
          `at most ${shareAtMost(bound)} of further takes would differ (one-sided 95 % bound, n = ${count(takes - 1)})`,
        ]),
    ...(otherSeeds === 0 ? [] : [`${count(otherImages)} of ${plural(otherSeeds, 'other seed')} gave another image`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  return { word: PLAIN_PROBE_WORDS[code], evidence: parts.join('; '), bad: code === 'ignored' || code === 'unstable' };
}

function omittedStatement({ omitted: { code, takes, reason } }: SeedFinding): ProbeStatement {
  const evidence = reason === null ? `${plural(takes, 'take')} without a seed` : probeReason(reason);
  return { word: PLAIN_PROBE_WORDS[code], evidence, bad: false };
}

const CACHE_WORDS: Readonly<Record<CacheFinding['code'], string>> = {
  cached: 'cached',
  no_sign: 'no sign of a cache',
  not_testable: 'not testable',
};

function cacheStatement(found: CacheFinding): ProbeStatement {
  const { code, pairs, equal, ratio, p, saidOfRepeats, reason } = found;
  const parts = [
    ...(pairs === 0 ? [] : [`${count(equal)} of ${plural(pairs, 'repeat')} byte-identical`]),
    ...(ratio === null ? [] : [`${significant(ratio)} times as fast as fresh requests`]),
    ...(p === null ? [] : [`p = ${probability(p)} (signed-rank test against 1.1 times)`]),
    ...(code === 'no_sign' ? [detectable(found)] : []),
    ...(saidOfRepeats === 0 ? [] : [`the service reports a cache hit for ${count(saidOfRepeats)}`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  return { word: CACHE_WORDS[code], evidence: parts.join('; '), bad: code === 'cached' };
}

/** The smallest effect that the probe could have seen: without it, "no sign" would read as evidence against. */
function detectable({ detectableRatio, equal }: CacheFinding): string {
  if (detectableRatio !== null) {
    return `a cache that makes every repeat ${detectableRatio} times as fast would be found in 80 of 100 runs`;
  }
  return equal === 0
    ? 'timing cannot show a cache: no repeat was byte-identical'
    : `timing cannot show a cache with only ${plural(equal, 'byte-identical repeat')}`;
}

const LOAD_WORDS: Readonly<Record<LoadFinding['code'], string>> = {
  ...PLAIN_PROBE_WORDS,
  no_sign: 'no sign that concurrency changes the output',
};

function loadStatement({
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
