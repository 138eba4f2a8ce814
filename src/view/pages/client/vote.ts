import type { VoteChoice } from '../../../record/model/vote-choices.ts';
import { allWithin, within } from '../../../report/html/client/elements.ts';
import type { ShownBallot } from '../parts/shown-ballot.ts';

/* The voting page: one ballot after the other; the votes stay in this browser until they are saved to a file. */

const KEYS: Readonly<Record<string, VoteChoice>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'neither',
  s: 'skip',
  S: 'skip',
};

const ballots: readonly ShownBallot[] = JSON.parse(within(document, '#ballots', HTMLScriptElement).text);
// Votes on other ballots are of another file.
const place = `retake-votes ${ballots[0]?.ballot ?? ''}`;
const kept = keptVotes();
const voter = kept?.voter ?? newVoter();
const votes = new Map<string, VoteChoice>(kept?.votes ?? []);

const main = within(document, 'main', HTMLElement);
const save = within(main, '.save-votes', HTMLButtonElement);
const zoom = within(main, '.zoom', HTMLButtonElement);

document.documentElement.classList.add('scripted');
for (const button of allWithin(main, '[data-choice]', HTMLButtonElement)) {
  button.addEventListener('click', () => choose(choiceOf(button.dataset.choice)));
}
zoom.addEventListener('click', toggleZoom);
save.addEventListener('click', saveVotes);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const choice = KEYS[event.key];
  if (choice === undefined && event.key.toLowerCase() !== 'z') return;
  event.preventDefault();
  if (choice === undefined) toggleZoom();
  else choose(choice);
});
show();

function open(): ShownBallot | undefined {
  return ballots.find(({ ballot }) => !votes.has(ballot));
}

function choose(choice: VoteChoice | null): void {
  const ballot = open();
  if (ballot === undefined || choice === null) return;
  votes.set(ballot.ballot, choice);
  keepVotes();
  show();
}

function show(): void {
  const ballot = open();
  const done = votes.size;
  within(main, '.count', HTMLElement).textContent =
    ballot === undefined ? `${done} of ${ballots.length}` : `${done + 1} of ${ballots.length}`;
  within(main, '.ballot', HTMLElement).hidden = ballot === undefined;
  within(main, '.end', HTMLElement).hidden = ballot !== undefined;
  save.disabled = done === 0;
  if (ballot === undefined) return;
  within(main, '.prompt', HTMLElement).textContent = ballot.prompt;
  const input = within(main, '.input', HTMLElement);
  input.hidden = ballot.input === null;
  within(input, 'img', HTMLImageElement).src = ballot.input ?? '';
  within(main, '.side[data-choice=left] img', HTMLImageElement).src = ballot.left;
  within(main, '.side[data-choice=right] img', HTMLImageElement).src = ballot.right;
}

function toggleZoom(): void {
  const full = main.classList.toggle('full');
  zoom.setAttribute('aria-pressed', String(full));
}

function saveVotes(): void {
  const rows = [...votes].map(([ballot, choice]) => `${ballot},${choice},${voter}\n`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['ballot,choice,voter\n', ...rows], { type: 'text/csv' }));
  link.download = 'votes.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

function choiceOf(text: string | undefined): VoteChoice | null {
  return text === 'left' || text === 'right' || text === 'neither' || text === 'skip' ? text : null;
}

function newVoter(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function keepVotes(): void {
  const words = within(main, '.kept', HTMLElement);
  try {
    localStorage.setItem(place, JSON.stringify({ voter, votes: [...votes] }));
    words.textContent = 'Your votes stay in this browser until you save them.';
  } catch {
    words.textContent = 'This browser keeps nothing: save your votes before you close the page.';
  }
}

function keptVotes(): { readonly voter: string; readonly votes: readonly (readonly [string, VoteChoice])[] } | null {
  try {
    return JSON.parse(localStorage.getItem(place) ?? 'null');
  } catch {
    return null;
  }
}
