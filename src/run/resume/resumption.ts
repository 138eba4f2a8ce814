import type { Trial } from '../../plan/trial.ts';
import { type TrialHistory, trialHistories } from '../../record/histories/trial-histories.ts';
import { unansweredSample } from '../../record/histories/unanswered.ts';
import type { Intent, JournalEvent } from '../../record/model/journal.ts';
import type { Sample } from '../../record/model/sample.ts';
import type { Submitted } from '../../record/spend/charge.ts';
import type { JsonObject } from '../../suite/document/json.ts';

/** What a run that is taken up again goes on from; it follows from the journal alone. */
export interface Resumption {
  /** The number of the next process. */
  readonly segment: number;
  /** Trials that are not sent again: they have their sample, or have it from `unanswered`. */
  readonly settled: ReadonlySet<string>;
  /** Jobs that a service took on and that nobody waited for to their end, by trial: they are asked after. */
  readonly jobs: ReadonlyMap<string, OpenJob>;
  /** Samples for requests that may have left, and have neither an answer nor a job: they may have been charged. */
  readonly unanswered: readonly Sample[];
  /** Trials that are sent once more although they may have been charged, because the user asks for it. */
  readonly resent: ReadonlySet<string>;
  /** The last look at the gate that was taken, from 1; 0: none. */
  readonly looked: number;
  /** It decided the gate: no further part of the plan is sent. */
  readonly decided: boolean;
  /** Submits that earlier processes counted. */
  readonly requests: number;
  /** What is known of these, by trial: what they cost. */
  readonly submitted: readonly Submitted[];
}

/** A job of an earlier process. */
export interface OpenJob {
  readonly intent: Intent;
  /** What its submit reply gave. */
  readonly captured: JsonObject;
  /** How often it was submitted. */
  readonly attempts: number;
}

/**
 * What is to be done about each trial of a run that ended early.
 * - It has a sample: settled. But where the run was aborted while its job was open, the job is asked after; and where the
 *   service had refused it and it only waited to be sent again, it is sent.
 * - It has a job, and no sample: the job is asked after.
 * - It has an intent alone: nobody knows whether it was charged. It is not sent again, unless `resendUnknown`.
 * - Its service was started for the run and ended with it: its job is gone, and nothing was charged. It is sent again.
 *
 * @param isOwn whether the service of a variant was started for the run
 */
export function resumptionOf(
  events: readonly JournalEvent[],
  resendUnknown: boolean,
  isOwn: (variant: string) => boolean = () => false,
): Resumption {
  const settled = new Set<string>();
  const jobs = new Map<string, OpenJob>();
  const resent = new Set<string>();
  const unanswered: Sample[] = [];
  const { latest, replaced } = trialHistories(events);
  for (const [trial, history] of latest) {
    const open = openJobOf(history);
    if (isOwn(history.intent?.trial.variant ?? '') && mayBeCharged(history.sample)) continue;
    if (open !== null) jobs.set(trial, open);
    else if (isUncharged(history.sample)) continue;
    else if (mayBeCharged(history.sample)) {
      if (resendUnknown) resent.add(trial);
      else settled.add(trial);
      const sample = unansweredSample(history);
      if (!resendUnknown && sample !== null) unanswered.push(sample);
    } else settled.add(trial);
  }
  const look = events.findLast((event) => event.event === 'look');
  return {
    segment: lastSegment(events) + 1,
    settled,
    jobs,
    unanswered,
    resent,
    looked: look?.look ?? 0,
    decided: look?.decided ?? false,
    requests: submits(events),
    submitted: [...latest.values(), ...replaced].flatMap(submittedOf),
  };
}

/** The job that is still to be asked after; null where there is none, or the service has ended it. */
function openJobOf({ intent, attempts, accepted, cancel, sample }: TrialHistory): OpenJob | null {
  const isOpen =
    sample === null || sample.outcome === 'defect' || (sample.outcome === 'cancelled' && cancel?.cancelled !== true);
  if (intent === null || accepted === null || !isOpen) return null;
  return { intent, captured: accepted.captured, attempts: attempts.length + 1 };
}

/** Whether a trial never reached its service, or was refused by it, and the run ended before it was sent again: nothing was charged. */
function isUncharged(sample: Sample | null): boolean {
  return sample !== null && sample.outcome === 'cancelled' && (sample.attempts === 0 || sample.error.code === 'held');
}

function mayBeCharged(sample: Sample | null): boolean {
  if (sample === null) return true;
  return sample.outcome === 'cancelled' || sample.outcome === 'defect' || sample.outcome === 'unknown_charged';
}

function lastSegment(events: readonly JournalEvent[]): number {
  return events.reduce((last, event) => (event.event === 'segment' ? Math.max(last, event.segment) : last), 0);
}

/** Each intent, and each attempt after a refusal, was counted before it left. */
function submits(events: readonly JournalEvent[]): number {
  return events.filter(({ event }) => event === 'intent' || event === 'attempt').length;
}

/** The submits of a trial; none where it was never begun. A job that is still to be asked after may cost its most. */
function submittedOf(history: TrialHistory): readonly Submitted[] {
  const { intent, attempts, sample } = history;
  if (intent === null) return [];
  const { trial } = intent;
  const isOpen = sample === null || openJobOf(history) !== null;
  return [
    isOpen ? { trial, attempts: attempts.length + 1, sample: null } : { trial, attempts: sample.attempts, sample },
  ];
}

/** Whether a trial is left to be sent. */
export function isLeft({ settled, jobs }: Resumption, { id }: Pick<Trial, 'id'>): boolean {
  return !settled.has(id) && !jobs.has(id);
}
