import type { Analysis } from '../analysis/analysis.ts';
import type { CacheFinding, LoadFinding, ProbeFindings, SeedFinding } from '../analysis/probe-finding.ts';
import { probability } from '../analysis/wording.ts';
import type { ProbeKind } from '../suite/suite.ts';
import { count, plural, significant } from './quantity.ts';

/** What a probe found, in a word or two and with its evidence. */
export interface ProbeStatement {
  readonly word: string;
  readonly evidence: string;
  /** Something that bends numbers, or that the target says otherwise. */
  readonly bad: boolean;
}

/** What a row of the probes' table asks. */
export type ProbeQuestion = 'seed' | 'no seed' | 'cache' | 'load';

/** The questions that a run's probes ask, in their order; none without probes. */
export function probeQuestions({ run }: Analysis): readonly ProbeQuestion[] {
  const questions: Readonly<Record<ProbeKind, readonly ProbeQuestion[]>> = {
    seed: ['seed', 'no seed'],
    cache: ['cache'],
    load: ['load'],
  };
  return (run.plan.probes?.kinds ?? []).flatMap((kind) => questions[kind]);
}

/** A probe's answer to a question about a variant; null where nobody asked. */
export function probeStatement(question: ProbeQuestion, found: ProbeFindings): ProbeStatement | null {
  switch (question) {
    case 'seed':
      return found.seed === null ? null : seedStatement(found.seed);
    case 'no seed':
      return found.seed === null ? null : omittedStatement(found.seed);
    case 'cache':
      return found.cache === null ? null : cacheStatement(found.cache);
    case 'load':
      return found.load === null ? null : loadStatement(found.load);
  }
}

function seedStatement({ word, seen, takes, within, otherSeeds, otherPictures, reason }: SeedFinding): ProbeStatement {
  const parts = [
    ...(seen !== null && word === 'not claimed' ? [`seen: ${seen}`] : []),
    ...(within === null ? [] : [`lowest level among ${plural(takes, 'take')} of a seed: ${within}`]),
    ...(otherSeeds === 0
      ? []
      : [`${count(otherPictures)} of ${plural(otherSeeds, 'other seed')} gave another picture`]),
    ...(reason === '' ? [] : [reason]),
  ];
  return {
    word,
    evidence: parts.join('; '),
    bad: word === 'one picture for all seeds' || word === 'varies within a seed',
  };
}

function omittedStatement({ omitted: { word, takes, reason } }: SeedFinding): ProbeStatement {
  const evidence = reason === '' ? `${plural(takes, 'take')} without a seed` : reason;
  return { word, evidence, bad: false };
}

function cacheStatement({ word, pairs, equal, ratio, p, saidOfRepeats, reason }: CacheFinding): ProbeStatement {
  const parts = [
    ...(pairs === 0 ? [] : [`${count(equal)} of ${plural(pairs, 'repeat')} equal to the byte`]),
    ...(ratio === null ? [] : [`${significant(ratio)} times as fast as fresh ones`]),
    ...(p === null ? [] : [`p = ${probability(p)} (signed ranks, above 1.1 times)`]),
    ...(saidOfRepeats === 0 ? [] : [`the service says so of ${count(saidOfRepeats)}`]),
    ...(reason === '' ? [] : [reason]),
  ];
  return { word, evidence: parts.join('; '), bad: word === 'cached' };
}

function loadStatement({ word, cells, changedByCompany, changedAlone, p, reason }: LoadFinding): ProbeStatement {
  const parts = [
    ...(cells === 0
      ? []
      : [
          `of ${plural(cells, 'cell')}, ${count(changedByCompany)} changed in company alone and ${count(changedAlone)} alone`,
        ]),
    ...(p === null ? [] : [`p = ${probability(p)}`]),
    ...(reason === '' ? [] : [reason]),
  ];
  return { word, evidence: parts.join('; '), bad: word === 'company changes the picture' };
}
