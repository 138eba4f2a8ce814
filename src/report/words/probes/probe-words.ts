import type { Analysis } from '../../../analysis/analysis.ts';
import type {
  CacheFinding,
  LoadFinding,
  ProbeFindings,
  SeedEffect,
  SeedFinding,
} from '../../../analysis/probes/probe-finding.ts';
import type { ProbeKind } from '../../../suite/format/suite.ts';
import { count, plural, probability, shareAtMost, significant } from '../../../text/wording.ts';
import { probeReason } from './probe-reason.ts';

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

const SEED_WORDS: Readonly<Record<SeedFinding['code'], string>> = {
  exact: 'exact',
  similar: 'similar',
  ignored: 'ignored: one image for all seeds',
  unstable: 'unstable: takes of one seed differ',
  not_claimed: 'not claimed',
  not_testable: 'not testable',
};

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
    ...(seen !== null && code === 'not_claimed' ? [`observed: ${SEED_WORDS[seen]}`] : []),
    ...(within === null ? [] : [`lowest level among ${plural(takes, 'take')} of a seed: ${within}`]),
    ...(bound === null
      ? []
      : [
          `at most ${shareAtMost(bound)} of further takes would differ (one-sided 95 % bound, n = ${count(takes - 1)})`,
        ]),
    ...(otherSeeds === 0 ? [] : [`${count(otherImages)} of ${plural(otherSeeds, 'other seed')} gave another image`]),
    ...(reason === null ? [] : [probeReason(reason)]),
  ];
  const bad: readonly (SeedEffect | string)[] = ['ignored', 'unstable'];
  return { word: SEED_WORDS[code], evidence: parts.join('; '), bad: bad.includes(code) };
}

const OMITTED_WORDS: Readonly<Record<SeedFinding['omitted']['code'], string>> = {
  random: 'random',
  constant: 'constant',
  not_supported: 'not supported',
  not_testable: 'not testable',
};

function omittedStatement({ omitted: { code, takes, reason } }: SeedFinding): ProbeStatement {
  const evidence = reason === null ? `${plural(takes, 'take')} without a seed` : probeReason(reason);
  return { word: OMITTED_WORDS[code], evidence, bad: false };
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
  batch_dependent: 'concurrency changes the output (batch-dependent)',
  no_sign: 'no sign that concurrency changes the output',
  too_few_discordant: 'inconclusive: too few cells disagree',
  not_testable: 'not testable',
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
