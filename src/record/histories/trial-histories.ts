import type { Accepted, Attempt, Cancel, Intent, JournalEvent, SegmentStarted } from '../model/journal.ts';
import type { Sample } from '../model/sample.ts';

export interface TrialHistory {
  /** Null where it was due under open load and never begun. */
  readonly intent: Intent | null;
  readonly started: SegmentStarted | null;
  readonly attempts: readonly Attempt[];
  /** Null where no job was accepted. */
  readonly accepted: Accepted | null;
  readonly cancel: Cancel | null;
  /** The last of several: a later process may have asked after a job. Null where no process saw its end. */
  readonly sample: Sample | null;
}

export interface TrialHistories {
  /** In the order they were begun first. */
  readonly latest: ReadonlyMap<string, TrialHistory>;
  /** A later begin of the same trial has replaced these. */
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
 * Nobody knows whether the request was charged, and it has no durations. Null where the trial has a sample, or was
 * never begun.
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
    // The code says it all: what it means is in the words of reports.
    error: { code: accepted === null ? CODES.request : CODES.job, message: '' },
  };
}

export function isUnanswered({ outcome, error }: Pick<Sample, 'outcome' | 'error'>): boolean {
  return outcome === 'unknown_charged' && (error?.code === CODES.request || error?.code === CODES.job);
}
