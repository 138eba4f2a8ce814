import { allWithin, closable, within } from '../../../markup/elements.ts';
import { openPlayer } from '../../../markup/player.ts';
import { type OutputFacts, outputOf } from '../page-facts.ts';
import { alike, largestOf } from './alike.ts';
import { type BetweenWords, besideBaseline, namesOf, pairsBetween } from './between.ts';
import {
  type ComparedAddress,
  comparedOf,
  FIRST_SETTING,
  hashOfCompared,
  isComparison,
  LAYOUTS,
  type Layout,
  type OverlayLayout,
} from './compare-hash.ts';
import { ARROWS, isControl, isField, KEYS, STEPS } from './keys.ts';
import type { ShownMedia } from './load-media.ts';
import { showMark, showOpposites } from './mark.ts';
import { openOverlay } from './overlay.ts';
import { type CompareSide, openSide } from './side.ts';
import { moved, type View, WHOLE, type ZoomFrame, zoomed } from './stage.ts';
import { openTurns, type RowsBeside } from './turn.ts';

/** CSS pixels for Shift and an arrow key. */
const KEY_MOVE = 80;

/** An image that moves changes the address only in the end: browsers limit changes of the address. */
const SETTLED_MS = 300;

export interface CompareOptions {
  readonly isCalm: () => boolean;
  readonly between: BetweenWords;
  readonly rows: RowsBeside;
  /** Makes the part of the page ready that has a cell. */
  readonly prepare: (cell: number) => void;
  /** Where the address leads after a view that a link opened is closed. */
  readonly place: `#${string}`;
}

export interface CompareView {
  /** For a choice on the page: Back closes the view. */
  readonly open: (compared: ComparedAddress) => void;
  /** Opens the comparison of the address; closes the view where there is none. */
  readonly follow: () => void;
}

export function compareView(
  dialog: HTMLDialogElement,
  { isCalm, between: words, rows, prepare, place }: CompareOptions,
): CompareView {
  const title = within(dialog, '#compare-prompt', HTMLElement);
  const seed = within(dialog, '#compare-seed', HTMLElement);
  const text = within(dialog, '#compare-text', HTMLElement);
  const between = within(dialog, '.between', HTMLElement);
  const zoomWords = within(dialog, '.zoom output', HTMLOutputElement);
  const overlayBox = within(dialog, '.overlay', HTMLElement);
  const radios = allWithin(dialog, '.views input', HTMLInputElement);
  let view: View = WHOLE;
  let layout: Layout = 'side';
  const against = within(dialog, '.against', HTMLElement);
  let settling = 0;
  let marked = 0;

  const change = (changed: View): void => {
    view = changed;
    placeAll();
    settled();
  };
  const settled = (): void => {
    clearTimeout(settling);
    settling = setTimeout(tellAddress, SETTLED_MS);
  };
  const events = { view: () => view, change };
  const [left, right, third] = allWithin(dialog, '.sides > figure', HTMLElement).map((figure, at) =>
    openSide(figure, at === 2, events),
  );
  if (left === undefined || right === undefined || third === undefined)
    throw new Error('the compare view has three sides');
  const sides: readonly CompareSide[] = [left, right, third];
  const overlay = openOverlay(dialog, events, isCalm, settled);
  const player = openPlayer(within(dialog, '.player', HTMLElement), () => overlay.draw(), settled);

  const frameNow = (): ZoomFrame | null => (layout === 'side' ? left.stage.frame() : overlay.frame());
  const placeAll = (): void => {
    for (const { stage } of sides) stage.place();
    overlay.draw();
    zoomWords.textContent = view.zoom === 'fit' ? 'fit' : `${Math.round(100 * view.zoom)} %`;
    for (const { classList } of allWithin(dialog, '.stage', HTMLElement))
      classList.toggle('movable', view.zoom !== 'fit');
  };

  const outputsNow = (): ComparedAddress['outputs'] | null => {
    const [one, other, another] = sides.map((side) => side.output());
    if (!one || !other) return null;
    return another ? [one, other, another] : [one, other];
  };
  /** What views of two show beside the left one. */
  const opposite = (): CompareSide => (marked === 2 && third.output() !== null ? third : right);

  /** The address can be passed on. */
  const tellAddress = (): void => {
    const outputs = outputsNow();
    if (outputs === null || !dialog.open) return;
    const setting = { view, ...overlay.setting(), stoppedAtS: isCalm() ? null : player.stoppedAtS() };
    history.replaceState(history.state, '', hashOfCompared({ outputs, marked, layout, ...setting }));
  };

  const render = async (stoppedAtS: number | null = isCalm() ? 0 : null): Promise<void> => {
    dialog.dataset.view = layout;
    overlayBox.hidden = layout === 'side';
    overlay.clear();
    for (const radio of radios) radio.checked = radio.value === layout;
    right.figure.hidden = layout !== 'side' && opposite() !== right;
    third.figure.hidden = layout === 'side' ? !third.hasChoice() : opposite() !== third;
    third.figure.classList.toggle('none', third.output() === null);
    const outputs = outputsNow();
    between.replaceChildren(
      ...(outputs === null
        ? []
        : pairsBetween(layout === 'side' ? outputs : [outputs[0], opposite().output() ?? outputs[1]], words)),
    );
    const figures = sides.map(({ figure }) => figure);
    showMark(figures, outputs === null ? null : marked);
    showOpposites(against, outputs, layout === 'side' ? null : opposite().output(), (place) => {
      marked = place;
      void render(player.stoppedAtS() ?? undefined);
    });
    const shown = sides.map((side) => side.shown());
    for (const media of shown)
      if (media !== null) Object.assign(media.element.style, { visibility: '', objectFit: '' });
    if (layout === 'side') for (const side of sides) showSide(side);
    else await showOverlay(layout, left, opposite());
    const videos = shown.flatMap((media, at) =>
      media?.element instanceof HTMLVideoElement
        ? [{ element: media.element, fps: sides[at]?.output()?.fps ?? null }]
        : [],
    );
    player.take(
      layout === 'side' ? videos : videos.filter((_, at) => at === 0 || sides[at] === opposite()),
      stoppedAtS,
    );
    placeAll();
    tellAddress();
  };

  const showOverlay = async (how: OverlayLayout, a: CompareSide, b: CompareSide): Promise<void> => {
    const [one, other] = [a.shown(), b.shown()];
    const [first, second] = [a.output(), b.output()];
    if (one === null || other === null || first === null || second === null) return;
    const pair = how === 'difference' ? await alike([one, first], [other, second]) : ([one, other] as const);
    if (pair === null || layout !== how) return;
    const largest = how === 'difference' ? await largestOf([pair[0], first], [pair[1], second]) : null;
    const nameOf = namesOf([first, second]);
    const [under, over] = [
      { ...pair[0], name: nameOf(first) },
      { ...pair[1], name: nameOf(second) },
    ];
    if (layout === how) overlay.show(how, under, over, { ...sizeOf(first, one), largest });
  };

  const chooseAll = async (
    choices: readonly (readonly [CompareSide, number])[],
    stoppedAtS?: number | null,
  ): Promise<void> => {
    await Promise.all(choices.map(([side, index]) => side.choose(index)));
    await render(stoppedAtS);
  };

  const show = ({
    outputs: [one, other, another],
    marked: place,
    layout: wanted,
    ...setting
  }: ComparedAddress): void => {
    const prompt = document.getElementById(`cell-${one.cell.number}`)?.closest('.prompt') ?? null;
    if (prompt === null) return;
    prepare(one.cell.number);
    const outputs = allWithin(prompt, '.pick', HTMLElement).flatMap((each) => outputOf(each) ?? []);
    title.textContent = one.cell.prompt;
    seed.textContent = `, seed ${one.cell.seed}`;
    text.textContent = one.cell.promptText;
    for (const side of sides) side.offer(outputs);
    view = setting.view;
    layout = wanted;
    marked = place;
    turns.show(one);
    overlay.set(setting);
    if (!dialog.open) {
      dialog.showModal();
      // By default the close button has the focus: Space would close the view, not play.
      dialog.focus();
    }
    void chooseAll(
      [
        [left, outputs.indexOf(one)],
        [right, outputs.indexOf(other)],
        [third, another === undefined ? -1 : outputs.indexOf(another)],
      ],
      setting.stoppedAtS ?? undefined,
    );
  };

  const turns = openTurns(within(dialog, '.turn', HTMLElement), rows, outputsNow, (outputs) => {
    const stoppedAtS = player.stoppedAtS() === null ? null : 0;
    show({ outputs, marked: Math.min(marked, outputs.length - 1), layout, view, ...overlay.setting(), stoppedAtS });
  });

  const open = (compared: ComparedAddress): void => {
    // An entry of its own: Back closes the view, as on every page.
    history.pushState(OPENED_HERE, '', hashOfCompared(compared));
    show(compared);
  };
  const follow = (): void => {
    const compared = comparedOf(location.hash);
    if (compared !== null) show(compared);
    else if (dialog.open) dialog.close();
  };

  for (const side of sides) {
    side.choice.addEventListener('change', () => {
      void chooseAll([[side, side.choice.selectedIndex - (side === third ? 1 : 0)]]);
    });
  }
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      layout = LAYOUTS.find((each) => each === radio.value) ?? 'side';
      void render(player.stoppedAtS() ?? undefined);
    });
  }
  const zoomBy = (how: string): void => {
    const frame = frameNow();
    if (how === 'fit') change(WHOLE);
    else if (how === '1') change({ ...view, zoom: 1 });
    else if (frame !== null && (how === 'in' || how === 'out')) change(zoomed(view, frame, how));
  };
  for (const button of allWithin(dialog, '.zoom button', HTMLButtonElement)) {
    button.addEventListener('click', () => zoomBy(button.dataset.zoom ?? 'fit'));
  }

  dialog.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (key === ' ') {
      if (!isControl(target) && player.toggle()) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frames = STEPS[key];
    if (frames !== undefined && !(target instanceof HTMLSelectElement) && player.step(frames)) {
      event.preventDefault();
      return;
    }
    if (isField(target)) return;
    const by = ARROWS[key];
    const frame = frameNow();
    if (by !== undefined && event.shiftKey && frame !== null)
      change(moved(view, frame, by[0] * KEY_MOVE, by[1] * KEY_MOVE));
    else if (key === 'ArrowRight') turns.by(1);
    else if (key === 'ArrowLeft') turns.by(-1);
    else if (key === 'ArrowDown') void chooseAll([[opposite(), opposite().index() + 1]]);
    else if (key === 'ArrowUp') void chooseAll([[opposite(), opposite().index() - 1]]);
    else if (KEYS[key] !== undefined) zoomBy(KEYS[key]);
    else if (key === 'v') {
      layout = LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length] ?? 'side';
      void render(player.stoppedAtS() ?? undefined);
    } else return;
    event.preventDefault();
  });
  dialog.addEventListener('close', () => {
    clearTimeout(settling);
    // After Back the address leads elsewhere already. A link to a comparison must not stay when it closes.
    if (isComparison(location.hash)) {
      if (isOpenedHere(history.state)) history.back();
      else history.replaceState(null, '', place);
    }
    player.take([], 0);
    overlay.clear();
    for (const side of sides) side.clear();
  });
  closable(dialog);
  return { open, follow };
}

/** Marks a view that was opened by a choice on the page, in the browser's history. */
const OPENED_HERE = { comparison: 'opened here' };

function isOpenedHere(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'comparison' in state;
}

function showSide(side: CompareSide): void {
  const [output, shown] = [side.output(), side.shown()];
  if (output === null || shown === null) side.stage.clear();
  else side.stage.show([shown.element], sizeOf(output, shown));
}

function sizeOf(output: OutputFacts, shown: ShownMedia): { readonly width: number; readonly height: number } {
  return { width: output.width ?? shown.width, height: output.height ?? shown.height };
}

export function clickedOutput(pick: HTMLElement): ComparedAddress | null {
  const output = outputOf(pick);
  const prompt = document.getElementById(`cell-${pick.dataset.cell}`)?.closest('.prompt') ?? null;
  if (output === null || prompt === null) return null;
  const outputs = allWithin(prompt, '.pick', HTMLElement).flatMap((each) => outputOf(each) ?? []);
  const row = besideBaseline(output, outputs);
  return { outputs: row, marked: Math.max(0, row.indexOf(output)), layout: 'side', ...FIRST_SETTING };
}
