import type { Sample } from '../model/sample.ts';
import type { TrialHistory } from './trial-histories.ts';

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
