import { speedReaches, throughputReaches } from '../../../analysis/planned-reach.ts';
import { groupBy } from '../../../kit/grouping.ts';
import type { Json } from '../../../kit/json.ts';
import { clipped } from '../../../kit/text-width.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, listed, plural } from '../../../kit/wording.ts';
import { isMeasured, type Slice } from '../../../plan/plan.ts';
import { takesSeed } from '../../../plan/probes.ts';
import type { Phase, Trial } from '../../../plan/trial.ts';
import { sweepSteps } from '../../../report/load-words.ts';
import type { PreparedSuite } from '../../../run/prepare-suite.ts';
import { EMBEDDED } from '../../../targets/origins.ts';
import type { Variant } from '../../../targets/target.ts';
import { costEstimate } from '../../../workflow/confirm-run.ts';
import type { Edge } from '../../../workflow/edge.ts';
import type { PlannedSuite } from '../../../workflow/plan-suite.ts';
import type { PreparedRun } from '../../../workflow/prepare-run.ts';
import { scorersOf, sourcesOf } from '../../../workflow/sources.ts';
import { describeAgainst, leftOutVariants, unaskedPrompts } from '../left-out.ts';
import {
  describeCost,
  describeRequestLimit,
  describeScorers,
  describeSources,
  describeVantages,
} from './describe-cost.ts';
import { describeLoad, describeLooks, describePace, describeProbes, type EarlierCalls } from './describe-load.ts';
import { describeComparisons, describeGate, describeReaches, describeThroughput } from './describe-reach.ts';

/** What `--run`, `--label` and `--vantage` say. */
export interface AskedRun {
  readonly id: string | null;
  readonly label: string | null;
  readonly vantage?: string;
}

interface ShownPlan extends PreparedRun, Pick<PlannedSuite, 'gate'> {
  readonly run: AskedRun;
  /** What a stored baseline adds to what is sent. */
  readonly additions: readonly string[];
  readonly earlier: readonly EarlierCalls[];
  /** From how many places a fleet measures all of it. */
  readonly vantages: number;
}

const SHOWN_SLICES = 3;

/** More variants share a line for each target. */
const MOST_APART = 6;

export function describePlan(shown: ShownPlan, edge: Pick<Edge, 'env' | 'cwd'>): string {
  const { suite, variants, plan } = shown;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const steps = sweepSteps(suite.load);
  const legend = legendOf({ variants, plan });
  const example = trials.find(isMeasured);
  const lines = [
    ...describeSuite(shown),
    '',
    ...describeVariants(variants, trials).map((line) => `  ${line}`),
    ...[
      ...describeAgainst(shown.against, variants),
      ...shown.additions,
      ...leftOutVariants(shown.leftOut),
      ...unaskedPrompts(suite, variants),
    ].map((sentence) => `\n  ${sentence}`),
    '',
    `Requests: ${plan.looks === null ? '' : 'at most '}${count(plan.requests)} (${countsOf(trials)})`,
    ...describeRequestLimit(plan.requests, suite.limits.requests),
    ...withoutSeeds(variants, suite.seeds),
    ...describeProbes(suite.probes, suite.load, plan, shown.skippedProbes),
    ...describeLoad(suite.load, plan, shown.earlier),
    ...describeLooks(plan.looks),
    ...describeCost(costEstimate(shown), suite.limits.usd),
    ...describeVantages(costEstimate(shown), plan.requests, shown.vantages),
    `Plan digest: ${plan.digest}`,
    ...describeSources(sourcesOf(shown, edge), edge.cwd),
    ...listScorers(shown),
    `Intervals of latency, over all prompts of a variant${steps === null ? '' : ` at each of its ${plural(steps.length, 'step')}`}:`,
    ...describeReaches(variants, trials.filter(isMeasured), steps?.length ?? 1),
    ...describeComparisons(speedReaches(variants, { ...plan, load: suite.load }), variants),
    ...describeThroughput(throughputReaches(suite.load, plan), variants),
    ...describeGate(shown.gate, variants),
    '',
    `First slices, each drained before the next begins${example === undefined ? '' : `; prompt/seed#take: ${exampleOf(example)}`}:`,
    ...plan.slices.slice(0, SHOWN_SLICES).map((slice) => `  ${describeSlice(slice)}`),
    ...(plan.slices.length > SHOWN_SLICES
      ? [`  and ${plural(plan.slices.length - SHOWN_SLICES, 'slice')} more; --json prints every trial`]
      : []),
    ...legend.map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

function listScorers(shown: ShownPlan): readonly string[] {
  const scorers = scorersOf(shown);
  if (scorers.length === 0) return [];
  const sends = scorers.some(({ use }) => use === 'judge');
  const head = sends ? 'Scored after measuring:' : 'Scored after measuring, without sending anything:';
  return [head, ...describeScorers(scorers).map((line) => `  ${line}`)];
}

function describeSuite({ suite, variants, run, shard }: ShownPlan): readonly string[] {
  const counts = [
    plural(variants.filter(({ twinOf }) => twinOf === undefined).length, 'variant'),
    plural(suite.cases.length, 'prompt'),
    plural(suite.seeds.length, 'seed'),
    plural(suite.repeats, 'take'),
  ];
  return [
    `Suite ${suite.name}: ${counts.join(', ')}`,
    ...(run.id === null ? [] : [visibleLine(`Run: ${run.id}`)]),
    ...(run.label === null ? [] : [visibleLine(`Label: ${run.label}`)]),
    ...(run.vantage === undefined ? [] : [`Vantage: ${run.vantage}`]),
    ...(shard === null
      ? []
      : [
          `Shard ${shard.index} of ${shard.of} of a plan of ${plural(shard.whole.plan.requests, 'request')}; below is its share`,
        ]),
  ];
}

/** Variants that send no seed, if the suite declares several seeds: all their seeds are one request. */
function withoutSeeds(variants: readonly Variant[], seeds: readonly number[]): readonly string[] {
  const names = variants.filter((variant) => !takesSeed(variant)).map(({ name }) => name);
  const [first, second] = seeds;
  if (names.length === 0 || first === undefined || second === undefined) return [];
  return [
    visibleLine(`Seeds ${first} and ${second} make the same request for ${listed(names)}: the target takes no seed`),
  ];
}

/** `12 takes, 1 warm-up and 24 probes`. */
function countsOf(trials: readonly Trial[]): string {
  const of = (...timings: readonly Phase[]) => trials.filter(({ phase }) => timings.includes(phase)).length;
  const probes = of('probe');
  const measured = plural(trials.filter(isMeasured).length, 'take');
  const warmups = plural(of('warmup'), 'warm-up');
  return probes === 0 ? `${measured} and ${warmups}` : `${measured}, ${warmups} and ${plural(probes, 'probe')}`;
}

/** `fast (text-to-image): reference/text-to-image at embedded:, model fast, 37 requests`. */
function describeVariant({ name, kind, target, baseline, baseUrl, constants }: Variant, requests: number): string {
  const mark = baseline ? ', baseline' : '';
  const parts = [`${target.id} at ${baseUrl}`, ...describeConstants(constants), plural(requests, 'request')];
  return visibleLine(`${name} (${kind}${mark}): ${parts.join(', ')}`);
}

/** Of many, those of one target and kind together: `text-to-image by reference/text-to-image at embedded:, ...`. */
function describeVariants(variants: readonly Variant[], trials: readonly Trial[]): readonly string[] {
  const requests = new Map(variants.map(({ name }) => [name, 0]));
  for (const { variant } of trials) requests.set(variant, (requests.get(variant) ?? 0) + 1);
  const of = ({ name }: Variant) => requests.get(name) ?? 0;
  if (variants.length <= MOST_APART) return variants.map((variant) => describeVariant(variant, of(variant)));
  const groups = groupBy(variants, (variant) =>
    JSON.stringify([variant.kind, variant.target.id, variant.baseUrl, of(variant)]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const sent = `${plural(of(first), 'request')}${group.length === 1 ? '' : ' each'}`;
    const names = group.map(({ name, baseline, constants }) => {
      const said = [...(baseline ? ['baseline'] : []), ...describeConstants(constants)];
      return said.length === 0 ? name : `${name} (${said.join(', ')})`;
    });
    return [visibleLine(`${first.kind}, ${first.target.id} at ${first.baseUrl}, ${sent}: ${names.join(', ')}`)];
  });
}

function describeConstants(constants: Variant['constants']): readonly string[] {
  return Object.entries(constants).flatMap(([constant, value]) =>
    value === null ? [] : [`${constant} ${describeValue(value)}`],
  );
}

const LONGEST_VALUE = 60;

function describeValue(value: Json): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return clipped(text, LONGEST_VALUE);
}

function legendOf({ variants, plan }: Pick<PreparedSuite, 'variants' | 'plan'>): readonly string[] {
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const warmups = [...new Set(trials.filter(({ phase }) => phase === 'warmup').map(({ seed }) => seed))];
  return [
    ...(warmups.length === 0
      ? []
      : [
          `warm-ups use ${warmups.length === 1 ? 'the seed' : 'the seeds'} ${warmups.join(', ')}, which no take uses, so a cached warm-up cannot answer a take`,
        ]),
    ...(variants.some(({ baseUrl }) => baseUrl === EMBEDDED)
      ? [`${EMBEDDED} is the reference service, which a run starts and stops on this machine`]
      : []),
  ];
}

function exampleOf(trial: Trial): string {
  const { prompt, seed, repeat } = trial;
  const asked = `take ${repeat} of the prompt ${visibleLine(prompt)} with seed ${seed ?? 'left out'}`;
  return `${visibleLine(askedOf(trial))} is ${asked}`;
}

function describeSlice(slice: Slice): string {
  const { index, trials } = slice;
  const [first] = trials;
  const variants = [...new Set(trials.map(({ variant }) => variant))].join(', ');
  const asked = trials.map(askedOf);
  const shown = asked.length > 4 ? `${asked.slice(0, 4).join(' ')} and ${asked.length - 4} more` : asked.join(' ');
  const phase = first?.phase === 'warmup' ? ' warm-up' : first?.probe === undefined ? '' : ` ${first.probe.kind} probe`;
  return visibleLine(`${String(index + 1).padStart(3)}  ${variants}${phase}${describePace(slice)}: ${shown}`);
}

/** `fox/1#2`: prompt, seed and take. */
function askedOf({ prompt, seed, repeat, probe }: Trial): string {
  if (probe?.kind === 'cache') return `${prompt}/${probe.role} ${probe.pair}`;
  return `${prompt}/${seed ?? 'no seed'}#${repeat}`;
}
