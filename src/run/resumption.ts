import type { JsonObject } from '../kit/json.ts';
import type { Plan, Slice } from '../plan/plan.ts';
import { remainderOf } from '../plan/share.ts';
import type { Trial } from '../plan/trial.ts';
import type { Intent, JournalEvent, Sample } from '../record/journal.ts';
import { type Submitted, type TrialHistory, trialHistories, unansweredSample } from '../record/trial-histories.ts';
import type { Load } from '../suite/load.ts';
import { loadOf } from './limits/abandoned-variants.ts';

/** What a resumed run continues with, from the journal only. */
export interface Resumption {
  readonly segment: number;
  /** Trials that are not sent again: they have a sample, or get one from `unanswered`. */
  readonly settled: ReadonlySet<string>;
  /** Accepted jobs without an end, by trial: they are polled. */
  readonly jobs: ReadonlyMap<string, OpenJob>;
  /** Samples for requests without answer or job: they may have been charged. */
  readonly unanswered: readonly Sample[];
  /** Trials that the user sends again although they may have been charged. */
  readonly resent: ReadonlySet<string>;
  /** Last look at the gate, from 1; 0: none. */
  readonly looked: number;
  /** Whether that look decided the gate: no other part of the plan is sent. */
  readonly decided: boolean;
  /** Loads of a sweep that ended, as `loadOf` names them: nothing more of them is sent. */
  readonly endedLoads: ReadonlySet<string>;
  readonly requests: number;
  readonly submitted: readonly Submitted[];
}

export interface OpenJob {
  readonly intent: Intent;
  readonly captured: JsonObject;
  readonly attempts: number;
}

/**
 * Decides about each trial of a run that ended early:
 * - With a sample: settled. But a job that was open when the run was aborted is polled, and a trial that the service
 * had only refused is sent again.
 * - With a job and no sample: the job is polled.
 * - With only an intent: it may have been charged, so it is sent again only with `resendUnknown`.
 * - At a service started for the run (`isOwn`): sent again, as its job ended with it and nothing was charged.
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
    segment: 1 + Math.max(0, ...events.flatMap((event) => (event.event === 'segment' ? [event.segment] : []))),
    settled,
    jobs,
    unanswered,
    resent,
    looked: look?.look ?? 0,
    decided: look?.decided ?? false,
    endedLoads: new Set(events.flatMap((event) => (event.event === 'load_ended' ? [loadOf(event)] : []))),
    requests: submits(events),
    submitted: [...latest.values(), ...replaced].flatMap(submittedOf),
  };
}

function openJobOf({ intent, attempts, accepted, cancel, sample }: TrialHistory): OpenJob | null {
  const isOpen =
    sample === null || sample.outcome === 'defect' || (sample.outcome === 'cancelled' && cancel?.cancelled !== true);
  if (intent === null || accepted === null || !isOpen) return null;
  return { intent, captured: accepted.captured, attempts: attempts.length + 1 };
}

/** The trial never reached its service, or was refused and not sent again. */
function isUncharged(sample: Sample | null): boolean {
  return sample !== null && sample.outcome === 'cancelled' && (sample.attempts === 0 || sample.error.code === 'held');
}

function mayBeCharged(sample: Sample | null): boolean {
  if (sample === null) return true;
  return sample.outcome === 'cancelled' || sample.outcome === 'defect' || sample.outcome === 'unknown_charged';
}

/** Intents and repeated attempts were counted before they were sent. */
function submits(events: readonly JournalEvent[]): number {
  return events.filter(({ event }) => event === 'intent' || event === 'attempt').length;
}

/** Empty if the trial never began. An open job may cost its highest. */
function submittedOf(history: TrialHistory): readonly Submitted[] {
  const { intent, attempts, sample } = history;
  if (intent === null) return [];
  const { trial } = intent;
  const isOpen = sample === null || openJobOf(history) !== null;
  return [
    isOpen ? { trial, attempts: attempts.length + 1, sample: null } : { trial, attempts: sample.attempts, sample },
  ];
}

export function isLeft(
  { settled, jobs, endedLoads }: Resumption,
  trial: Pick<Trial, 'id' | 'variant' | 'step'>,
): boolean {
  return !settled.has(trial.id) && !jobs.has(trial.id) && !endedLoads.has(loadOf(trial));
}

/** The open jobs first, because they are in flight at the service; then the rest. */
export function slicesToSend(
  plan: Plan,
  { concurrency }: Pick<Load, 'concurrency'>,
  resumption: Resumption | null,
): readonly Slice[] {
  if (resumption === null) return plan.slices;
  const { jobs } = resumption;
  const open = remainderOf(plan, ({ id }) => jobs.has(id)).slices;
  const left = remainderOf(plan, (trial) => isLeft(resumption, trial)).slices;
  return [...open.map((slice): Slice => ({ ...slice, pace: { mode: 'closed', concurrency } })), ...left];
}
