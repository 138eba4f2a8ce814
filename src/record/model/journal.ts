import type { Trial } from '../../plan/trial.ts';
import type { Json } from '../../suite/document/json.ts';
import type { Abandonment } from './abandonment.ts';
import type { Sample } from './sample.ts';
import type { Stop } from './stop.ts';

/** One line of journal.jsonl. Lines are only ever appended, in the order things happened. */
export type JournalEvent =
  | SegmentStarted
  | SegmentEnded
  | Intent
  | Accepted
  | Attempt
  | VariantAbandoned
  | Look
  | Cancel
  | { readonly event: 'sample'; readonly sample: Sample };

/** A process began to measure. `originAt` is the wall-clock time of its clock's zero. */
export interface SegmentStarted {
  readonly event: 'segment';
  readonly state: 'started';
  readonly segment: number;
  readonly originAt: string;
}

/** A process ended its measuring, and why. A segment without this line was killed. */
export interface SegmentEnded {
  readonly event: 'segment';
  readonly state: 'ended';
  readonly segment: number;
  readonly atMs: number;
  readonly stop: Stop;
  /** Abandoned requests that may have gone on at the service. */
  readonly orphans: number;
  /** Of the thread that stamps; null where that thread broke. */
  readonly loopDelay: LoopDelay | null;
}

/** How late the wire thread's event loop came back, looked at every few milliseconds: what a time stamp may be late by. */
export interface LoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Written before the first byte of a request that may cost money leaves. */
export interface Intent {
  readonly event: 'intent';
  readonly segment: number;
  readonly slice: number;
  readonly trial: Trial;
  readonly atMs: number;
  /** What one submit of it costs at most by the declared price, in US dollars; absent where there is no price or no upper bound. */
  readonly mostUsd?: number;
}

/** A job was accepted, with what is needed to ask after it; written before the first poll. */
export interface Accepted {
  readonly event: 'accepted';
  readonly segment: number;
  readonly trial: string;
  readonly captured: { readonly [name: string]: Json };
  readonly atMs: number;
}

/** A service was asked to end the job of a trial that was abandoned, and what it said. */
export interface Cancel {
  readonly event: 'cancel';
  readonly segment: number;
  readonly trial: string;
  /** The job had ended, or has now: it counts as no orphan. */
  readonly cancelled: boolean;
  readonly httpStatus: number | null;
  /** Why it was not; null where it was. */
  readonly code: string | null;
  readonly atMs: number;
}

/**
 * An attempt (from 1) that is to be sent again: it was answered as throttled, or is idempotent and its failure may be transient
 * (without a status where no reply came). The next begins after `waitMs` unless the run is ended first; the sample's `attempts` says how many were sent.
 */
export interface Attempt {
  readonly event: 'attempt';
  readonly segment: number;
  readonly trial: string;
  readonly attempt: number;
  readonly httpStatus: number | null;
  readonly waitMs: number;
  readonly atMs: number;
}

/** A variant was abandoned: its trials are not sent from here on. */
export interface VariantAbandoned {
  readonly event: 'abandoned';
  readonly segment: number;
  readonly variant: string;
  readonly why: Abandonment;
  readonly atMs: number;
}

/**
 * The gate was looked at between two parts of the plan, with nothing in flight. It decides on what was measured up to the end
 * of the part before.
 */
export interface Look {
  readonly event: 'look';
  readonly segment: number;
  /** From 1. */
  readonly look: number;
  /** A rule failed, or none is left that further parts could decide: they are not sent. */
  readonly decided: boolean;
  readonly atMs: number;
}
