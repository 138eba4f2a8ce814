import type { Unreachable } from './stop.ts';

/** Why a variant was abandoned in mid-run: its further trials were not sent. Messages of servers are hostile text. */
export type Abandonment =
  /** A warm-up was rejected with 401 or 403: the key, or what it is allowed. */
  | {
      readonly code: 'refused_warmup';
      readonly httpStatus: number;
      readonly errorCode: string;
      readonly message: string;
    }
  /** Its first takes, over two prompts or more, were rejected with one code. */
  | {
      readonly code: 'rejected';
      readonly takes: number;
      readonly httpStatus: number | null;
      readonly errorCode: string;
      readonly message: string;
    }
  | ({ readonly code: 'unreachable' } & Unreachable);
