import { trialsIn } from '../plan/plan.ts';
import type { PlannedPart } from '../plan/recorded-plan.ts';
import type { Marks } from '../targets/marks.ts';
import type { Outcome } from './codes.ts';
import type { Accepted, Attempt, Cancel, Intent, JournalEvent, Sample, SegmentStarted } from './journal.ts';
import type { StoredRun } from './stored-run.ts';

export interface TrialHistory {
  /** Null if due under open load and never begun. */
  readonly intent: Intent | null;
  readonly started: SegmentStarted | null;
  readonly attempts: readonly Attempt[];
  /** Null if no job was accepted. */
  readonly accepted: Accepted | null;
  readonly cancel: Cancel | null;
  /** The last, as a later process may have polled the job. Null if no process saw the end. */
  readonly sample: Sample | null;
}

export interface TrialHistories {
  /** In the order of their first begin. */
  readonly latest: ReadonlyMap<string, TrialHistory>;
  /** Replaced by a later begin of the same trial. */
  readonly replaced: readonly TrialHistory[];
}

type HistoryDraft = { -readonly [Key in keyof TrialHistory]: TrialHistory[Key] } & { attempts: Attempt[] };

const NOTHING = { intent: null, started: null, accepted: null, cancel: null, sample: null };

export function trialHistories(events: readonly JournalEvent[]): TrialHistories {
  const latest = new Map<string, HistoryDraft>();
  const replaced: TrialHistory[] = [];
  const segments = new Map<number, SegmentStarted>();
  const of = (trial: string): HistoryDraft => {
    const known = latest.get(trial);
    if (known !== undefined) return known;
    const made: HistoryDraft = { ...NOTHING, attempts: [] };
    latest.set(trial, made);
    return made;
  };
  for (const event of events) {
    if (event.event === 'segment' && event.state === 'started') segments.set(event.segment, event);
    else if (event.event === 'intent') {
      const before = latest.get(event.trial.id);
      if (before !== undefined) replaced.push(before);
      const started = segments.get(event.segment) ?? null;
      latest.set(event.trial.id, { ...NOTHING, intent: event, started, attempts: [] });
    } else if (event.event === 'attempt') of(event.trial).attempts.push(event);
    else if (event.event === 'accepted') of(event.trial).accepted = event;
    else if (event.event === 'cancel') of(event.trial).cancel = event;
    else if (event.event === 'sample') of(event.sample.trial.id).sample = event.sample;
  }
  return { latest, replaced };
}

const CODES = { request: 'no_answer', job: 'job_left' } as const;

/**
 * The sample of a request without an answer: whether it was charged is unknown, and it has no durations. Null if the
 * trial has a sample or never began.
 */
export function unansweredSample({ intent, attempts, accepted, started, sample }: TrialHistory): Sample | null {
  if (sample !== null || intent === null) return null;
  const { trial, slice, segment, atMs } = intent;
  const originMs = started === null ? 0 : Date.parse(started.originAt);
  return {
    trial,
    slice,
    segment,
    scheduledAt: new Date(originMs + atMs).toISOString(),
    endedMs: atMs,
    attempts: attempts.length + 1,
    throttleWaitMs: 0,
    polls: 0,
    downloads: 0,
    httpStatus: null,
    reported: { requestId: null, seedEcho: null, serverMs: null, costUsd: null, cached: null },
    connection: null,
    flags: [],
    marks: { startedMs: atMs },
    outcome: 'unknown_charged',
    // Reports have the words for the code.
    error: { code: accepted === null ? CODES.request : CODES.job, message: '' },
  };
}

export function isUnanswered({ outcome, error }: Pick<Sample, 'outcome' | 'error'>): boolean {
  return outcome === 'unknown_charged' && (error?.code === CODES.request || error?.code === CODES.job);
}

/** The record at a look at its gate: planned and measured until then. */
export function recordAtLook(record: StoredRun, look: number): StoredRun {
  const parts = record.run.plan.looks?.parts.slice(0, look) ?? [];
  const last = parts.at(-1);
  if (last === undefined) throw new Error(`the plan has no look ${look}`);
  return {
    ...planned(record, parts),
    looks: record.looks.filter((earlier) => earlier.look < look),
    samples: record.samples.filter(({ slice }) => slice <= last.lastSlice),
  };
}

/** The record with only the sent part of its plan, for a run that was decided early. */
export function asSent(record: StoredRun): StoredRun {
  const decided = record.looks.find((look) => look.decided);
  const parts = record.run.plan.looks?.parts ?? [];
  return decided === undefined ? record : planned(record, parts.slice(0, decided.look));
}

function planned(record: StoredRun, parts: readonly PlannedPart[]): StoredRun {
  const { run } = record;
  const { looks } = run.plan;
  if (looks === null) return record;
  return {
    ...record,
    run: {
      ...run,
      variants: run.variants.map((variant) => ({ ...variant, plannedTrials: trialsIn(parts, variant.name) })),
      plan: { ...run.plan, looks: { ...looks, parts } },
    },
  };
}

/** An ended call. Times are milliseconds on the segment's clock. */
export interface OrphanCall {
  readonly outcome: Outcome;
  readonly marks: Marks;
  readonly endedMs: number;
  readonly timeoutMs: number;
  readonly cancel?: { readonly cancelled: boolean } | null;
}

/** Whether the service may still work on it: sent, without result, not refused, its job not cancelled. */
export function mayGoOn({ outcome, marks, cancel }: Pick<OrphanCall, 'outcome' | 'marks' | 'cancel'>): boolean {
  if (cancel?.cancelled === true) return false;
  if (outcome !== 'timed_out' && outcome !== 'cancelled') return false;
  const { sentMs, refusedMs, acceptedMs, lastPendingMs, readyMs } = marks;
  if (sentMs === undefined || refusedMs !== undefined || readyMs !== undefined) return false;
  return acceptedMs === undefined || lastPendingMs !== undefined;
}
