import { relative, resolve } from 'node:path';
import { abandonedCause, abandonedRemedy, stopCause, stopRemedy, unfitnessWords } from '../../analysis/incomplete.ts';
import { atStep, proxyWords } from '../../kit/names.ts';
import { count, duration, plural } from '../../kit/wording.ts';
import { trialCosts } from '../../plan/estimate.ts';
import type { LookKind } from '../../plan/recorded-plan.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Calibration } from '../../record/calibration.ts';
import type { Stop } from '../../record/journal.ts';
import type { RunnerEvent } from '../../run/events.ts';
import { slicesToSend } from '../../run/resumption.ts';
import type { Load } from '../../suite/load.ts';
import { shownPath } from '../../suite/named-file.ts';
import type { OpenRun } from '../../workflow/measure-run.ts';
import type { MeasureArguments } from '../../workflow/run-arguments.ts';
import { describeAsked } from '../../workflow/run-header.ts';
import type { OpenRunDisplay, RunDisplay } from '../../workflow/run-suite.ts';
import { type Command, type Edge, EXIT, type ExitCode, printCommand, printSentence } from '../edge.ts';
import { describeAgainst, leftOutProbes, leftOutVariants, unaskedPrompts } from './left-out.ts';
import { plannedHold, tooFewToHold } from './plan/describe-hold.ts';
import { printDiagnostics, withWarnings } from './print.ts';
import { createProgress, createSpend } from './progress/progress.ts';
import { type ProgressDisplay, whileShown } from './progress/show-progress.ts';
import type { Published } from './publish.ts';
import {
  type Needed,
  neededToResume,
  reportCommand,
  resumeOpen,
  resumptionSentences,
  suiteToName,
  viewCommand,
} from './resumption.ts';

/** Shows a run on the terminal; with --json as events. */
export function showRun(args: MeasureArguments, edge: Edge): RunDisplay<ExitCode> {
  const isQuiet = args.quiet || args.json;
  return {
    isQuiet,
    accept: (result) => withWarnings(edge, result),
    calibrated: (calibration) => tellCalibration(calibration, args, edge),
    resumed: (earlier, prepared, { resumption, notices }) => {
      const sentences = isQuiet ? [] : resumptionSentences(earlier, prepared, resumption);
      for (const sentence of [...notices, ...sentences]) edge.say(sentence);
    },
    begin: (open) => showOpenRun(open, args, edge),
  };
}

function showOpenRun(open: OpenRun, args: MeasureArguments, edge: Edge): OpenRunDisplay<ExitCode> {
  const { folder } = open.record;
  const { err, cwd } = edge;
  const { leftOut, suite, judges } = open.prepared;
  const quiet = args.quiet || args.json;
  const writesReports = reportCommand(relative(cwd, folder));
  let needed: Needed = { raised: [], isDear: false };
  let unscored: Command | null = null;
  const sayHowToResume = () => printCommand(err, resumeOpen(open, args, needed, cwd));
  const close = edge.onForcedEnd(() => {
    // The terminal has shown ^C on a line without an end.
    if (err.interactive) err.write('\n');
    printSentence(err, 'ended at once: what came is recorded, reports may be missing');
    printCommand(err, { sentence: 'to write the reports', command: writesReports });
    sayHowToResume();
  });
  tellBegin(open, args, edge);
  return {
    during: async (measure) => {
      try {
        const { stop, left } = await showMeasuring(open, measure, args, edge);
        needed = neededToResume(stop, left, open.resumption?.requests ?? 0, open.prepared);
        return stop;
      } catch (error) {
        // A record can be resumed after an internal error too.
        sayHowToResume();
        throw error;
      }
    },
    undecided: (diagnostics) => void printDiagnostics(edge, diagnostics),
    score: async () => {
      if (suite.scorers.length === 0) return;
      const { scorers } = describeAsked(suite, edge.env);
      const { scoreMeasured } = await import('../score/scoring.ts');
      const suiteFile = resolve(cwd, suite.file);
      const outputs = {
        folder,
        scorers,
        suiteFile,
        judges,
        secrets: open.secrets,
        suiteToName: suiteToName(open, cwd),
      };
      unscored = await scoreMeasured(outputs, { quiet }, edge);
    },
    write: async (assessed) => {
      // Loaded only here: reports take no memory while measuring, and no time for a suite with errors.
      const [{ writeReports }, { conclude }] = await Promise.all([import('./publish.ts'), import('./conclude.ts')]);
      const published = await writeReports(folder, assessed, { formats: null, out: folder }, edge);
      return (stop) => {
        const code = conclude(args.json, edge, knowingStop(published, stop), {
          leftOut,
          limits: suite.limits,
          hold: suite.hold,
        });
        if (stop.reason !== 'finished') sayHowToResume();
        else if (unscored !== null) printCommand(err, unscored);
        return unscored === null ? code : EXIT.incomplete;
      };
    },
    unwritten: (stop, diagnostics) => {
      // A disk error also prevents the reports: report it once.
      if (stop.reason !== 'disk') printDiagnostics(edge, diagnostics);
      if (stop.reason === 'finished') {
        const sentence = 'all requests are recorded, but no report is written; to write them';
        printCommand(err, { sentence, command: writesReports });
      } else {
        printSentence(err, `the run is incomplete: ${stopCause(stop)}; ${stopRemedy(stop)}`);
        sayHowToResume();
      }
      return EXIT.incomplete;
    },
    close,
  };
}

/** An unfit machine is reported before any request is charged; the report repeats it. */
function tellCalibration(calibration: Calibration, { json, quiet }: MeasureArguments, edge: Edge): void {
  if (json) edge.out.write(`${JSON.stringify({ event: 'calibrated', calibration })}\n`);
  if (json || quiet) return;
  const { tookMs, floorMs, unfit } = calibration;
  edge.say(`calibrated in ${duration(tookMs)}; noise floor of this machine: ${duration(floorMs)}`);
  for (const reason of unfit) {
    const { what, cause, remedy } = unfitnessWords(reason, 'now');
    edge.say(`warning: ${what}; ${cause}; ${remedy}`);
  }
}

function tellBegin(
  { run, prepared, record: { folder } }: OpenRun,
  { json, quiet }: MeasureArguments,
  { out, err, cwd }: Edge,
): void {
  const { suite, variants, against, leftOut, skippedProbes } = prepared;
  const sentences = [
    ...describeAgainst(against, variants),
    ...leftOutVariants(leftOut),
    ...unaskedPrompts(suite, variants),
    ...leftOutProbes(skippedProbes),
    ...proxyWords(run.variants).map((words) => `${words}: its time is in each latency`),
    ...[tooFewToHold(suite, plannedHold(suite, variants.length, prepared.plan)) ?? []].flat(),
  ];
  for (const sentence of sentences) printSentence(err, sentence);
  const path = relative(cwd, folder);
  if (err.interactive && !quiet && !json) {
    printCommand(err, { sentence: 'to follow this run in a browser', command: viewCommand(path) });
  }
  const { requests } = run.plan;
  if (json) out.write(`${JSON.stringify({ event: 'run', run: run.id, folder, requests })}\n`);
  else if (!quiet) printSentence(err, `run ${run.id}: ${plural(requests, 'request')} into ${shownPath(folder, cwd)}`);
}

/** On a full disk, the last line of the journal, with the reason of the stop, may be missing. */
function knowingStop(published: Published, stop: Stop): Published {
  const { analysis } = published;
  return { ...published, analysis: { ...analysis, run: { ...analysis.run, stop: analysis.run.stop ?? stop } } };
}

/** Why measuring ended, and the trials that got no answer. */
async function showMeasuring(
  { prepared, clock, resumption }: OpenRun,
  measure: Parameters<OpenRunDisplay<ExitCode>['during']>[0],
  { json, quiet }: MeasureArguments,
  edge: Edge,
): Promise<{ readonly stop: Stop; readonly left: readonly Trial[] }> {
  const { plan, suite, variants } = prepared;
  const slices = slicesToSend(plan, suite.load, resumption);
  const left = new Map(slices.flatMap(({ trials }) => trials.map((trial) => [trial.id, trial])));
  // Jobs of earlier processes count once they have ended.
  const before = resumption?.submitted.filter(({ trial }) => !resumption.jobs.has(trial.id)) ?? [];
  const progress = createProgress(
    variants.map(({ name }) => name),
    { slices, concurrency: suite.load.concurrency, mayEndEarly: plan.looks !== null },
    createSpend(trialCosts(variants, suite.cases), suite.limits.usd, before),
  );
  const shownCauses = new Set<string>();
  const show = (display: ProgressDisplay) => (event: RunnerEvent) => {
    progress.observe(event, clock.now());
    if (event.event === 'ended') left.delete(event.sample.trial.id);
    if (event.event === 'abandoned') display.say(sayAbandoned(event, shownCauses));
    if (event.event === 'load_ended') {
      for (const { id, variant, step } of left.values()) {
        if (variant === event.variant && step === event.step) left.delete(id);
      }
    }
    if (event.event === 'load_ended' && !quiet) display.say(sayEndedLoad(event, suite.load));
    if (event.event === 'look' && !quiet) display.say(sayLook(event, plan.looks?.kind));
    if (json) edge.out.write(`${JSON.stringify(event)}\n`);
    if (event.event === 'look') display.update();
  };
  const stop = await whileShown(progress, { json, quiet }, edge, clock.now, (display) => measure(show(display)));
  return { stop, left: [...left.values()] };
}

/** Prints a reason only the first time: a wrong key may end every variant. */
function sayAbandoned(
  { variant, why }: Extract<RunnerEvent, { event: 'abandoned' }>,
  shownCauses: Set<string>,
): string {
  const cause = abandonedCause(why);
  const isRepeated = shownCauses.has(cause);
  shownCauses.add(cause);
  if (isRepeated) return `left out ${variant} for the same reason`;
  return `left out ${variant}: ${cause}; ${abandonedRemedy(why)}; no more requests of it are sent`;
}

function sayEndedLoad(
  { variant, step, failed, samples }: Extract<RunnerEvent, { event: 'load_ended' }>,
  load: Pick<Load, 'mode'>,
): string {
  return `${variant}${atStep(step, load)}: ${count(failed)} of ${plural(samples, 'take')} failed; no more requests at this load are sent`;
}

function sayLook({ look, of, decided }: Extract<RunnerEvent, { event: 'look' }>, kind: LookKind | undefined): string {
  if (kind === 'claim') return 'every claim is decided, or has all its pairs; the rest is not sent';
  const result = decided
    ? 'the gate is decided; the rest is not sent'
    : 'the gate is not decided; the next part is sent';
  return `look ${look} of ${of}: ${result}`;
}
