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

export function probeStatement(question: ProbeQuestion, findings: ProbeFindings): ProbeStatement | null {
  switch (question) {
    case 'seed':
      return findings.seed === null ? null : seedStatement(findings.seed);
    case 'no_seed':
      return findings.seed === null ? null : omittedStatement(findings.seed);
    case 'cache':
      return findings.cache === null ? null : cacheStatement(findings.cache);
    case 'load':
      return findings.load === null ? null : loadStatement(findings.load);
  }
}
