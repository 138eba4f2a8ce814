import type { VoteChoice } from '../../../../record/codes.ts';
import {
  BALLOT_ADDRESS,
  type BallotTurn,
  type ShownBallot,
  TOKEN_HEADER,
  VOTE_ADDRESS,
  VOTER_HEADER,
} from '../../../shown-ballot.ts';

/** Why a ballot box could not answer. `stale`: the page is of an earlier start of its server. */
export type BoxFault = 'no_answer' | 'busy' | 'stale' | 'refused';

export type BoxAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: BoxFault };

const KEY = 'retake-voter';

/** The server of the page has the ballots and keeps the votes. @param token proves that a vote is of its page */
export function openBallotBox(token: string) {
  const { voter, isKept } = keptVoter();
  return {
    /** Whether the voter is known again once the page is loaded again. */
    isKept,
    next: (): Promise<BoxAnswer<BallotTurn>> =>
      ask(BALLOT_ADDRESS, { headers: { [VOTER_HEADER]: voter } }, (reply) => reply.json()),
    give: ({ ballot }: ShownBallot, choice: VoteChoice): Promise<BoxAnswer<null>> => {
      const headers = { 'content-type': 'application/json', [TOKEN_HEADER]: token };
      const body = JSON.stringify({ ballot, choice, voter });
      return ask(VOTE_ADDRESS, { method: 'POST', headers, body }, async () => null);
    },
  };
}

const FAULTS: Readonly<Record<number, BoxFault>> = { 403: 'stale', 404: 'stale', 503: 'busy' };

/** Two long videos may have to be made first, behind those of other voters. */
const LONGEST_MS = 120_000;

/** The vote came with an earlier request whose reply was lost. */
const KEPT_BEFORE = 409;

async function ask<T>(
  address: string,
  request: RequestInit,
  read: (reply: Response) => Promise<T>,
): Promise<BoxAnswer<T>> {
  try {
    const reply = await fetch(address, { ...request, signal: AbortSignal.timeout(LONGEST_MS) });
    if (reply.ok || reply.status === KEPT_BEFORE) return { ok: true, value: await read(reply) };
    return { ok: false, fault: FAULTS[reply.status] ?? 'refused' };
  } catch {
    return { ok: false, fault: 'no_answer' };
  }
}

/** The voter who was here before, so that a page that is loaded again goes on. */
function keptVoter(): { readonly voter: string; readonly isKept: boolean } {
  try {
    const kept = localStorage.getItem(KEY);
    const voter = kept !== null && /^[0-9a-f]{32}$/.test(kept) ? kept : newVoter();
    localStorage.setItem(KEY, voter);
    return { voter, isKept: true };
  } catch {
    return { voter: newVoter(), isKept: false };
  }
}

function newVoter(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
