import type { AskedLooks } from '../../../src/plan/recorded-plan.ts';
import type { GateRule } from '../../../src/suite/rule.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import type { Design } from './experiment.ts';
import { type JudgeLaw, judgeSettings } from './judges.ts';
import { type ScoreLaw, scoreSettings } from './scores.ts';
import { PLAIN, type Service } from './service.ts';
import { type VoteLaw, voteSettings } from './votes.ts';

/** What a share shall be; both ends belong to it. */
export interface Bar {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What is counted in the runs of a setting, as shares of them. */
export type Counted = 'fail' | 'pass' | 'inconclusive' | 'controlFailed' | 'covered';

/** A design, a service and a gate, simulated many times. */
export interface Setting {
  /** The same on every machine and in every version: its random numbers follow from it. */
  readonly id: string;
  readonly part: Part;
  /** The service, in short. */
  readonly what: string;
  /** What is true of the candidate. */
  readonly change: string;
  readonly design: Design;
  readonly service: Service;
  /** What outputs are scored, and how much lower the candidate's true mean is; left out: latencies are drawn. */
  readonly scores?: { readonly law: ScoreLaw; readonly drop: number };
  /** Who votes, and how many more pairs the candidate truly loses than wins; left out: nobody does. */
  readonly votes?: { readonly law: VoteLaw; readonly netLoss: number };
  /** Who judges, and how many more pairs the candidate loses than wins by it; left out: nobody does. */
  readonly judge?: { readonly law: JudgeLaw; readonly netLoss: number };
  /** How many times as long a candidate's calls take. */
  readonly ratio: number;
  readonly rules: readonly GateRule[];
  /** What the interval of a comparison shall contain; null where nothing is compared, or no number is true. */
  readonly truth: number | null;
  readonly bars: Readonly<Partial<Record<Counted, Bar>>>;
}

export const PARTS = [
  'latency',
  'rounds',
  'failures',
  'drift',
  'sweeps',
  'rates',
  'clustered-rates',
  'many-rules',
  'looks',
  'scores',
  'votes',
  'judges',
] as const;
export type Part = (typeof PARTS)[number];

const DESIGN: Design = { prompts: 7, seeds: 5, repeats: 3, candidates: 1, concurrency: 1, order: 'paired' };
const SMALL: Design = { ...DESIGN, prompts: 4, seeds: 3 };
const AT_FOUR: Design = { ...DESIGN, concurrency: 4 };

const LATENCY = [gateRule('latency.total', { is: 'max_increase', share: 0.05 })];

const SERVICES: readonly { readonly code: string; readonly name: string; readonly service: Service }[] = [
  { code: 'lognormal', name: 'lognormal', service: PLAIN },
  { code: 'slow_calls', name: '5 % of calls x 3', service: { ...PLAIN, slowCalls: 0.05 } },
  { code: 'by_prompt', name: 'change differs by prompt', service: { ...PLAIN, byPrompt: 0.1 } },
];

const INTERVAL: Bar = { atLeast: 0.94, atMost: 0.97 };

/** By how much longer the candidate's calls take, with the bars of 35 units. */
const OF_35: readonly (readonly [number, Setting['bars']])[] = [
  [0, { fail: { atMost: 0.005 }, pass: { atLeast: 0.95 } }],
  [0.05, { fail: { atMost: 0.055 } }],
  [0.15, { pass: { atMost: 0.055 } }],
  [0.2, { fail: { atLeast: 0.95 } }],
];

const OF_12: typeof OF_35 = [
  [0, { fail: { atMost: 0.003 }, pass: { atLeast: 0.85 } }],
  [0.05, { fail: { atMost: 0.053 } }],
  [0.2, { fail: { atLeast: 0.88 } }],
];

const OF_ROUNDS: typeof OF_35 = [
  [0, {}],
  [0.05, { fail: { atMost: 0.055 } }],
  [0.2, {}],
];

/** In percent. */
function points(share: number): number {
  return Math.round(100 * share);
}

function longer(share: number): Pick<Setting, 'change' | 'ratio' | 'truth'> {
  const change = share === 0 ? 'none' : `+${points(share)} %`;
  return { change, ratio: 1 + share, truth: 1 + share };
}

const latency: readonly Setting[] = [
  { units: 35, design: DESIGN, changes: OF_35 },
  { units: 12, design: SMALL, changes: OF_12 },
].flatMap(({ units, design, changes }) =>
  SERVICES.flatMap(({ code, name, service }) =>
    changes.map(
      ([share, bars]): Setting => ({
        id: `cells_${units}.${code}.${points(share)}`,
        part: 'latency',
        what: `${units} cell pairs, ${name}`,
        ...longer(share),
        design,
        service,
        rules: LATENCY,
        bars: { ...bars, covered: INTERVAL },
      }),
    ),
  ),
);

const rounds: readonly Setting[] = [0.05, 0.1].flatMap((bySlice) =>
  OF_ROUNDS.map(
    ([share, bars]): Setting => ({
      id: `rounds_15.by_slice_${points(bySlice)}.${points(share)}`,
      part: 'rounds',
      what: `15 rounds at concurrency 4, slices vary by ${points(bySlice)} %`,
      ...longer(share),
      design: AT_FOUR,
      service: { ...PLAIN, bySlice },
      rules: LATENCY,
      bars: { ...bars, covered: { atLeast: 0.94 } },
    }),
  ),
);

const failures: readonly Setting[] = [
  ...[
    { units: 35, design: DESIGN, changes: OF_35 },
    { units: 12, design: SMALL, changes: OF_12 },
  ].flatMap(({ units, design, changes }) =>
    changes.map(
      ([share, bars]): Setting => ({
        id: `cells_${units}.errors_2.${points(share)}`,
        part: 'failures',
        what: `${units} cell pairs, 2 % of calls fail on both sides`,
        ...longer(share),
        design,
        service: { ...PLAIN, errors: { baseline: 0.02, candidate: 0.02 } },
        rules: LATENCY,
        bars: { ...bars, covered: INTERVAL },
      }),
    ),
  ),
  ...[
    { units: 35, design: DESIGN },
    { units: 12, design: SMALL },
  ].map(
    ({ units, design }): Setting => ({
      id: `cells_${units}.hanging_30.0`,
      part: 'failures',
      what: `${units} cell pairs, lognormal`,
      change: '30 % of its calls hang',
      ratio: 1,
      truth: null,
      design,
      service: { ...PLAIN, hanging: 0.3 },
      rules: LATENCY,
      bars: { pass: { atMost: 0.055 } },
    }),
  ),
];

const drift: readonly Setting[] = (['walk', 'step'] as const).flatMap((kind) =>
  (['paired', 'sequential'] as const).map(
    (order): Setting => ({
      id: `cells_35.drift_${kind}_${order}.0`,
      part: 'drift',
      what: `35 cell pairs, ${kind === 'walk' ? 'random walk to 10 %' : 'x 1.2 from a random moment on'}, ${order}`,
      ...longer(0),
      design: { ...DESIGN, order },
      service: { ...PLAIN, drift: kind },
      rules: LATENCY,
      bars: order === 'paired' ? { fail: { atMost: 0.005 } } : {},
    }),
  ),
);

/** Equal variants: a pass of one at a step, and so its slice, is slower or faster than others as a whole. */
const sweeps: readonly Setting[] = [
  { cells: 160, repeats: 2 },
  { cells: 320, repeats: 6 },
].flatMap(({ cells, repeats }) =>
  [0.01, 0.02, 0.05].map(
    (bySlice): Setting => ({
      id: `sweep_${cells}x${repeats}.by_slice_${points(bySlice)}.0`,
      part: 'sweeps',
      what: `step 1 of a sweep, ${cells} cells x ${repeats}, passes vary by ${points(bySlice)} %`,
      ...longer(0),
      design: { ...DESIGN, prompts: 1, seeds: cells, repeats, steps: [1, 4] },
      service: { ...PLAIN, bySlice },
      rules: [],
      bars: { fail: { atMost: 0.05 } },
    }),
  ),
);

function failing(baseline: number, candidate: number): Service {
  return { ...PLAIN, errors: { baseline, candidate } };
}

const RISE = [gateRule('error_rate', { is: 'max_rise', share: 0.05 })];

const RISES: readonly (readonly [number, number, Setting['bars']])[] = [
  [0, 0, {}],
  [0.02, 0.02, {}],
  [0.02, 0.07, { fail: { atMost: 0.055 } }],
  [0.02, 0.17, { pass: { atMost: 0.055 } }],
  [0.02, 0.27, {}],
];

const AT_MOST_20 = [gateRule('error_rate', { is: 'max', value: 0.2 })];

const BOUNDS: readonly (readonly [number, Setting['bars']])[] = [
  [0, {}],
  [0.02, {}],
  [0.2, { fail: { atMost: 0.05 }, pass: { atMost: 0.05 } }],
  [0.5, {}],
];

const rates: readonly Setting[] = [
  ...[
    { code: 'blocks_105', what: 'max_rise 5 points, 105 blocks', design: DESIGN },
    { code: 'rounds_15', what: 'max_rise 5 points, 15 rounds at concurrency 4', design: AT_FOUR },
  ].flatMap(({ code, what, design }) =>
    RISES.map(
      ([baseline, candidate, bars]): Setting => ({
        id: `${code}.rise_from_${points(baseline)}.${points(candidate)}`,
        part: 'rates',
        what,
        change: `${points(baseline)} to ${points(candidate)} % fail`,
        design,
        service: failing(baseline, candidate),
        ratio: 1,
        rules: RISE,
        truth: candidate - baseline,
        bars,
      }),
    ),
  ),
  ...BOUNDS.map(
    ([rate, bars]): Setting => ({
      id: `takes_36.max_20.${points(rate)}`,
      part: 'rates',
      what: 'max 20 %, 36 takes',
      change: `${points(rate)} % fail`,
      // One variant: a bound is about each.
      design: { ...SMALL, candidates: 0 },
      service: failing(rate, rate),
      ratio: 1,
      rules: AT_MOST_20,
      truth: null,
      bars,
    }),
  ),
];

/** Rises of 5 points, which is the limit, and others. */
const CLUSTERED_RISES: typeof RISES = [
  [0, 0.01, {}],
  [0, 0.05, { fail: { atMost: 0.055 } }],
  [0.02, 0.02, {}],
  [0.02, 0.07, { fail: { atMost: 0.055 } }],
  [0.1, 0.15, { fail: { atMost: 0.055 } }],
  [0.02, 0.17, { pass: { atMost: 0.055 } }],
];

/** Rounds of 8 blocks, whose calls fail alike within a slice. */
const clusteredRates: readonly Setting[] = [15, 30, 60, 120].flatMap((count) =>
  [0, 0.05, 0.15].flatMap((errorsAlike) =>
    CLUSTERED_RISES.map(
      ([baseline, candidate, bars]): Setting => ({
        id: `rounds_${count}.alike_${points(errorsAlike)}.rise_from_${points(baseline)}.${points(candidate)}`,
        part: 'clustered-rates',
        what: `max_rise 5 points, ${count} rounds of 8, calls of a slice fail alike: ${errorsAlike}`,
        change: `${points(baseline)} to ${points(candidate)} % fail`,
        design: { ...AT_FOUR, prompts: 8, repeats: count / 5 },
        service: { ...failing(baseline, candidate), errorsAlike },
        ratio: 1,
        rules: RISE,
        truth: candidate - baseline,
        bars: { ...bars, covered: { atLeast: 0.94 } },
      }),
    ),
  ),
);

const manyRules: readonly Setting[] = [
  {
    id: 'cells_35.twenty_comparisons.0',
    part: 'many-rules',
    what: '20 comparisons of 35 cell pairs, lognormal',
    ...longer(0),
    design: { ...DESIGN, candidates: 20 },
    service: PLAIN,
    rules: LATENCY,
    truth: null,
    bars: { fail: { atMost: 0.005 } },
  },
];

/** Looked at once, confirmed, and until decided; of 12 case-seeds there are no two parts. */
const LOOKS: readonly (readonly [AskedLooks | null, name: string, fewest: number])[] = [
  [null, 'decided once', 0],
  ['confirm', '--confirm', 0],
  ['until_decided', '--until-decided', 16],
];

const LOOKED: readonly {
  readonly code: string;
  readonly units: string;
  readonly design: Design;
  readonly service: Service;
  readonly size: number;
}[] = [
  ...[
    { size: 12, design: SMALL },
    { size: 35, design: DESIGN },
    { size: 40, design: { ...DESIGN, prompts: 8 } },
  ].map(({ size, design }) => ({ code: `cells_${size}`, units: `${size} cell pairs`, design, service: PLAIN, size })),
  {
    code: 'cells_40.by_prompt',
    units: '40 cell pairs, change differs by prompt',
    design: { ...DESIGN, prompts: 8 },
    service: { ...PLAIN, byPrompt: 0.1 },
    size: 40,
  },
  {
    code: 'rounds_40.by_slice_10',
    units: '40 cell pairs at concurrency 4, slices vary by 10 %',
    design: { ...AT_FOUR, prompts: 8 },
    service: { ...PLAIN, bySlice: 0.1 },
    size: 40,
  },
];

/** At most 1 in 20 may fail at the limit, however often the gate is looked at, and pass at three times the limit. */
const OF_LOOKS: typeof OF_35 = [
  [0, {}],
  [0.05, { fail: { atMost: 0.055 } }],
  [0.15, { pass: { atMost: 0.055 } }],
  [0.2, {}],
];

const looks: readonly Setting[] = LOOKED.flatMap(({ code, units, design, service, size }) =>
  LOOKS.filter(([, , fewest]) => size >= fewest).flatMap(([kind, name]) =>
    OF_LOOKS.map(
      ([share, bars]): Setting => ({
        id: `looks.${code}.${kind ?? 'once'}.${points(share)}`,
        part: 'looks',
        what: `${units}, ${name}`,
        ...longer(share),
        // The interval of a look that was chosen by what it says contains the truth less often: it is no bar.
        truth: null,
        design: kind === null ? design : { ...design, looks: kind },
        service,
        rules: LATENCY,
        bars,
      }),
    ),
  ),
);

/** Every setting, in the order of the table. */
export const SETTINGS: readonly Setting[] = [
  ...latency,
  ...rounds,
  ...failures,
  ...drift,
  ...sweeps,
  ...rates,
  ...clusteredRates,
  ...manyRules,
  ...looks,
  ...scoreSettings,
  ...voteSettings,
  ...judgeSettings,
];
