import { compareRun } from '../../../src/analysis/compare.ts';
import type { Comparison } from '../../../src/analysis/comparison.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { indexTakes } from '../../../src/analysis/take-index.ts';
import { tellsApart } from '../../../src/report/comparison-statement.ts';
import { createRandom } from '../../../src/statistics/random.ts';
import { drawNormal } from '../../fixtures/simulated-service.ts';
import { buildStoredRun, buildTrial, digestOf } from '../../fixtures/stored-run-builder.ts';
import { shareOf } from './table.ts';
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

/** The spread of ln latency for a coefficient of variation of 15 %. */
const CALL_SPREAD = Math.sqrt(Math.log1p(0.15 * 0.15));

/** Draws so many runs. The same count gives the same tally. */
export function simulateFamily(setting: FamilySetting, runs: number): FamilyTally {
  const { candidates, pairs, differ, ratio } = setting;
  const random = createRandom(Number.parseInt(digestOf(JSON.stringify(setting)).slice(0, 12), 16));
  const names = ['baseline', ...Array.from({ length: candidates }, (_, at) => `candidate-${at + 1}`)];
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
  const variants = run.variants.map((each) => ({ ...each, outcomes: {}, missing: 0, spend: null, abandoned: null }));
  const metrics = METRICS.filter(({ name }) => name === 'latency.total');
  const tally = { falseRuns: { finding: 0, interval: 0 }, found: { finding: 0, interval: 0 } };
  for (let at = 0; at < runs; at += 1) {
    const trials = makers.map(({ variant, make }) =>
      make(2000 * (differing.has(variant) ? ratio : 1) * Math.exp(CALL_SPREAD * drawNormal(random))),
    );
    const { prompts, plan } = run;
    const input = {
      variants,
      prompts,
      load: plan.load,
      takes: indexTakes(trials),
      metrics,
      measures: [],
      floorMs: null,
      baselineRun: null,
    };
    const compared = compareRun(input);
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
  const rows = FAMILY_SETTINGS.map((setting) => {
    const { candidates, pairs, differ, ratio } = setting;
    const { falseRuns, found } = simulateFamily(setting, runs);
    const which = differ === 0 ? 'none differs' : differ === candidates ? 'all' : `${differ} of ${candidates}`;
    const truth = differ === 0 ? which : `${which}: +${Math.round(100 * (ratio - 1))} %`;
    const wrong = (by: keyof Told) => (differ === candidates ? '' : shareOf(falseRuns[by], runs));
    // Candidates of one run share its baseline takes: shares of all count each run once.
    const right = (by: keyof Told) => (differ === 0 ? '' : shareOf(Math.round(found[by] / differ), runs));
    const cells = [candidates, pairs, truth, wrong('finding'), wrong('interval'), right('finding'), right('interval')];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| candidates | pairs of takes | truth | an equal one is told apart | by its interval alone | one that differs is found | by its interval alone |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
