import { VOTE_CHOICES } from '../../record/codes.ts';
import type { Vote } from '../../record/score.ts';

const VOTER = /^[0-9a-f]{32}$/;

export function isVoter(text: unknown): text is string {
  return typeof text === 'string' && VOTER.test(text);
}

/** A vote as JSON with `ballot`, `choice` and `voter`, nothing else; null if it is not one. */
export function readVote(body: string): Vote | null {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof sent !== 'object' || sent === null || Object.keys(sent).length !== 3) return null;
  if (!('ballot' in sent && 'choice' in sent && 'voter' in sent)) return null;
  const { ballot, voter } = sent;
  const choice = VOTE_CHOICES.find((each) => each === sent.choice);
  if (typeof ballot !== 'string' || choice === undefined || !isVoter(voter)) return null;
  return { line: 'vote', ballot, choice, voter };
}
