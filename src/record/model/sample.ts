import type { Trial } from '../../plan/trial.ts';
import type { Marks } from '../../targets/transport/marks.ts';

/** What can become of a trial. */
export const OUTCOMES = [
  'ok',
  'moderated',
  'throttled',
  'no_credit',
  'rejected',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
  'cancelled',
  'dropped',
  'defect',
] as const;
/** What became of a trial, or of an effective sample: results/README.md describes each. */
export type Outcome = (typeof OUTCOMES)[number];

/** What became of a trial: exactly one for each trial that was begun, or was due under open load. */
export type Sample = SampleBase & (Delivered | WrongMedia | Undelivered | Dropped);

interface SampleBase {
  readonly trial: Trial;
  /** The slice of the plan it was sent in; throughput is taken over slices. */
  readonly slice: number;
  /** The process that measured it, from 1; each has a clock origin of its own. */
  readonly segment: number;
  /** Wall-clock ISO time of the start; under open load of the scheduled one. */
  readonly scheduledAt: string;
  /** When the call had ended, however it did, on the same clock. */
  readonly endedMs: number;
  /** Times the request was sent; more than 1 only after a refusal matched as throttled, 0 where it was dropped. */
  readonly attempts: number;
  readonly throttleWaitMs: number;
  readonly polls: number;
  /** GETs sent for the media, repeated ones and redirects among them; 0 where the reply held the bytes. */
  readonly downloads: number;
  readonly httpStatus: number | null;
  /** What the server itself says; never a substitute for what was measured. */
  readonly reported: Reported;
  /** Milliseconds of a new connection; null where an open one was used again. */
  readonly connection: Connection | null;
  /** Beside it, abandoned requests may have been running at the server, and the like. */
  readonly flags: readonly string[];
}

/** Bytes came back. */
interface Returned {
  readonly marks: CompleteMarks;
  /** At least one; the first counts. */
  readonly outputs: readonly [Output, ...Output[]];
}

/** The media that was asked for. */
interface Delivered extends Returned {
  readonly outcome: 'ok';
  readonly error: null;
}

/** Something that is not the media asked for. */
interface WrongMedia extends Returned {
  readonly outcome: 'invalid_media';
  readonly error: SampleError;
}

/** No media came back, and why. */
interface Undelivered {
  readonly outcome: Exclude<Outcome, 'ok' | 'invalid_media' | 'dropped'>;
  readonly marks: Marks;
  readonly error: SampleError;
}

/** Open load: at its time as many were in flight as may be. It was never started, and nothing of it was sent. */
interface Dropped {
  readonly outcome: 'dropped';
  readonly marks: DueMarks;
  readonly error: SampleError;
}

/** The marks of a call that ran to its end. */
export type CompleteMarks = Marks & Required<Pick<Marks, 'acceptedMs' | 'readyMs' | 'firstByteMs' | 'doneMs'>>;

/** The one mark of a call that was due and never started. */
type DueMarks = Required<Pick<Marks, 'scheduledMs'>> & {
  readonly [Mark in Exclude<keyof Marks, 'scheduledMs'>]?: never;
};

/** When a sample's call was started; of a dropped one, when it was due. */
export function beganMs({ marks }: Pick<Sample, 'marks'>): number {
  return marks.startedMs ?? marks.scheduledMs;
}

/** One output as stored: its bytes are in media/ under its digest. */
export interface Output {
  readonly sha256: string;
  readonly bytes: number;
  /** What the bytes are, by sniffing; null where they are nothing known. */
  readonly mime: string | null;
  /** What the server said they are. */
  readonly declaredMime: string | null;
  /** Seconds or megapixels by its own header, where the price is per one of these; absent where the header does not say. */
  readonly units?: number;
}

/** A stable code for grouping, and a message that was shortened and redacted. Both are hostile text. */
export interface SampleError {
  readonly code: string;
  readonly message: string;
}

export interface Reported {
  readonly requestId: string | null;
  readonly seedEcho: string | null;
  readonly serverMs: number | null;
  readonly costUsd: number | null;
  /** Whether it says that the output came from a cache; null where nothing says so. */
  readonly cached: boolean | null;
}

export interface Connection {
  readonly dnsMs: number | null;
  readonly tcpMs: number | null;
  readonly tlsMs: number | null;
}
