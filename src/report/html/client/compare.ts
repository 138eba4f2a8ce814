import { allWithin, within } from './elements.ts';
import type { HoverPlayer } from './hover-player.ts';

interface Side {
  readonly choice: HTMLSelectElement;
  readonly stage: HTMLElement;
  readonly caption: HTMLElement;
}

/** The compare view; what it gives opens it with an image, and the one nearest to it beside. */
export function openingCompare(dialog: HTMLDialogElement, player: HoverPlayer): (pick: HTMLElement) => void {
  const title = within(dialog, '#compare-prompt', HTMLElement);
  const [left, right] = allWithin(dialog, 'figure', HTMLElement).map(
    (figure): Side => ({
      choice: within(figure, 'select', HTMLSelectElement),
      stage: within(figure, '.stage', HTMLElement),
      caption: within(figure, 'figcaption', HTMLElement),
    }),
  );
  if (left === undefined || right === undefined) throw new Error('the compare view has two sides');
  let picks: readonly HTMLElement[] = [];

  const show = ({ choice, stage, caption }: Side): void => {
    const media = picks[choice.selectedIndex]?.querySelector('img, video')?.cloneNode();
    if (!(media instanceof HTMLElement)) return;
    media.removeAttribute('id');
    if (media instanceof HTMLVideoElement) {
      media.controls = true;
      media.autoplay = !player.isCalm();
    }
    stage.replaceChildren(media);
    // Both from their beginning: two takes are compared in step.
    for (const video of allWithin(dialog, 'video', HTMLVideoElement)) video.currentTime = 0;
    caption.textContent = '';
  };

  const choose = (side: Side, index: number): void => {
    side.choice.selectedIndex = (index + picks.length) % picks.length;
    show(side);
  };

  const open = (pick: HTMLElement): void => {
    const prompt = pick.closest('.prompt');
    if (prompt === null) return;
    picks = allWithin(prompt, '.pick', HTMLElement).filter((each) => each.querySelector('img, video') !== null);
    title.textContent = within(prompt, 'h4', HTMLElement).textContent;
    for (const { choice } of [left, right]) {
      choice.replaceChildren(...picks.map((each) => new Option(nameOf(each))));
    }
    choose(left, picks.indexOf(pick));
    choose(right, picks.indexOf(besideOf(pick, picks)));
    player.stop();
    dialog.showModal();
  };

  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  within(dialog, '#compare-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', ({ target, key }) => {
    if (target instanceof HTMLSelectElement || target instanceof HTMLVideoElement) return;
    if (key === 'ArrowRight') choose(right, right.choice.selectedIndex + 1);
    if (key === 'ArrowLeft') choose(right, right.choice.selectedIndex - 1);
  });
  dialog.addEventListener('close', () => {
    for (const { stage } of [left, right]) stage.replaceChildren();
  });
  for (const side of [left, right]) side.choice.addEventListener('change', () => show(side));
  return open;
}

/** What an image or video is called: `fox, fast, seed 1, take 2`. */
function nameOf(pick: HTMLElement): string {
  const media = pick.querySelector('img, video');
  return media instanceof HTMLImageElement ? media.alt : (media?.getAttribute('aria-label') ?? '');
}

/** Another output of the same cell, else the next one, else the first. */
function besideOf(pick: HTMLElement, picks: readonly HTMLElement[]): HTMLElement {
  const others = picks.filter((each) => each !== pick);
  return (
    others.find(({ dataset }) => dataset.cell === pick.dataset.cell) ??
    others.find((each) => picks.indexOf(each) > picks.indexOf(pick)) ??
    others[0] ??
    pick
  );
}
