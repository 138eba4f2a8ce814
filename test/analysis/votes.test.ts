import { describe, expect, it } from 'vitest';
import { metricsOfRecord } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import type { RuleResult } from '../../src/gate/verdict.ts';
import { verdictLinesOf } from '../../src/gate/verdict-lines.ts';
import type { VoteChoice } from '../../src/record/codes.ts';
import type { Sample } from '../../src/record/journal.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { Ballot, Vote } from '../../src/record/score.ts';
import { voteSentences } from '../../src/report/statements/score-words.ts';
import type { ClosedLoad } from '../../src/suite/load.ts';
import { reviewed } from '../fixtures/reviewed.ts';
import { gateRule } from '../fixtures/scripted-run.ts';
import { buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';

const RULE = gateRule('score.votes', { is: 'max_rise', share: 0.2 }, { variants: ['fast-lcm'] });
const idOf = (digit: string, at: number) => `${digit}${at}`.padStart(32, '0');

const CHOICES = ['right', 'left', 'neither', 'skip', 'none'] as const satisfies readonly (VoteChoice | 'none')[];

interface Voted {
  readonly load?: Partial<ClosedLoad>;
  /** How many pairs each choice got, of the variant fast-lcm on the left. */
  readonly votes: Readonly<Partial<Record<(typeof CHOICES)[number], number>>>;
}

/** 40 pairs of two variants, each with one vote or none, and one pair seen again. */
function runOf({ load = {}, votes }: Voted): StoredRun {
  const choices = CHOICES.flatMap((choice) => Array.from({ length: votes[choice] ?? 0 }, () => choice));
  const samples = ['standard', 'fast-lcm'].flatMap((variant, slice) =>
    choices.map((_, seed): Sample => {
      const trial = { variant, prompt: seed % 2 === 0 ? 'fox' : 'cat', seed, repeat: 1 };
      return buildOk(500, `${variant} ${seed}`, { trial, slice, startedMs: 1000 * (seed + 1) });
    }),
  );
  const record = buildStoredRun({
    variants: [
      { name: 'standard', baseline: true, plannedTrials: choices.length },
      { name: 'fast-lcm', baseline: false, plannedTrials: choices.length },
    ],
    prompts: ['fox', 'cat'],
    seeds: choices.map((_, seed) => seed),
    load,
    gate: [RULE],
    samples,
  });
  const shaOf = (variant: string, block: string) => {
    const sample = record.samples.find(({ trial }) => trial.variant === variant && trial.block === block);
    return sample?.outcome === 'ok' ? sample.outputs[0].sha256 : '';
  };
  const ballots = record.samples.slice(0, choices.length).map(({ trial: { prompt, seed, block } }, at): Ballot => {
    const side = (variant: string) => ({ variant, sha256: shaOf(variant, block) });
    const [left, right] = [side('fast-lcm'), side('standard')];
    const ballot = idOf('a', at);
    return { line: 'ballot', ballot, prompt, seed, block, left, right, mirrors: null, scored: false };
  });
  const [first] = ballots;
  if (first === undefined) throw new Error('no pair');
  const mirror: Ballot = {
    ...first,
    ballot: idOf('b', 0),
    left: first.right,
    right: first.left,
    mirrors: first.ballot,
  };
  const voter = idOf('c', 0);
  const cast = choices.flatMap((choice, at): Vote[] =>
    choice === 'none' ? [] : [{ line: 'vote', ballot: idOf('a', at), choice, voter }],
  );
  const earlier = cast.slice(0, 3).map((vote) => ({ ...vote, choice: 'right' as const }));
  return {
    ...record,
    votes: [...ballots, mirror, ...earlier, ...cast, { line: 'vote', ballot: mirror.ballot, choice: 'left', voter }],
  };
}

function assessed(voted: Voted) {
  const record = runOf(voted);
  const { analysed, comparisons, verdict } = assess(record, metricsOfRecord(record));
  const { analysis } = analysed;
  return {
    analysis,
    comparisons,
    rule: verdict.rules[0],
    said: voteSentences(analysis, comparisons, analysis.variants),
    brief: voteSentences(analysis, comparisons, analysis.variants, true),
  };
}

const LOST = { right: 24, left: 10, neither: 6 };

const TOO_MANY = { verdict: 'inconclusive', code: 'too_many_missing', missingPairs: 20 } as const;
const ALL_LOST = { verdict: 'fail', code: 'beyond_limit', estimate: 1, n: 40, units: 'cells' } as const;

function saidOf(votes: Voted['votes']): readonly string[] {
  const { said, brief } = assessed({ votes });
  return [...said, ...brief.map((words) => `in brief: ${words}`)];
}

reviewed('votes', {
  'a side is preferred': () => saidOf(LOST),
  'not told apart': () => saidOf({ right: 20, left: 14, neither: 6 }),
  'some pairs without a vote': () => saidOf({ left: 30, skip: 5, none: 15 }),
  'no vote': () => saidOf({ none: 40 }),
});

describe('votes', () => {
  it('votes have the net of what people prefer, with its interval, and the share that was lost', () => {
    const { analysis, comparisons } = assessed({ votes: LOST });
    expect(analysis.votes?.variants).toMatchObject([{ won: 10, lost: 24, neither: 6, open: 0, identical: 0 }]);
    const whole = comparisons.find(({ metric, scope }) => metric === 'score.votes' && scope.of === 'cells');
    expect(whole).toMatchObject({ value: 0.35, method: 'tango_exact', units: 'cells', nUnits: 40, finding: 'higher' });
    const measures = analysis.measures.filter(({ metric, prompt }) => metric === 'score.votes' && prompt === null);
    expect(measures).toMatchObject([
      { variant: 'fast-lcm', statistic: 'lost', value: 0.6, n: 40, method: 'clopper_pearson' },
    ]);
  });

  it.each<[name: string, Voted, Partial<RuleResult>]>([
    ['at concurrency 1', { votes: { right: 40 } }, ALL_LOST],
    ['at concurrency 4', { votes: { right: 40 }, load: { concurrency: 4 } }, ALL_LOST],
    ['in sequential order', { votes: { right: 40 }, load: { order: 'sequential' } }, ALL_LOST],
    ['as many won as lost', { votes: { right: 20, left: 20, neither: 20 } }, { verdict: 'pass', code: 'within_limit' }],
    ['more than a fifth not voted on', { votes: { left: 30, skip: 5, none: 15 } }, TOO_MANY],
    ['no vote', { votes: { none: 40 } }, { verdict: 'inconclusive', code: 'not_scored' }],
  ])('votes decide a rule, over cell pairs: %s', (_, voted, result) => {
    expect(assessed(voted).rule).toMatchObject(result);
  });

  it('a rule on votes says how many pairs have none yet', () => {
    const { rule } = assessed({ votes: { left: 30, skip: 5, none: 15 } });
    expect(
      rule === undefined
        ? ''
        : verdictLinesOf([rule])
            .map(({ finding }) => finding)
            .join(),
    ).toContain('20 of 50 pairs have no vote yet; go on with "retake vote"');
  });

  it('votes of a record without ballots have no row', () => {
    const record = { ...runOf({ votes: LOST }), votes: [] };
    const { analysed, comparisons } = assess(record, metricsOfRecord(record));
    const { analysis } = analysed;
    expect(analysis.votes).toBeUndefined();
    expect(JSON.stringify([analysis.measures, analysis.metrics, comparisons])).not.toContain('score.votes');
  });
});
