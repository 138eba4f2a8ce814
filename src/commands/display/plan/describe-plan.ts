import { dirname } from 'node:path';
import { groupBy } from '../../../kit/grouping.ts';
import type { Json } from '../../../kit/json.ts';
import { variantNames } from '../../../kit/names.ts';
import { clipped } from '../../../kit/text-width.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { commandLine, count, listed, plural, usd } from '../../../kit/wording.ts';

import type { CostEstimate } from '../../../plan/estimate.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { takesSeed } from '../../../plan/probes.ts';
import type { Phase, Trial } from '../../../plan/trial.ts';
import type { PreparedSuite } from '../../../run/prepare-suite.ts';
import { shownPath } from '../../../suite/named-file.ts';
import { sweepSteps } from '../../../suite/sweep.ts';
import type { Unbounded } from '../../../targets/cost-bounds.ts';
import { EMBEDDED } from '../../../targets/origins.ts';
import type { Variant } from '../../../targets/target.ts';
import type { PlannedSuite } from '../../../workflow/plan-suite.ts';
import type { PreparedRun } from '../../../workflow/prepare-run.ts';
import { type PlanScorer, type PlanSource, scorersOf, sourcesOf } from '../../../workflow/sources.ts';
import { type Addition, additionWords } from '../../../workflow/stored-additions.ts';
import type { Edge } from '../../edge.ts';
import { describeAgainst, leftOutVariants, unaskedPrompts } from '../left-out.ts';
import { describeHold, plannedHold } from './describe-hold.ts';
import { describeLoad, describeLooks, describeProbes, type EarlierCalls } from './describe-load.ts';
import { costRange, describeGate, type VariantReach, variantTable } from './describe-reach.ts';

/** From `--run`, `--label` and `--vantage`. */
interface AskedRun {
  readonly id: string | null;
  readonly label: string | null;
  readonly vantage?: string;
}

interface ShownPlan extends PreparedRun, Pick<PlannedSuite, 'gate'> {
  readonly run: AskedRun;
  /** What to publish of its claims; null without one. */
  readonly published: string | null;
  readonly additions: readonly Addition[];
  readonly earlier: readonly EarlierCalls[];
  readonly cost: CostEstimate;
  readonly reaches: readonly VariantReach[];
}

export function describePlan(shown: ShownPlan, edge: Pick<Edge, 'env' | 'cwd' | 'out'>): string {
  const { suite, variants, plan, cost } = shown;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const steps = sweepSteps(suite.load)?.length ?? 1;
  const legend = legendOf({ variants });
  const lines = [
    ...describeSuite(shown),
    '',
    ...describeVariants(variants).map((line) => `  ${line}`),
    ...[
      ...describeAgainst(shown.against, variants),
      ...shown.additions.map(additionWords),
      ...leftOutVariants(shown.leftOut),
      ...unaskedPrompts(suite, variants),
    ].map((sentence) => `\n  ${sentence}`),
    '',
    `Requests: ${plan.looks === null ? '' : 'at most '}${count(plan.requests)} (${countsOf(trials)})`,
    ...describeRequestLimit(plan.requests, suite.limits.requests),
    ...withoutSeeds(variants, suite.seeds),
    ...describeProbes(suite.probes, suite.load, plan, shown.skippedProbes),
    ...describeLoad(suite.load, plan, shown.earlier),
    ...describeHold(suite, plannedHold(suite, variants.length, plan)),
    ...describeLooks(plan.looks),
    ...(shown.published === null ? [] : [`Digest to publish before the run: ${shown.published}`]),
    ...describeCost(cost, suite.limits.usd),
    // The same on each machine of a run.
    ...(shown.shard === null ? [] : [`Plan digest: ${plan.digest}`]),
    ...describeSources(sourcesOf(shown, edge), edge.cwd),
    ...listScorers(shown),
    '',
    ...variantTable(shown.reaches, steps, edge.out.width),
    ...describeGate(shown.gate, variants),
    ...(legend.length === 0 ? [] : ['', ...legend]),
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

function describeSuite({ suite, variants, run, shard, plan }: ShownPlan): readonly string[] {
  const own = variants.filter(({ twinOf }) => twinOf === undefined).length;
  const takes = plan.slices.flatMap(({ trials }) => trials).filter(isMeasured).length;
  // Not each variant has each prompt where there are several kinds.
  const isProduct = own * suite.cases.length * suite.seeds.length * suite.repeats === takes;
  const repeats = `${plural(suite.seeds.length, 'seed')}${isProduct ? ' x ' : ', '}${plural(suite.repeats, 'take')}`;
  const counts = [plural(own, 'variant'), plural(suite.cases.length, 'prompt'), repeats];
  const whole = isProduct ? `: ${counts.join(' x ')}` : ` of ${counts.join(', ')} each`;
  return [
    `Suite ${suite.name}: ${plural(takes, 'take')}${whole}`,
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

/** A target without a seed gets the same request for each seed of the suite. */
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

/** `standard (baseline variant), fast (model fast): reference/text-to-image (text-to-image) at embedded:`. */
function describeVariants(variants: readonly Variant[]): readonly string[] {
  const groups = groupBy(variants, ({ kind, target, baseUrl }) => JSON.stringify([kind, target.id, baseUrl]));
  return [...groups.values()].map((group) => {
    const [{ kind, target, baseUrl }] = group;
    const names = group.map(({ name, baseline, constants }) => {
      const details = [...(baseline ? ['baseline variant'] : []), ...describeConstants(constants)];
      return details.length === 0 ? name : `${name} (${details.join(', ')})`;
    });
    return visibleLine(`${names.join(', ')}: ${target.id} (${kind}) at ${baseUrl}`);
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

function legendOf({ variants }: Pick<PreparedSuite, 'variants'>): readonly string[] {
  return variants.some(({ baseUrl }) => baseUrl === EMBEDDED)
    ? [`${EMBEDDED} is the reference service, which a run starts and stops on this machine`]
    : [];
}

function describeCost({ variants, ...all }: CostEstimate, limitUsd: number | null): readonly string[] {
  const priced = variants.filter((variant) => !('unknown' in variant));
  const unknown = variants.length - priced.length;
  const whole =
    priced.length === 0 ? 'unknown' : `${costRange(all)} by the declared prices, if each request is sent once`;
  const without = unknown === 0 || priced.length === 0 ? '' : `; without ${plural(unknown, 'variant')} of unknown cost`;
  const stops =
    limitUsd !== null && all.mostUsd > limitUsd
      ? [`  limits.usd (${usd(limitUsd)}) may stop the run before the end of the plan`]
      : [];
  const reasons = groupBy(
    variants.flatMap((variant) => ('unknown' in variant ? [variant] : [])),
    (variant) => UNKNOWN[variant.unknown],
  );
  const why = [...reasons].map(([reason, alike]) => {
    const names = alike.map(({ variant }) => variant);
    return visibleLine(`  ${variantNames(names, variants.length)}: unknown: ${reason}`);
  });
  return [`Cost: ${whole}${without}`, ...why, ...stops];
}

const UNKNOWN: Readonly<Record<Unbounded, string>> = {
  no_price: 'no price is declared',
  no_output_count: 'one reply may hold several outputs, and the price has no most',
  no_seconds: 'nothing limits the seconds',
  wrong_most: 'the units of a request are not a number above 0, at most 1e15',
};

function describeRequestLimit(requests: number, limit: number | null): readonly string[] {
  if (limit === null || limit >= requests) return [];
  const stops = `  limits.requests is ${count(limit)}: the run stops before the other ${count(requests - limit)}`;
  return [`${stops}; to send all, add --set limits.requests=${requests}`];
}

function describeSources(sources: readonly PlanSource[], cwd: string): readonly string[] {
  const variables = sources.filter(({ kind }) => kind !== 'file');
  const files = sources.filter(({ kind }) => kind === 'file');
  const lines = [
    ...variables.map(({ kind, name, set, to }) => line(`${name} (${kind}${set === true ? '' : ', not set'})`, to)),
    ...byFolder(files, cwd),
  ];
  return lines.length === 0 ? [] : ['Taken from the environment and from files, and where each may be sent:', ...lines];
}

function line(name: string, to: PlanSource['to']): string {
  const origins = to.map((origin) => (origin === '*' ? 'any origin' : origin));
  return `  ${visibleLine(`${name}: ${origins.join(', ')}`)}`;
}

const MANY = 6;

function byFolder(files: readonly PlanSource[], cwd: string): readonly string[] {
  // Files of one folder may go to different origins.
  const folders = groupBy(files, ({ name, to }) => [dirname(name), ...to].join('\n'));
  return [...folders.values()].flatMap((together) => {
    const [first] = together;
    if (together.length < MANY) return together.map(({ name, to }) => line(shownPath(name, cwd), to));
    const folder = shownPath(dirname(first.name), cwd);
    return [line(`${folder} (${plural(together.length, 'file')})`, first.to)];
  });
}

export function describeScorers(scorers: readonly PlanScorer[]): readonly string[] {
  return scorers.map((scorer) => visibleLine(`scorer ${scorer.name} ${describeScorer(scorer)}`));
}

function describeScorer(scorer: PlanScorer): string {
  switch (scorer.use) {
    case 'command': {
      const { command, env, mostOutputs } = scorer;
      const gets = env.length === 0 ? '' : `, with ${listed(env)}`;
      const outputs = plural(mostOutputs, 'output');
      return `starts ${commandLine(command)}${gets}, for at most ${outputs}; a run needs --allow-commands`;
    }
    case 'file':
      return `takes values from a file, for at most ${plural(scorer.mostOutputs, 'output')}: retake score RUN --from FILE.csv`;
    case 'judge': {
      const { target, mostPairs, requests, allowedRequests, mostUsd, to } = scorer;
      const cost = mostUsd === null ? 'of unknown cost' : mostUsd === 0 ? 'at no cost' : usd(mostUsd);
      const pairs = `${plural(mostPairs, 'pair')} in both orders, and copies that are known to be worse`;
      const sends = `is a judge (${target}): sends prompts, input images and outputs to ${listed(to)}`;
      if (allowedRequests >= requests)
        return `${sends}; ${plural(requests, 'request')} if each is sent once (${pairs}), ${cost}`;
      return `${sends}; its limits allow ${count(allowedRequests)} of ${plural(requests, 'request')} (${pairs}), ${cost}: some pairs stay unjudged`;
    }
  }
}
