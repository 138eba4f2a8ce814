import { relative } from 'node:path';
import { commandLine, count, plural } from '../../kit/wording.ts';
import { mostUsdFrom, trialCosts } from '../../plan/estimate.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Stop } from '../../record/journal.ts';
import type { Run } from '../../record/run.ts';
import type { PreparedSuite } from '../../run/prepare-suite.ts';
import { isLeft, type Resumption } from '../../run/resumption.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import { isAskedAbout } from '../../workflow/confirm-run.ts';
import type { OpenRun } from '../../workflow/measure-run.ts';
import type { PreparedRun } from '../../workflow/prepare-run.ts';
import { isFoundAgain, isKeptBeside } from '../../workflow/recorded-arguments.ts';
import type { MeasureArguments } from '../../workflow/run-arguments.ts';
import type { Command } from '../edge.ts';

export function resumptionSentences(
  { id, suite, variants: before }: Run,
  { plan, variants }: PreparedSuite,
  resumption: Resumption,
): readonly string[] {
  const { jobs, unanswered, resent } = resumption;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const left = trials.filter((trial) => isLeft(resumption, trial)).length;
  const answered = trials.length - left - jobs.size - unanswered.length;
  return [
    `resumes run ${id}: ${count(answered)} of ${plural(trials.length, 'request')} have a result, ${count(left)} left to send`,
    ...(suite.overrides.length === 0 ? [] : [`uses the --set of the run: ${suite.overrides.join(', ')}`]),
    ...movedServers(before, variants),
    ...(jobs.size === 0 ? [] : [`polls ${plural(jobs.size, 'job')} that the service has accepted`]),
    ...(unanswered.length === 0
      ? []
      : [
          `does not send again ${plural(unanswered.length, 'request')} without an answer, which may have been charged; --resend-unknown sends them`,
        ]),
    ...(resent.size === 0
      ? []
      : [`sends again ${plural(resent.size, 'request')} without an answer, which may be charged twice`]),
  ];
}

/** A plan digest does not contain servers, so a resumed run may use others. */
function movedServers(before: Run['variants'], now: PreparedSuite['variants']): readonly string[] {
  return now.flatMap(({ name, baseUrl }) => {
    const was = before.find((variant) => variant.name === name)?.baseUrl ?? baseUrl;
    return was === baseUrl ? [] : [`sends ${name} to ${baseUrl}; before it was sent to ${was}`];
  });
}

/** What a command needs besides, to resume a run. */
export interface Needed {
  /** Values of `--set`: limits that end it no more. */
  readonly raised: readonly string[];
  /** Whether it asks what the rest may cost. */
  readonly isDear: boolean;
}

/** The command that resumes a run; repeats what the record does not contain. */
export function resumeOpen(
  { run: { scorers = [] }, record: { folder }, resumption }: OpenRun,
  { suite, set, against, allowOutside, allowOrigin, allowCommands, yes }: MeasureArguments,
  { raised, isDear }: Needed,
  cwd: string,
): Command {
  const named = suite === undefined || isFoundAgain(suite, folder, cwd) ? [] : [suite];
  // The record contains the values of --set; those of variants may say where requests go, so the user must repeat them.
  const repeated = resumption === null ? set.filter((override) => override.startsWith('variants.')) : set;
  const options = [
    ...[...repeated, ...raised].flatMap((override) => ['--set', override]),
    ...(against === undefined || isKeptBeside(folder, against, cwd) ? [] : ['--against', against]),
    ...(allowOutside === true ? ['--allow-outside'] : []),
    ...allowOrigin.flatMap((origin) => ['--allow-origin', origin]),
    ...(allowCommands && scorers.some(({ use }) => use === 'command') ? ['--allow-commands'] : []),
    ...(yes || isDear ? ['--yes'] : []),
  ];
  const words = ['retake', 'run', ...named, '--resume', relative(cwd, folder), ...options];
  return { sentence: 'to resume this run', command: commandLine(words) };
}

/**
 * What a run that a limit has stopped needs to send the rest once; of a shard, for the whole run.
 * @param left trials without an answer
 * @param sent requests of earlier processes
 */
export function neededToResume(stop: Stop, left: readonly Trial[], sent: number, prepared: PreparedRun): Needed {
  const mostUsdOf = mostUsdFrom(trialCosts(prepared.variants, prepared.suite.cases));
  const costUsd = left.reduce((sum, trial) => sum + mostUsdOf(trial), 0);
  // A limit that ended it is raised above that.
  const limitUsd = stop.reason === 'usd' ? null : prepared.suite.limits.usd;
  const isDear = isAskedAbout(prepared, { mostUsd: costUsd, limitUsd });
  return { raised: raisedLimits(stop, left, sent, costUsd, prepared), isDear };
}

function raisedLimits(
  stop: Stop,
  left: readonly Trial[],
  sent: number,
  costUsd: number,
  { plan, shard }: PreparedRun,
): readonly string[] {
  if (stop.reason === 'requests') {
    const share = shard === null ? 1 : plan.requests / shard.whole.plan.requests;
    return [`limits.requests=${Math.ceil((Math.max(stop.limit, sent) + left.length) / share)}`];
  }
  if (stop.reason !== 'usd') return [];
  const share = stop.limitUsd / (shard?.whole.suite.limits.usd ?? stop.limitUsd);
  // Rounded up to cents; 1e-6 ignores the rounding error of the sum.
  return [`limits.usd=${Math.ceil((stop.limitUsd + costUsd) / share / 0.01 - 1e-6) / 100}`];
}

export function reportCommand(folder: string): string {
  return commandLine(['retake', 'report', folder]);
}

export function viewCommand(folder: string): string {
  return commandLine(['retake', 'view', folder]);
}

/** @param by scorers with outputs left; one command asks programs and judges */
export function scoreTheRest(folder: string, cwd: string, by: readonly DeclaredScorer['use'][]): Command {
  const how = by.includes('file') ? ['--from', 'FILE.csv'] : by.includes('command') ? ['--allow-commands'] : [];
  const command = commandLine(['retake', 'score', relative(cwd, folder), ...how]);
  return { sentence: 'some outputs were not scored; to score them', command };
}
