import type { ProbeKind } from '../suite/suite.ts';
import type { ProbeFindings } from './probe.ts';
import type { ProbeStatement } from './probe-words.ts';
import { cacheStatement } from './probes/cache-probe.ts';
import { loadStatement } from './probes/load-probe.ts';
import { omittedStatement, seedStatement } from './probes/seed-probe.ts';
import type { RunSummary } from './summaries.ts';

export type ProbeQuestion = 'seed' | 'no_seed' | 'cache' | 'load';

export function probeQuestions({ run }: { readonly run: RunSummary }): readonly ProbeQuestion[] {
  const questions: Readonly<Record<ProbeKind, readonly ProbeQuestion[]>> = {
    seed: ['seed', 'no_seed'],
    cache: ['cache'],
    load: ['load'],
  };
  return (run.plan.probes?.kinds ?? []).flatMap((kind) => questions[kind]);
}

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
