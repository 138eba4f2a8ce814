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

  const filmOf = (pick: HTMLElement, drawing: Element): HTMLVideoElement => {
    const video = player.videoOf(pick);
    const used = drawing.querySelector('use')?.getAttribute('href') ?? null;
    const image = used === null ? drawing.querySelector('image') : document.querySelector(used);
    video.poster = image?.getAttribute('href') ?? '';
    video.controls = true;
    video.autoplay = !player.isCalm();
    return video;
  };

  const show = ({ choice, stage, caption }: Side): void => {
    const pick = picks[choice.selectedIndex];
    if (pick === undefined) return;
    const drawing = within(pick, 'svg', SVGElement).cloneNode(true);
    if (!(drawing instanceof SVGElement)) return;
    for (const image of drawing.querySelectorAll('[id]')) image.removeAttribute('id');
    stage.replaceChildren(pick.dataset.video === undefined ? drawing : filmOf(pick, drawing));
    // Both from their beginning: two takes are compared in step.
    for (const video of allWithin(dialog, 'video', HTMLVideoElement)) video.currentTime = 0;
    caption.textContent = `sha256 ${pick.dataset.digest}…`;
  };

  const choose = (side: Side, index: number): void => {
    side.choice.selectedIndex = (index + picks.length) % picks.length;
    show(side);
  };

  const open = (pick: HTMLElement): void => {
    const prompt = pick.closest('.prompt');
    if (prompt === null) return;
    picks = allWithin(prompt, '.pick', HTMLElement);
    title.textContent = within(prompt, 'h4', HTMLElement).textContent;
    for (const { choice } of [left, right]) {
      choice.replaceChildren(...picks.map(({ dataset }) => new Option(dataset.label)));
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

/** Another output of the same cell, else the next with the same seed, else any with it, else itself. */
function besideOf(pick: HTMLElement, picks: readonly HTMLElement[]): HTMLElement {
  const others = picks.filter((each) => each !== pick);
  const sameSeed = others.filter(({ dataset }) => dataset.seed === pick.dataset.seed);
  return (
    others.find((each) => each.closest('td') === pick.closest('td')) ??
    sameSeed.find((each) => picks.indexOf(each) > picks.indexOf(pick)) ??
    sameSeed[0] ??
    pick
  );
}
