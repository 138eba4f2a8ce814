import { count, plural } from '../../../kit/wording.ts';
import { allWithin, within } from '../../../markup/elements.ts';
import { Player } from '../../../markup/player.ts';
import { VOTE_CHOICES, type VoteChoice } from '../../../record/codes.ts';
import type { BallotTurn, ShownBallot } from '../../shown-ballot.ts';
import { type BoxAnswer, type BoxFault, openBallotBox } from './voting/ballot-box.ts';

/* The voting page: one ballot after the other. */

const KEYS: Readonly<Record<string, VoteChoice>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'neither',
  s: 'skip',
};

const FAULTS: Readonly<Record<BoxFault, string>> = {
  no_answer: 'There is no answer: retake vote has ended, or the network is down.',
  busy: 'Another program uses the run.',
  stale: 'retake vote was started again.',
  refused: 'retake vote could not do this.',
};

const main = within(document, 'main', HTMLElement);
const part = within(main, '.ballot', HTMLElement);
const prompt = within(part, '.prompt', HTMLElement);
const zoom = within(part, '.zoom', HTMLButtonElement);
const back = within(main, '.back', HTMLButtonElement);
const fault = within(main, '.fault', HTMLElement);
const sides = openSides(part);
const box = openBallotBox(main.dataset.token ?? '');

let open: BallotTurn | null = null;
/** What the last vote was on; null once the voter went back to it, where a later vote counts. */
let last: BallotTurn | null = null;
/** Until the next ballot can be seen, no key is a vote on it. */
const isBusy = (): boolean => main.hasAttribute('aria-busy');
let again = showNext;

document.documentElement.classList.add('scripted');
for (const button of allWithin(part, '[data-choice]', HTMLButtonElement)) {
  button.addEventListener('click', () => {
    const choice = VOTE_CHOICES.find((code) => code === button.dataset.choice);
    if (choice === undefined) return;
    // Else the space bar would vote once more in place of playing videos.
    prompt.focus({ preventScroll: true });
    choose(choice);
  });
}
zoom.addEventListener('click', toggleZoom);
back.addEventListener('click', goBack);
within(fault, '.again', HTMLButtonElement).addEventListener('click', () => again());
document.addEventListener('keydown', (event) => {
  const { target } = event;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  const choice = KEYS[key];
  if (choice !== undefined) choose(choice);
  else if (key === ' ' && !(target instanceof HTMLButtonElement)) sides.playFromStart();
  else if (key === 'z') toggleZoom();
  else if (key === 'b') goBack();
  else return;
  event.preventDefault();
});
showNext();

async function choose(choice: VoteChoice): Promise<void> {
  const ballot = open?.ballot ?? null;
  if (ballot === null || isBusy()) return;
  const given = await whileBusy(() => box.give(ballot, choice));
  if (!given.ok) {
    const isKnown = given.fault !== 'no_answer';
    const lost = isKnown ? 'is not kept.' : 'may not be kept. Try again: it counts once.';
    return sayFault(given.fault, `Your last vote ${lost}`, () => choose(choice));
  }
  last = open;
  await showNext();
}

async function goBack(): Promise<void> {
  if (last === null || isBusy()) return;
  const turn = last;
  last = null;
  await whileBusy(async () => ({ ok: true, value: await show(turn) }));
  prompt.focus({ preventScroll: true });
}

async function showNext(): Promise<void> {
  const turn = await whileBusy(async () => {
    const next = await box.next();
    if (next.ok) await show(next.value);
    return next;
  });
  if (!turn.ok) sayFault(turn.fault, 'Your votes so far are kept.', showNext);
}

async function whileBusy<T>(work: () => Promise<BoxAnswer<T>>): Promise<BoxAnswer<T>> {
  main.setAttribute('aria-busy', 'true');
  try {
    return await work();
  } finally {
    main.removeAttribute('aria-busy');
  }
}

async function show(turn: BallotTurn): Promise<void> {
  const { ballot, done, pairs, checks } = turn;
  const of = count(pairs + checks);
  fault.hidden = true;
  open = turn;
  const asked = ballot === null ? `All ${of} are done` : `Which ${ballot.fps === null ? 'image' : 'video'} is better?`;
  within(document, 'h1', HTMLElement).textContent = asked;
  if (ballot !== null) {
    prompt.textContent = ballot.prompt;
    const input = within(part, '.input', HTMLElement);
    input.hidden = ballot.input === null;
    within(input, 'img', HTMLImageElement).src = ballot.input ?? '';
    part.hidden = false;
    await sides.show(ballot);
  }
  part.hidden = ballot === null;
  back.hidden = last === null;
  within(main, '.end', HTMLElement).hidden = ballot !== null;
  within(main, '.count', HTMLElement).textContent =
    `${count(ballot === null ? done : done + 1)} of ${of}: ${plural(pairs, 'pair')} and ${plural(checks, 'check')}`;
  within(main, '.kept', HTMLElement).hidden = box.isKept;
}

function sayFault(why: BoxFault, consequence: string, retry: () => Promise<void>): void {
  const isStale = why === 'stale';
  again = isStale ? async () => location.reload() : retry;
  within(fault, 'p', HTMLElement).textContent = `${FAULTS[why]} ${consequence}`;
  within(fault, '.again', HTMLButtonElement).textContent = isStale ? 'Load the page again' : 'Try again';
  fault.hidden = false;
}

function toggleZoom(): void {
  const isFull = main.classList.toggle('full');
  zoom.setAttribute('aria-pressed', String(isFull));
}

interface ShownSides {
  /** Resolves once both sides can be seen. */
  readonly show: (ballot: ShownBallot) => Promise<void>;
  /** Plays both videos in step; does nothing for images. */
  readonly playFromStart: () => void;
}

/** Both sides of a ballot appear at once: neither is there before the other. */
function openSides(part: HTMLElement): ShownSides {
  const sides = (['left', 'right'] as const).map((name) => {
    const side = within(part, `.side[data-choice=${name}]`, HTMLButtonElement);
    return { name, side, image: within(side, 'img', HTMLImageElement), video: within(side, 'video', HTMLVideoElement) };
  });
  const player = new Player(within(part, '.player', HTMLElement), () => {});
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  let fps: number | null = null;
  const take = (stoppedAtS: number | null): void =>
    player.take(fps === null ? [] : sides.map(({ video }) => ({ element: video, fps })), stoppedAtS);
  const playFromStart = (): void => {
    if (fps !== null) take(null);
  };
  within(part, '.restart', HTMLButtonElement).addEventListener('click', playFromStart);
  return {
    show: async (ballot) => {
      fps = null;
      take(0);
      const isVideo = ballot.fps !== null;
      for (const { side, image, video } of sides) {
        within(side, '.kind', HTMLElement).textContent = isVideo ? 'video' : 'image';
        image.hidden = isVideo;
        video.hidden = !isVideo;
      }
      await Promise.all(
        sides.map(({ name, image, video }) =>
          isVideo ? loadVideo(video, ballot[name]) : loadImage(image, ballot[name]),
        ),
      );
      fps = ballot.fps;
      take(isCalm.matches ? 0 : null);
    },
    playFromStart,
  };
}

async function loadImage(image: HTMLImageElement, url: string): Promise<void> {
  image.src = url;
  await image.decode().catch(() => {});
}

/** A video that cannot be shown is not waited for. */
function loadVideo(video: HTMLVideoElement, url: string): Promise<void> {
  return new Promise((resolve) => {
    video.onloadeddata = () => resolve();
    video.onerror = () => resolve();
    video.src = url;
  });
}
