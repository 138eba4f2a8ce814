import { relative, resolve } from 'node:path';
import { commandLine, count, plural } from '../../kit/wording.ts';
import { mostUsdFrom, trialCosts } from '../../plan/estimate.ts';
import type { Trial } from '../../plan/trial.ts';
import type { Stop } from '../../record/journal.ts';
import type { Run } from '../../record/run.ts';
import { requestsToEnd } from '../../report/run-answer.ts';
import type { PreparedSuite } from '../../run/prepare-suite.ts';
import { isLeft, type Resumption } from '../../run/resumption.ts';
import { shownPath } from '../../suite/named-file.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import { isAskedAbout } from '../../workflow/confirm-run.ts';
import type { OpenRun } from '../../workflow/measure-run.ts';
import type { PreparedRun } from '../../workflow/prepare-run.ts';
import { findOwnSuite, isKeptBeside, isRepeated, keyOf } from '../../workflow/recorded-arguments.ts';
import type { MeasureArguments } from '../../workflow/run-arguments.ts';
import type { Command } from '../edge.ts';

export function resumptionSentences(
  { id, suite: recorded, variants: before }: Run,
  { plan, variants, overrides }: PreparedSuite,
  resumption: Resumption,
): readonly string[] {
  const { jobs, unanswered, resent } = resumption;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const left = trials.filter((trial) => isLeft(resumption, trial)).length;
  const answered = trials.length - left - jobs.size - unanswered.length;
  return [
    `resumes run ${id}: ${count(answered)} of ${plural(trials.length, 'request')} have a result, ${count(left)} left to send`,
    ...repeatedSets(recorded.overrides, overrides),
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

/** @param used those of the record that are used again, then those given now */
function repeatedSets(recorded: readonly string[], used: readonly string[]): readonly string[] {
  const repeated = recorded.filter(isRepeated);
  const given = used.slice(repeated.length).map(keyOf);
  const kept = repeated.filter((override) => !given.includes(keyOf(override)));
  return kept.length === 0 ? [] : [`keeps --set of the run: ${kept.join(', ')}`];
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
  open: OpenRun,
  { suite, set, against, allowOutside, allowOrigin, allowCommands, yes }: MeasureArguments,
  { raised, isDear }: Needed,
  cwd: string,
): Command {
  const { folder } = open.record;
  const { scorers } = open.prepared.suite;
  const named = suite === undefined || suiteToName(open, cwd) === null ? [] : [suite];
  const inRecord = open.resumption === null ? isRepeated : () => false;
  const options = [
    ...lastOfEach([...set.filter((override) => !inRecord(override)), ...raised]).flatMap((override) => [
      '--set',
      override,
    ]),
    ...(against === undefined || isKeptBeside(folder, against, cwd) ? [] : ['--against', against]),
    ...(allowOutside === true ? ['--allow-outside'] : []),
    ...allowOrigin.flatMap((origin) => ['--allow-origin', origin]),
    ...(allowCommands && scorers.some(({ use }) => use === 'command') ? ['--allow-commands'] : []),
    ...(yes || isDear ? ['--yes'] : []),
  ];
  const words = ['retake', 'run', ...named, '--resume', relative(cwd, folder), ...options];
  return { sentence: 'to resume this run', command: commandLine(words) };
}

/** The suite of a run, as later commands must name it; null: they find it. */
export function suiteToName({ run, prepared, record }: OpenRun, cwd: string): string | null {
  const found = findOwnSuite(record.folder, run.suite.file, cwd);
  const file = resolve(cwd, prepared.suite.file);
  return found !== null && resolve(cwd, found) === file ? null : shownPath(file, cwd);
}

/** Without values that a later one replaces. */
function lastOfEach(overrides: readonly string[]): readonly string[] {
  const later = (at: number) => overrides.slice(at + 1).map(keyOf);
  return overrides.filter((override, at) => keyOf(override).endsWith('.+') || !later(at).includes(keyOf(override)));
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
    return [`limits.requests=${Math.ceil(requestsToEnd(stop, left.length, sent) / share)}`];
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

/**
 * @param by scorers with outputs left; one command asks programs and judges
 * @param suite to be named; null: it is found
 */
export function scoreTheRest(
  folder: string,
  by: readonly DeclaredScorer['use'][],
  suite: string | null,
  cwd: string,
): Command {
  const named = suite === null ? [] : ['--suite', suite];
  const how = by.includes('file') ? ['--from', 'FILE.csv'] : by.includes('command') ? ['--allow-commands'] : [];
  const command = commandLine(['retake', 'score', relative(cwd, folder), ...named, ...how]);
  return { sentence: 'some outputs were not scored; to score them', command };
}
