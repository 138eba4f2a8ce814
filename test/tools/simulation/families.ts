import type { Comparison } from '../../../src/analysis/comparison.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { tellsApart } from '../../../src/report/comparison-statement.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { buildStoredRun, buildTrial } from '../../fixtures/stored-run-builder.ts';
import { comparisonsOf, variantsOf } from './experiment.ts';
import { seedOf } from './seed.ts';
import { CALL_SPREAD } from './service.ts';
import { markdownTable, shareOf } from './table.ts';
import { samplesOf } from './timed-takes.ts';

/*
 * Several candidates beside one baseline variant, at concurrency 1: how often a sentence calls an equal one faster or
 * slower, and how often one that differs; beside it what each interval says by itself.
 */

/** What is sent, and what is true of the candidates. */
interface FamilySetting {
  readonly candidates: number;
  /** Pairs of takes of each candidate and the baseline variant. */
  readonly pairs: number;
  /** How many candidates differ; the others equal the baseline variant. */
  readonly differ: number;
  /** How many times as long their calls take. */
  readonly ratio: number;
}

/** A report of 2, 3, 11 and 19 variants. */
const SIZES = [1, 2, 10, 18];

const FAMILY_SETTINGS: readonly FamilySetting[] = SIZES.flatMap((candidates) =>
  [12, 36].flatMap((pairs) => [
    { candidates, pairs, differ: 0, ratio: 1 },
    ...[...new Set([1, candidates])].map((differ) => ({ candidates, pairs, differ, ratio: 1.2 })),
  ]),
);

/** By what a difference is told: the finding, which sentences follow, or the interval alone, as of one candidate. */
type Told = Readonly<Record<'finding' | 'interval', number>>;

interface FamilyTally {
  readonly runs: number;
  /** Runs in which a candidate that equals the baseline variant is told apart from it. */
  readonly falseRuns: Told;
  /** Of the candidates that differ, how many are told apart, over all runs. */
  readonly found: Told;
}

/** Draws so many runs. The same count gives the same tally. */
export function simulateFamily(setting: FamilySetting, runs: number): FamilyTally {
  const { candidates, pairs, differ, ratio } = setting;
  const random = createRandom(seedOf(JSON.stringify(setting)));
  const names = variantsOf({ candidates });
  const differing = new Set(names.slice(1, 1 + differ));
  const makers = Array.from({ length: pairs }, (_, seed) =>
    names.map((variant, at) => ({
      variant,
      make: samplesOf(buildTrial({ variant, prompt: 'prompt', seed: seed + 1, repeat: 1 }), seed * names.length + at)
        .ok,
    })),
  ).flat();
  const { run } = buildStoredRun({
    variants: names.map((name) => ({ name, plannedTrials: 0 })),
    prompts: ['prompt'],
    repeats: 1,
    load: { concurrency: 1 },
    samples: [],
  });
  const metrics = METRICS.filter(({ name }) => name === 'latency.total');
  const tally = { falseRuns: { finding: 0, interval: 0 }, found: { finding: 0, interval: 0 } };
  for (let at = 0; at < runs; at += 1) {
    const trials = makers.map(({ variant, make }) =>
      make(2000 * (differing.has(variant) ? ratio : 1) * Math.exp(CALL_SPREAD * drawNormal(random))),
    );
    const compared = comparisonsOf(run, trials, metrics);
    for (const [by, isTold] of RULES) {
      tally.falseRuns[by] += Number(compared.some((each) => !differing.has(each.variant) && isTold(each)));
      tally.found[by] += compared.filter((each) => differing.has(each.variant) && isTold(each)).length;
    }
  }
  return { runs, ...tally };
}

const RULES: readonly (readonly [keyof Told, (comparison: Comparison) => boolean])[] = [
  ['finding', tellsApart],
  ['interval', ({ ciLow, ciHigh }) => (ciLow !== null && ciLow > 1) || (ciHigh !== null && ciHigh < 1)],
];

/** A Markdown table: shares in percent with their Monte Carlo error (95 %). */
export function familyTable(runs: number): string {
  const rows = FAMILY_SETTINGS.map((setting) => ({ ...setting, ...simulateFamily(setting, runs) }));
  type Row = (typeof rows)[number];
  const wrong =
    (by: keyof Told) =>
    ({ differ, candidates, falseRuns }: Row) =>
      differ === candidates ? '' : shareOf(falseRuns[by], runs);
  // Candidates of one run share its baseline takes: shares of all count each run once.
  const right =
    (by: keyof Told) =>
    ({ differ, found }: Row) =>
      differ === 0 ? '' : shareOf(Math.round(found[by] / differ), runs);
  return markdownTable(rows, [
    ['candidates', ({ candidates }) => candidates],
    ['pairs of takes', ({ pairs }) => pairs],
    ['truth', truthOf],
    ['an equal one is told apart', wrong('finding')],
    ['by its interval alone', wrong('interval')],
    ['one that differs is found', right('finding')],
    ['by its interval alone', right('interval')],
  ]);
}

function truthOf({ candidates, differ, ratio }: FamilySetting): string {
  if (differ === 0) return 'none differs';
  return `${differ === candidates ? 'all' : `${differ} of ${candidates}`}: +${Math.round(100 * (ratio - 1))} %`;
}
