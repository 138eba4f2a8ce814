import type { Random } from '../../../src/statistics/random.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import type { Design, PlannedTake } from './experiment.ts';
import { SCORE, type ScoredAs } from './said-of-outputs.ts';
import { type Call, PLAIN } from './service.ts';
import type { Setting } from './settings.ts';

/** How an output's score is drawn. */
export interface ScoreLaw {
  readonly code: string;
  readonly name: string;
  readonly range: ScoredAs['range'];
  /** @param centre the true mean of the output's prompt and seed */
  readonly draw: (centre: number, random: Random) => number;
}

/** So many questions, each answered right or wrong. */
function questions(count: number): ScoreLaw {
  return {
    code: `steps_${count}`,
    name: count === 1 ? 'yes or no' : `right answers of ${count}`,
    range: [0, 1],
    draw: (centre, random) => {
      let right = 0;
      for (let asked = 0; asked < count; asked += 1) right += Number(random.uniform() < centre);
      return right / count;
    },
  };
}

const SPREAD = 0.15;

const LAWS: readonly ScoreLaw[] = [
  questions(1),
  questions(4),
  questions(10),
  {
    code: 'normal',
    name: 'normal, without a range',
    range: null,
    draw: (centre, random) => centre + SPREAD * drawNormal(random),
  },
  {
    code: 'skewed',
    name: 'exponential tail to low values, without a range',
    range: null,
    draw: (centre, random) => centre + SPREAD * (1 + Math.log(1 - random.uniform())),
  },
];

/** Each prompt and seed has a mean of its own between these, lower by the drop for the candidate. */
const EASIEST = 0.9;
const HARDEST = 0.5;

/** Draws the scores of a run in the order they are sent; every call is ok. */
export function drawScores(
  takes: readonly PlannedTake[],
  law: ScoreLaw,
  drop: number,
  random: Random,
): readonly Call[] {
  const centres = new Map<string, number>();
  return takes.map(({ caseSeed, isBaseline }): Call => {
    const centre = centres.get(caseSeed) ?? HARDEST + (EASIEST - HARDEST) * random.uniform();
    centres.set(caseSeed, centre);
    return { outcome: 'ok', totalMs: 1, score: law.draw(isBaseline ? centre : centre - drop, random) };
  });
}

const LIMIT = 0.1;

const DROPS: readonly (readonly [number, Setting['bars']])[] = [
  [0, {}],
  [LIMIT, { fail: { atMost: 0.065 } }],
  [3 * LIMIT, { pass: { atMost: 0.055 } }],
];

const SIZES: readonly (Pick<Design, 'prompts' | 'seeds'> & { readonly units: number })[] = [
  { units: 12, prompts: 4, seeds: 3 },
  { units: 35, prompts: 7, seeds: 5 },
  { units: 60, prompts: 12, seeds: 5 },
];

/** Four calls at once, so that latencies would have few rounds; of scores every prompt and seed counts. */
export const scoreSettings: readonly Setting[] = (['mean', 'signed_ranks'] as const).flatMap((by) =>
  LAWS.flatMap((law) =>
    SIZES.flatMap(({ units, prompts, seeds }) =>
      DROPS.map(
        ([drop, bars]): Setting => ({
          id: `scores_${units}.${law.code}.${by}.${Math.round(100 * drop)}`,
          part: 'scores',
          what: `${units} cell pairs, ${law.name}, ${by === 'mean' ? "mean with Student's t" : 'signed ranks'}`,
          change: drop === 0 ? 'none' : `${drop === LIMIT ? 'at' : 'three times'} the limit`,
          design: {
            prompts,
            seeds,
            repeats: 1,
            candidates: 1,
            concurrency: 4,
            order: 'paired',
            scored: { range: law.range, by },
          },
          service: PLAIN,
          scores: { law, drop },
          ratio: 1,
          rules: [gateRule(SCORE, { is: 'max_decrease', amount: LIMIT })],
          truth: -drop,
          bars: by === 'mean' ? { ...bars, ...(drop === 0 && units >= 35 ? { fail: { atMost: 0.005 } } : {}) } : {},
        }),
      ),
    ),
  ),
);
