import { allWithin } from '../../../../markup/elements.ts';
import type { VoteChoice } from '../../../../record/codes.ts';
import type { ShownBallot } from '../../../shown-ballot.ts';
import { type BallotBox, newVoter } from './ballot-box.ts';

/** The ballots are in the page; the votes stay in this browser until a button saves them to a file. */
export function fileBox(save: HTMLButtonElement): BallotBox {
  const places = allWithin(document, 'script.shown', HTMLScriptElement);
  const first = places[0] === undefined ? '' : ballotIn(places[0]).ballot;
  // Votes on other ballots are of another file.
  const key = `retake-votes ${first}`;
  const kept = keptVotes(key);
  const voter = kept?.voter ?? newVoter();
  const votes = new Map<string, VoteChoice>(kept?.votes ?? []);
  let words = '';

  const keep = (): void => {
    save.disabled = votes.size === 0;
    try {
      localStorage.setItem(key, JSON.stringify({ voter, votes: [...votes] }));
      words = 'Your votes are only in this browser: save them, and send the file.';
    } catch {
      words = 'This browser keeps nothing: save your votes before you close the page.';
    }
  };
  keep();
  save.addEventListener('click', () => {
    const rows = [...votes].map(([ballot, choice]) => `${ballot},${choice},${voter}\n`);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['ballot,choice,voter\n', ...rows], { type: 'text/csv' }));
    link.download = 'votes.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  let at = 0;
  return {
    next: async () => {
      for (const place of places.slice(at)) {
        const ballot = ballotIn(place);
        if (!votes.has(ballot.ballot)) return { ok: true, value: { ballot, done: votes.size, of: places.length } };
        at += 1;
      }
      return { ok: true, value: { ballot: null, done: votes.size, of: places.length } };
    },
    give: async ({ ballot }, choice) => {
      votes.set(ballot, choice);
      keep();
      return { ok: true, value: null };
    },
    words: () => words,
  };
}

function ballotIn(place: HTMLScriptElement): ShownBallot {
  return JSON.parse(place.text);
}

function keptVotes(key: string): {
  readonly voter: string;
  readonly votes: readonly (readonly [string, VoteChoice])[];
} | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
