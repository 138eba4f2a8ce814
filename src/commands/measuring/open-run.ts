import { dirname, relative, resolve } from 'node:path';
import { abandonedCause, abandonedRemedy, stopCause, stopRemedy } from '../../analysis/incomplete.ts';
import { checked, type Diagnostic, refusal } from '../../kit/diagnostic.ts';
import { proxyWords } from '../../kit/names.ts';
import { plural } from '../../kit/wording.ts';
import { trialCosts } from '../../plan/estimate.ts';
import type { Stop } from '../../record/journal.ts';
import type { RunnerEvent } from '../../run/events.ts';
import { type Resumption, slicesToSend } from '../../run/resumption.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import {
  type Command,
  type Edge,
  EXIT,
  type ExitCode,
  NEEDS_ABSENT_PART,
  printCommand,
  printSentence,
} from '../../workflow/edge.ts';
import { measureRun, type OpenRun } from '../../workflow/measure-run.ts';
import type { PreparedRun } from '../../workflow/prepare-run.ts';
import type { MeasureArguments } from '../../workflow/run-arguments.ts';
import { conclude } from '../display/conclude.ts';
import { describeAgainst, leftOutProbes, leftOutVariants, unaskedPrompts } from '../display/left-out.ts';
import { printDiagnostics } from '../display/print.ts';
import { createProgress, createSpend, type ShownSpend } from '../display/progress/progress.ts';

import { showEvents, showNothing, showProgress } from '../display/progress/show-progress.ts';
import type { Published } from '../display/publish.ts';
import { raisedLimits, reportCommand, resumeWith, viewCommand } from '../display/resumption.ts';
import { refuseFile } from '../display/write-file.ts';

/** Also examines, scores and analyses the run. */
export async function measureAndReport(open: OpenRun, args: MeasureArguments, edge: Edge): Promise<ExitCode> {
  const { run, prepared } = open;
  const { folder } = open.record;
  const unsubscribe = edge.onForcedEnd(() => sayForcedEnd(folder, args, edge));
  try {
    const { suite, variants, against, leftOut, skippedProbes } = prepared;
    const sentences = [
      ...describeAgainst(against, variants),
      ...leftOutVariants(leftOut),
      ...unaskedPrompts(suite, variants),
      ...leftOutProbes(skippedProbes),
      ...proxyWords(run.variants).map((words) => `${words}: its time is in each latency`),
    ];
    for (const sentence of sentences) {
      printSentence(edge.err, sentence);
    }
    if (edge.err.interactive && !args.quiet && !args.json) {
      printCommand(edge.err, {
        sentence: 'to follow this run in a browser',
        command: viewCommand(relative(edge.cwd, folder)),
      });
    }
    tellBegin(open, args, edge);
    const { stop, raised } = await measureAndShow(open, args, edge).catch((error: unknown) => {
      // A record can be resumed after an internal error too.
      printCommand(edge.err, resumeWith(args, folder, edge.cwd));
      throw error;
    });
    const resumed = { ...args, set: [...args.set, ...raised] };
    await open.fleet?.measured(stop);
    const unscored = await scoreMeasured(open, args, edge);
    // Loaded only here: reports take no memory while measuring, and no time for a suite with errors.
    const [{ publish }, { keepHistory }] = await Promise.all([
      import('../display/publish.ts'),
      import('../../workflow/history.ts'),
    ]);
    const options = { formats: null, out: folder, quiet: args.quiet || args.json };
    const published = await checked(() => publish(folder, options, edge)).catch(refuseFile);
    if (!published.ok) return endWithoutReports(stop, published.diagnostics, open, resumed, edge);
    if (run.shard === null) keepHistory(folder, published.value.line, edge);
    const code = conclude(args.json, edge, knowingStop(published.value, stop), { leftOut, limits: suite.limits });
    if (stop.reason !== 'finished') printCommand(edge.err, resumeWith(resumed, folder, edge.cwd));
    else if (unscored !== null) printCommand(edge.err, unscored);
    return unscored === null ? code : EXIT.incomplete;
  } finally {
    unsubscribe();
  }
}

/** Refuses scorers that this build cannot ask, and programs that the user does not allow. */
export async function checkScorers(
  scorers: readonly DeclaredScorer[],
  allowCommands: boolean,
  { parts }: Pick<Edge, 'parts'>,
): Promise<void> {
  if (scorers.length === 0) return;
  const scoring = await parts.loadScoring?.();
  if (scoring === undefined) throw refusal(`a suite with scorers ${NEEDS_ABSENT_PART}`, 'use a complete build');
  scoring.checkAllowed(scorers, allowCommands);
}

/** Null, or the command that scores the outputs that were not. Those of a shard are scored once it is merged. */
async function scoreMeasured(
  { run: { shard, scorers = [] }, record: { folder }, prepared: { suite, judges }, secrets }: OpenRun,
  { quiet, json }: MeasureArguments,
  edge: Edge,
): Promise<Command | null> {
  if (shard !== null || scorers.length === 0) return null;
  const scoring = await edge.parts.loadScoring?.();
  const suiteFolder = dirname(resolve(edge.cwd, suite.file));
  const outputs = { folder, scorers, suiteFolder, judges, secrets };
  return scoring?.scoreMeasured(outputs, { quiet: quiet || json }, edge) ?? null;
}

function sayForcedEnd(folder: string, args: MeasureArguments, { err, cwd }: Edge): void {
  // The terminal has shown ^C on a line without an end.
  if (err.interactive) err.write('\n');
  printSentence(err, 'ended at once: what came is recorded, reports may be missing');
  printCommand(err, { sentence: 'to write the reports', command: reportCommand(relative(cwd, folder)) });
  printCommand(err, resumeWith(args, folder, cwd));
}

/** Reports can be made later, from the record. */
function endWithoutReports(
  stop: Stop,
  diagnostics: readonly Diagnostic[],
  { record: { folder } }: OpenRun,
  args: MeasureArguments,
  edge: Edge,
): ExitCode {
  // A disk error also prevents the reports: report it once.
  if (stop.reason !== 'disk') printDiagnostics(edge, diagnostics);
  const shown = relative(edge.cwd, folder);
  if (stop.reason === 'finished') {
    const sentence = 'all requests are recorded, but no report is written; to write them';
    printCommand(edge.err, { sentence, command: reportCommand(shown) });
    return EXIT.incomplete;
  }
  printSentence(edge.err, `the run is incomplete: ${stopCause(stop)}; ${stopRemedy(stop)}`);
  printCommand(edge.err, resumeWith(args, folder, edge.cwd));
  return EXIT.incomplete;
}

/** On a full disk, the last line of the journal, with the reason of the stop, may be missing. */
function knowingStop(published: Published, stop: Stop): Published {
  const { analysis } = published;
  return { ...published, analysis: { ...analysis, run: { ...analysis.run, stop: analysis.run.stop ?? stop } } };
}

async function measureAndShow(
  open: OpenRun,
  args: MeasureArguments,
  edge: Edge,
): Promise<{ readonly stop: Stop; readonly raised: readonly string[] }> {
  const { prepared, clock, resumption } = open;
  const { plan, suite, variants } = prepared;
  const slices = slicesToSend(plan, suite.load, resumption);
  const left = new Map(slices.flatMap(({ trials }) => trials.map((trial) => [trial.id, trial])));
  const progress = createProgress(
    variants.map(({ name }) => name),
    {
      slices,
      concurrency: suite.load.concurrency,
      mayEndEarly: plan.looks !== null,
    },
    spendOf(prepared, resumption),
  );
  const display = args.json
    ? showEvents(progress, edge, args.quiet, clock.now)
    : args.quiet
      ? showNothing(progress)
      : await showProgress(progress, edge, clock.now);
  edge.drain.addEventListener('abort', display.stopping);
  const shownCauses = new Set<string>();
  const secretsOf = (variant: string) => variants.find(({ name }) => name === variant)?.target.secrets ?? [];
  const observe = (event: RunnerEvent) => {
    progress.observe(event, clock.now());
    if (event.event === 'ended') left.delete(event.sample.trial.id);
    open.fleet?.observe(event);
    if (event.event === 'abandoned') display.say(sayAbandoned(event, secretsOf(event.variant), shownCauses));
    if (event.event === 'look' && !args.quiet) display.say(sayLook(event));
    if (args.json) edge.out.write(`${JSON.stringify(event)}\n`);
    if (event.event === 'look') display.update();
  };
  let stop: Stop;
  try {
    stop = await measureRun(open, edge, observe, () => lookAtGate(open.record.folder, edge));
  } finally {
    edge.drain.removeEventListener('abort', display.stopping);
    display.close();
  }
  if (!args.quiet && !args.json) printSentence(edge.err, progress.line(clock.now()));
  return { stop, raised: raisedLimits(stop, [...left.values()], resumption?.requests ?? 0, prepared) };
}

/** If the record cannot be read, prints why, and the run goes on. */
async function lookAtGate(folder: string, edge: Edge): Promise<'go_on' | 'decided'> {
  // Loaded only here: most runs need it after measuring.
  const { assessRun } = await import('../../workflow/assess-run.ts');
  const assessed = await checked(() => assessRun(folder, { quiet: true }, edge));
  if (assessed.ok) return assessed.value.open ? 'go_on' : 'decided';
  printDiagnostics(edge, assessed.diagnostics);
  return 'go_on';
}

/** Prints a reason only the first time: a wrong key may end every variant. */
function sayAbandoned(
  { variant, why }: Extract<RunnerEvent, { event: 'abandoned' }>,
  secrets: readonly string[],
  shownCauses: Set<string>,
): string {
  const cause = abandonedCause(why);
  const isRepeated = shownCauses.has(cause);
  shownCauses.add(cause);
  if (isRepeated) return `left out ${variant} for the same reason`;
  return `left out ${variant}: ${cause}; ${abandonedRemedy(why, secrets)}; no more requests of it are sent`;
}

function sayLook({ look, of, decided }: Extract<RunnerEvent, { event: 'look' }>): string {
  const result = decided
    ? 'the gate is decided; the rest is not sent'
    : 'the gate is inconclusive; the next part is sent';
  return `look ${look} of ${of}: ${result}`;
}

function tellBegin({ run, record: { folder } }: OpenRun, { json, quiet }: MeasureArguments, edge: Edge): void {
  const { requests } = run.plan;
  if (json) edge.out.write(`${JSON.stringify({ event: 'run', run: run.id, folder, requests })}\n`);
  else if (!quiet)
    printSentence(edge.err, `run ${run.id}: ${plural(requests, 'request')} into ${shownFolder(folder, edge.cwd)}`);
}

function shownFolder(folder: string, cwd: string): string {
  const path = relative(cwd, folder);
  return path === '' || path.startsWith('..') ? folder : path;
}

/** Jobs of earlier processes count once they have ended. */
function spendOf({ variants, suite }: PreparedRun, resumption: Resumption | null): ShownSpend {
  const before = resumption?.submitted.filter(({ trial }) => !resumption.jobs.has(trial.id)) ?? [];
  return createSpend(trialCosts(variants, suite.cases), suite.limits.usd, before);
}
