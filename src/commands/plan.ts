import { resolve } from 'node:path';
import { isMeasured, type Plan, type Slice } from '../plan/plan.ts';
import { takesSeed } from '../plan/probes/probe-limits.ts';
import type { Phase, Trial } from '../plan/trial.ts';
import type { PreparedSuite } from '../prepare/prepare-suite.ts';
import type { HistoryLine } from '../record/model/history-line.ts';
import { salvageHistory } from '../record/read-record.ts';
import { sweepSteps } from '../report/words/run/load-words.ts';
import type { Json } from '../suite/document/json.ts';
import { EMBEDDED, type Variant } from '../targets/model/target.ts';
import { clipped } from '../text/text-width.ts';
import { visibleLine } from '../text/visible.ts';
import { count, listed, plural } from '../text/wording.ts';
import { describeAgainst } from './display/describe/describe-against.ts';
import { describeCost } from './display/describe/describe-cost.ts';
import { describeGate } from './display/describe/describe-gate.ts';
import { describeReaches } from './display/describe/describe-latency-reach.ts';
import { describeLoad, describePace } from './display/describe/describe-load.ts';
import { describeLooks } from './display/describe/describe-looks.ts';
import { describeSent } from './display/describe/describe-message.ts';
import { describeProbes } from './display/describe/describe-probes.ts';
import { describeRequestLimit } from './display/describe/describe-request-limit.ts';
import { describeSources } from './display/describe/describe-sources.ts';
import { describeThroughput } from './display/describe/describe-throughput.ts';
import { type PlannedRequest, plannedRequests } from './display/describe/planned-requests.ts';
import { leftOutVariants, printDiagnostics, printWarnings, unaskedPrompts } from './display/print.ts';
import { type Edge, EXIT, type ExitCode, printText } from './edge.ts';
import { chooseLooks, type LookArguments } from './setup/plan/choose-looks.ts';
import { costEstimate } from './setup/plan/confirm-cost.ts';
import { describeAdditions } from './setup/plan/confirm-origins.ts';
import { type PlannedSuite, planSuite } from './setup/plan/plan-suite.ts';
import { type NewRunArguments, readNewRun } from './setup/plan/run-arguments.ts';
import { sourcesOf } from './setup/plan/sources.ts';
import { type PreparedRun, readShard, takeShare } from './setup/plan/take-share.ts';
import { throughputReaches } from './setup/plan/throughput-reach.ts';
import { withoutQuery } from './setup/run-header.ts';

export interface PlanArguments extends LookArguments {
  readonly suite: string;
  readonly set: readonly string[];
  readonly json: boolean;
  readonly bodies: boolean;
  /** The folder of all results, with earlier runs of the suite. */
  readonly out?: string | undefined;
  /** The file of a stored baseline whose variants are sent again. */
  readonly against?: string | undefined;
  /** Whether the suite may name files outside its folder. */
  readonly allowOutside?: boolean | undefined;
  /** Origins for what only a stored baseline asks for. */
  readonly allowOrigin?: readonly string[] | undefined;
}

/** `retake run --dry-run`: shows the plan of a run, with the run's own options. Sends nothing. */
export async function dryRunCommand(
  args: Omit<PlanArguments, 'bodies'> & NewRunArguments,
  edge: Edge,
): Promise<ExitCode> {
  const asked = readNewRun(args);
  if (!asked.ok) return printDiagnostics(edge, asked.diagnostics);
  const { named, label } = asked.value;
  return showPlan({ ...args, bodies: false }, { id: named.run, label }, edge);
}

interface AskedRun {
  readonly id: string | null;
  readonly label: string | null;
}

/** `retake plan`: what a run of the suite, or a shard, would send, and what it could show. Sends nothing. */
export function planCommand(args: PlanArguments, edge: Edge): Promise<ExitCode> {
  return showPlan(args, { id: null, label: null }, edge);
}

async function showPlan(args: PlanArguments, run: AskedRun, edge: Edge): Promise<ExitCode> {
  const { suite, json, bodies, shard } = args;
  const read = readShard(shard);
  if (!read.ok) return printDiagnostics(edge, read.diagnostics);
  const looks = chooseLooks(args);
  if (!looks.ok) return printDiagnostics(edge, looks.diagnostics);
  const whole = await planSuite(suite, args, edge, { looks: looks.value });
  if (!whole.ok) return printDiagnostics(edge, whole.diagnostics);
  printWarnings(edge, whole.warnings);
  const prepared = takeShare(whole.value, read.value);
  if (!prepared.ok) return printDiagnostics(edge, prepared.diagnostics);
  const additions = describeAdditions(prepared.value, args.allowOrigin ?? [], edge);
  if (!additions.ok) return printDiagnostics(edge, additions.diagnostics);
  const { plan, variants } = prepared.value;
  const { cases, seeds, limits, load } = prepared.value.suite;
  const requests = bodies ? plannedRequests(variants, cases, seeds) : [];
  if (json) {
    for (const request of requests) edge.out.write(`${JSON.stringify(request)}\n`);
    if (run.id !== null || run.label !== null) edge.out.write(`${JSON.stringify({ run })}\n`);
    for (const line of planLines(plan)) edge.out.write(line);
    for (const throughput of throughputReaches(load, plan)) edge.out.write(`${JSON.stringify({ throughput })}\n`);
    for (const source of sourcesOf(prepared.value, edge)) {
      edge.out.write(`${JSON.stringify({ source })}\n`);
    }
    edge.out.write(`${JSON.stringify({ cost: { ...costEstimate(prepared.value), limitUsd: limits.usd } })}\n`);
  } else {
    const folder = resolve(edge.cwd, args.out ?? 'results', whole.value.suite.name);
    const lines = salvageHistory(folder);
    const gate = await gateByHistory(whole.value, folder, lines);
    printText(edge.out, describePlan({ ...prepared.value, gate, lines, run, additions: additions.value }, edge));
    for (const request of requests) edge.out.write(describePlanned(request));
  }
  return EXIT.ok;
}

function* planLines({ slices }: Plan): Iterable<string> {
  for (const { index, trials, pace } of slices) {
    for (const [at, trial] of trials.entries()) {
      const due = pace.mode === 'open' ? { dueMs: pace.startsMs[at] } : {};
      yield `${JSON.stringify({ slice: index, ...shown(trial), ...due })}\n`;
    }
  }
}

function shown(trial: Trial): Omit<Trial, 'seed' | 'requestDigest'> {
  if (trial.probe?.kind !== 'cache') return trial;
  const { seed: _seed, requestDigest: _digest, ...same } = trial;
  return same;
}

const SHOWN_SLICES = 8;

/** What the gate could find, with earlier runs for the rules about them. */
async function gateByHistory(
  { gate, suite, plan, variants }: PlannedSuite,
  folder: string,
  lines: readonly HistoryLine[],
): Promise<PlannedSuite['gate']> {
  if (!gate.some(({ reach }) => reach.can === 'decide_runs')) return gate;
  const [{ withEarlierRuns }, { linesSinceBaseline }] = await Promise.all([
    import('../compare/gate/planning/plan-gate.ts'),
    import('./setup/history/load-history.ts'),
  ]);
  const since = await linesSinceBaseline(folder, lines);
  const recorded = variants.map(({ name, baseUrl }) => ({ name, baseUrl: withoutQuery(baseUrl) }));
  return withEarlierRuns(
    gate,
    { plan: { ...plan, load: suite.load }, variants: recorded },
    since.ok ? since.value : lines,
  );
}

interface ShownPlan {
  readonly run: AskedRun;
  /** What a stored baseline adds to what is sent. */
  readonly additions: readonly string[];
  readonly lines: readonly HistoryLine[];
}

function describePlan(
  {
    suite,
    variants,
    against,
    leftOut,
    plan,
    gate,
    skippedProbes,
    shard,
    lines: earlier,
    run,
    additions,
  }: PreparedRun & Pick<PlannedSuite, 'gate'> & ShownPlan,
  edge: Edge,
): string {
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const measured = trials.filter(isMeasured);
  const steps = sweepSteps(suite.load);
  const legend = legendOf({ variants, plan });
  const requestLimit = describeRequestLimit(plan.requests, suite.limits.requests);
  const lines = [
    `Suite ${suite.name}: ${[
      plural(variants.filter(({ twinOf }) => twinOf === undefined).length, 'variant'),
      plural(suite.cases.length, 'prompt'),
      plural(suite.seeds.length, 'seed'),
      plural(suite.repeats, 'take'),
    ].join(', ')}`,
    ...(run.id === null ? [] : [visibleLine(`Run: ${run.id}`)]),
    ...(run.label === null ? [] : [visibleLine(`Label: ${run.label}`)]),
    ...(shard === null
      ? []
      : [
          `Shard ${shard.index} of ${shard.of} of a plan of ${plural(shard.whole.plan.requests, 'request')}; below is its share`,
        ]),
    '',
    ...variants.map(
      (variant) => `  ${describeVariant(variant, trials.filter(({ variant: name }) => name === variant.name).length)}`,
    ),
    ...[
      ...describeAgainst(against, variants),
      ...additions,
      ...leftOutVariants(leftOut),
      ...unaskedPrompts(suite, variants),
    ].map((sentence) => `\n  ${sentence}`),
    '',
    `Requests: ${plan.looks === null ? '' : 'at most '}${count(plan.requests)} (${countsOf(trials)})`,
    ...(requestLimit === null ? [] : [`  ${requestLimit}`]),
    ...withoutSeeds(variants, suite.seeds),
    ...describeProbes(suite.probes, suite.load, plan, skippedProbes),
    ...describeLoad(suite.load, plan, earlier),
    ...describeLooks(plan.looks),
    ...describeCost(costEstimate({ suite, variants, plan }), suite.limits.usd),
    `Plan digest: ${plan.digest}`,
    ...describeSources(sourcesOf({ suite, variants, against }, edge), edge.cwd),
    '',
    `Intervals of latency, over all prompts of a variant${steps === null ? '' : ` at each of its ${plural(steps.length, 'step')}`}:`,
    ...describeReaches(variants, measured, steps?.length ?? 1),
    ...describeThroughput(throughputReaches(suite.load, plan), variants),
    ...describeGate(gate),
    '',
    'First slices (each is drained before the next begins):',
    ...plan.slices.slice(0, SHOWN_SLICES).map((slice) => `  ${describeSlice(slice)}`),
    ...(plan.slices.length > SHOWN_SLICES
      ? [`  and ${plural(plan.slices.length - SHOWN_SLICES, 'slice')} more; --json prints every trial`]
      : []),
    ...(legend.length === 0 ? [] : ['', ...legend.map((line) => `  ${line}`)]),
  ];
  return `${lines.join('\n')}\n`;
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
  const sent = Object.entries(constants).flatMap(([constant, value]) =>
    value === null ? [] : [`${constant} ${describeValue(value)}`],
  );
  const parts = [`${target.id} at ${baseUrl}`, ...sent, plural(requests, 'request')];
  return visibleLine(`${name} (${kind}${mark}): ${parts.join(', ')}`);
}

const LONGEST_VALUE = 60;

function describeValue(value: Json): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return clipped(text, LONGEST_VALUE);
}

function describePlanned({ variant, prompt, seed, request }: PlannedRequest): string {
  const title = visibleLine(`${variant} asks for ${prompt} with ${seed === null ? 'no seed' : `seed ${seed}`}:`);
  return `\n${[title, ...describeSent(request)].join('\n')}\n`;
}

function legendOf({ variants, plan }: Pick<PreparedSuite, 'variants' | 'plan'>): readonly string[] {
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const example = trials.find(isMeasured);
  const warmups = [...new Set(trials.filter(({ phase }) => phase === 'warmup').map(({ seed }) => seed))];
  return [
    ...(example === undefined
      ? []
      : [
          `prompt/seed#take: ${visibleLine(askedOf(example))} is take ${example.repeat} of the prompt ${visibleLine(example.prompt)} with seed ${example.seed ?? 'left out'}`,
        ]),
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
