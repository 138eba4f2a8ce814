import type { VoteChoice } from '../../../../record/codes.ts';
import type { BallotTurn, ShownBallot } from '../../../shown-ballot.ts';

/** Why a ballot box could not answer. `stale`: the page is of an earlier start of its server. */
export type BoxFault = 'no_answer' | 'busy' | 'stale' | 'refused';

export type BoxAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: BoxFault };

export interface BallotBox {
  readonly next: () => Promise<BoxAnswer<BallotTurn>>;
  readonly give: (ballot: ShownBallot, choice: VoteChoice) => Promise<BoxAnswer<null>>;
  /** Tells the voter where votes are kept; may be empty. */
  readonly words: () => string;
}

export function newVoter(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
