import { twoSidedP } from '../../../src/statistics/pair-test.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import { furtherPairs, type PairedEvents, pairedRiseTest } from '../../../src/statistics/rise-test.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import type { Design, PlannedTake } from './experiment.ts';
import { type Call, PLAIN, type VotedSide } from './service.ts';
import type { Setting } from './settings.ts';
import { markdownTable, shareOf } from './table.ts';

/** Who votes on the pairs of a run. */
export interface VoteLaw {
  readonly voters: 1 | 2;
  /** How often a voter says what is true of a pair; else one of the three answers by chance. */
  readonly sees: number;
}

/** Of all pairs, truly. */
const TIES = 0.2;

/**
 * Draws the votes of a run; every call is ok.
 *
 * @param netLoss how many more pairs the candidate's majority loses than wins, in shares: what a comparison estimates
 */
export function drawVotes(
  takes: readonly PlannedTake[],
  { voters, sees }: VoteLaw,
  netLoss: number,
  random: Random,
): readonly Call[] {
  const [whenTrue, byChance] = [sees + (1 - sees) / 3, (1 - sees) / 3];
  // Of one voter the vote is the majority; two must agree.
  const lost = netLoss / (whenTrue ** voters - byChance ** voters);
  const draw = (): VotedSide => {
    const at = random.uniform();
    return at < TIES ? 'neither' : at < TIES + (1 - TIES + lost) / 2 ? 'baseline' : 'candidate';
  };
  return takes.map(({ isBaseline }): Call => {
    const call = { outcome: 'ok', totalMs: 1 } as const;
    if (isBaseline) return call;
    const truth = draw();
    const vote = () => (random.uniform() < sees ? truth : (ANSWERS[Math.floor(3 * random.uniform())] ?? truth));
    return { ...call, votes: Array.from({ length: voters }, vote) };
  });
}

const ANSWERS: readonly VotedSide[] = ['candidate', 'baseline', 'neither'];

const LIMIT = 0.2;

const RULE = [gateRule('score.votes', { is: 'max_rise', share: LIMIT })];

const SIZES: readonly (Pick<Design, 'prompts' | 'seeds'> & { readonly pairs: number })[] = [
  { pairs: 20, prompts: 4, seeds: 5 },
  { pairs: 30, prompts: 6, seeds: 5 },
  { pairs: 50, prompts: 10, seeds: 5 },
  { pairs: 100, prompts: 20, seeds: 5 },
];

/** Two who see what is true in three of four pairs agree too seldom for a net loss of 60 points. */
const VOTERS: readonly {
  readonly code: string;
  readonly name: string;
  readonly law: VoteLaw;
  readonly losses: readonly number[];
}[] = [
  { code: 'one', name: 'one voter', law: { voters: 1, sees: 1 }, losses: [0, LIMIT, 2 * LIMIT, 3 * LIMIT] },
  { code: 'two', name: 'two voters who differ', law: { voters: 2, sees: 0.75 }, losses: [0, LIMIT, 2 * LIMIT] },
];

/** What a gate decides on a net loss, and whether a comparison tells the variants apart. */
const QUESTIONS: readonly {
  readonly code: string;
  readonly name: string;
  readonly rules: Setting['rules'];
  readonly bars: (loss: number) => Setting['bars'];
}[] = [
  {
    code: 'gate',
    name: 'max_rise 20 points',
    rules: RULE,
    bars: (loss) =>
      loss === LIMIT ? { fail: { atMost: 0.055 } } : loss === 3 * LIMIT ? { pass: { atMost: 0.055 } } : {},
  },
  { code: 'told', name: 'told apart', rules: [], bars: (loss) => (loss === 0 ? { fail: { atMost: 0.055 } } : {}) },
];

/** Four calls at once, so that latencies would have few rounds; of votes every prompt and seed counts. */
export const voteSettings: readonly Setting[] = QUESTIONS.flatMap(({ code, name, rules, bars }) =>
  VOTERS.flatMap((who) =>
    SIZES.flatMap(({ pairs, prompts, seeds }) =>
      who.losses.map((loss): Setting => {
        const points = Math.round(100 * loss);
        return {
          id: `votes_${pairs}.${who.code}.${code}.${points}`,
          part: 'votes',
          what: `${pairs} pairs, ${who.name}, ${name}`,
          change: loss === 0 ? 'none' : `net loss of ${points} points`,
          design: { prompts, seeds, repeats: 1, candidates: 1, concurrency: 4, order: 'paired', voted: true },
          service: PLAIN,
          votes: { law: who.law, netLoss: loss },
          ratio: 1,
          rules,
          truth: loss,
          bars: { ...bars(loss), covered: { atLeast: 0.94, atMost: 0.97 } },
        };
      }),
    ),
  ),
);

/** What a voter said of so many pairs: some that tell nothing yet, at several nets and shares of ties. */
export const UNDECIDED_VOTES: readonly PairedEvents[] = [
  { pairs: 12, candidateOnly: 6, baselineOnly: 3 },
  { pairs: 20, candidateOnly: 10, baselineOnly: 6 },
  { pairs: 20, candidateOnly: 12, baselineOnly: 7 },
  { pairs: 30, candidateOnly: 14, baselineOnly: 8 },
  { pairs: 40, candidateOnly: 14, baselineOnly: 20 },
  { pairs: 50, candidateOnly: 14, baselineOnly: 20 },
  { pairs: 60, candidateOnly: 22, baselineOnly: 13 },
];

/** How many pairs a sentence names after these votes, and how often they tell the two apart if the shares hold. */
export function simulateFurther(votes: PairedEvents, runs: number): { readonly named: number; readonly told: number } {
  const { pairs, candidateOnly, baselineOnly } = votes;
  const named = furtherPairs(votes, 0.8, 1000);
  if (named === null) throw new Error('no number of further pairs is named');
  const random = createRandom(pairs + candidateOnly);
  // Equal counts come again and again, and their test is slow.
  const known = new Map<number, boolean>();
  const told = Array.from({ length: runs }, () => {
    let [candidate, baseline] = [candidateOnly, baselineOnly];
    for (let pair = 0; pair < named; pair += 1) {
      const at = pairs * random.uniform();
      if (at < candidateOnly) candidate += 1;
      else if (at < candidateOnly + baselineOnly) baseline += 1;
    }
    const key = candidate * (pairs + named + 1) + baseline;
    const apart = known.get(key) ?? isToldApart(pairs + named, candidate, baseline);
    known.set(key, apart);
    return apart;
  });
  return { named, told: told.filter((apart) => apart).length };
}

function isToldApart(pairs: number, candidateOnly: number, baselineOnly: number): boolean {
  return (twoSidedP(pairedRiseTest({ pairs, candidateOnly, baselineOnly })) ?? 1) <= 0.05;
}

/** A Markdown table; shares have their Monte Carlo error (95 %). */
export function furtherTable(runs: number): string {
  return markdownTable(
    UNDECIDED_VOTES.map((votes) => ({ ...votes, ...simulateFurther(votes, runs) })),
    [
      ['pairs', ({ pairs }) => pairs],
      [
        'for one, for the other, neither',
        ({ pairs, candidateOnly: one, baselineOnly: other }) => `${one}, ${other}, ${pairs - one - other}`,
      ],
      ['further pairs named', ({ named }) => named],
      ['told apart after them', ({ told }) => shareOf(told, runs)],
    ],
  );
}
