import { allWithin, closable, make, within } from '../../../markup/elements.ts';
import { INPUT } from '../../../markup/page-data.ts';
import { Player } from '../../../markup/player.ts';
import { type OutputFacts, outputOf } from '../page-facts.ts';
import { besideBaseline, betweenWords } from './between.ts';
import {
  type ComparedAddress,
  comparedOf,
  hashOfCompared,
  isComparison,
  LAYOUTS,
  type Layout,
  type OverlayLayout,
} from './compare-hash.ts';
import { alike, largestOf } from './draw-difference.ts';
import { outlineOf, type ShownMedia } from './load-media.ts';
import { Overlay } from './overlay.ts';
import { type CompareSide, openSide } from './side.ts';
import { moved, type View, WHOLE, type ZoomFrame, zoomed } from './stage.ts';
import { ARROWS, isControl, isField, KEYS, openTurns, type RowsBeside, STEPS, type Turns } from './turn.ts';

/** CSS pixels that Shift and an arrow key move. */
const KEY_MOVE = 80;

export interface CompareOptions {
  readonly isCalm: () => boolean;
  readonly rows: RowsBeside;
  /** Prepares the part of the page that holds a cell. */
  readonly prepare: (cell: number) => void;
  /** Address after closing a view that a link opened. */
  readonly place: `#${string}`;
}

/** The dialog that compares two outputs. The address has both, and how they are laid out. */
export class CompareView {
  readonly #dialog: HTMLDialogElement;
  readonly #options: CompareOptions;
  readonly #sides: readonly [left: CompareSide, right: CompareSide];
  readonly #overlay: Overlay;
  readonly #player: Player;
  readonly #turns: Turns;
  #view: View = WHOLE;
  #layout: Layout = 'side';
  /** Whether the address has left the comparison, or is about to: one view may say twice that it closed. */
  #isLeft = false;

  constructor(dialog: HTMLDialogElement, options: CompareOptions) {
    this.#dialog = dialog;
    this.#options = options;
    const events = { view: () => this.#view, change: (view: View) => this.#change(view) };
    const [left, right] = allWithin(dialog, '.sides > figure', HTMLElement).map((figure) => openSide(figure, events));
    if (left === undefined || right === undefined) throw new Error('the compare view has two sides');
    this.#sides = [left, right];
    this.#overlay = new Overlay(dialog, events);
    this.#player = new Player(within(dialog, '.player', HTMLElement), () => this.#overlay.draw());
    this.#turns = openTurns(
      within(dialog, '.turn', HTMLElement),
      options.rows,
      () => this.#outputs(),
      (outputs) => this.#show({ outputs, layout: this.#layout }, this.#player.stoppedAtS() === null ? undefined : 0),
    );
    this.#listen();
  }

  /** For a choice on the page: Back closes the view. */
  open(compared: ComparedAddress): void {
    history.pushState(OPENED_HERE, '', hashOfCompared(compared));
    this.#begin(compared);
  }

  /** Opens the comparison of the address; closes the view where there is none. */
  follow(): void {
    const compared = comparedOf(location.hash);
    if (compared !== null) this.#begin(compared);
    else if (this.#dialog.open) {
      this.#isLeft = true;
      this.#dialog.close();
    }
  }

  #listen(): void {
    for (const side of this.#sides)
      side.choice.addEventListener('change', () => void this.#choose([[side, side.choice.selectedIndex]]));
    for (const radio of allWithin(this.#dialog, '.views input', HTMLInputElement))
      radio.addEventListener('change', () => this.#layOut(LAYOUTS.find((layout) => layout === radio.value) ?? 'side'));
    for (const button of allWithin(this.#dialog, '.zoom button', HTMLButtonElement))
      button.addEventListener('click', () => this.#zoomBy(button.dataset.zoom ?? 'fit'));
    this.#dialog.addEventListener('keydown', (event) => this.#press(event));
    this.#dialog.addEventListener('close', () => this.#closed());
    closable(this.#dialog);
  }

  #outputs(): ComparedAddress['outputs'] | null {
    const [left, right] = this.#sides.map((side) => side.output());
    return left && right ? [left, right] : null;
  }

  #frame(): ZoomFrame | null {
    return this.#layout === 'side' ? this.#sides[0].stage.frame() : this.#overlay.frame();
  }

  #change(view: View): void {
    this.#view = view;
    this.#place();
  }

  #place(): void {
    const { zoom } = this.#view;
    for (const { stage } of this.#sides) stage.place();
    this.#overlay.draw();
    within(this.#dialog, '.zoom output', HTMLOutputElement).textContent =
      zoom === 'fit' ? 'fit' : `${Math.round(100 * zoom)} %`;
    for (const { classList } of allWithin(this.#dialog, '.stage', HTMLElement))
      classList.toggle('movable', zoom !== 'fit');
  }

  #tellAddress(): void {
    const outputs = this.#outputs();
    if (outputs === null || !this.#dialog.open || !isComparison(location.hash)) return;
    history.replaceState(history.state, '', hashOfCompared({ outputs, layout: this.#layout }));
  }

  #begin(compared: ComparedAddress): void {
    this.#view = WHOLE;
    this.#overlay.reset();
    this.#show(compared);
  }

  #show({ outputs: [left, right], layout }: ComparedAddress, stoppedAtS?: number): void {
    const prompt = document.getElementById(`cell-${left.cell.number}`)?.closest('.prompt') ?? null;
    if (prompt === null) return;
    const dialog = this.#dialog;
    this.#options.prepare(left.cell.number);
    const outputs = outputsIn(prompt).filter(({ number, cell }) => number !== INPUT || cell.seed === left.cell.seed);
    within(dialog, '#compare-prompt', HTMLElement).textContent = left.cell.prompt;
    within(dialog, '#compare-seed', HTMLElement).textContent = `, seed ${left.cell.seed}`;
    within(dialog, '#compare-text', HTMLElement).textContent = left.cell.promptText;
    for (const side of this.#sides) side.offer(outputs);
    this.#layout = layout;
    this.#turns.show(left);
    this.#isLeft = false;
    if (!dialog.open) {
      dialog.showModal();
      // By default the close button has the focus: Space would close the view, not play.
      dialog.focus();
    }
    const [one, other] = this.#sides;
    const choices = [
      [one, placeIn(outputs, left)],
      [other, placeIn(outputs, right)],
    ] as const;
    void this.#choose(choices, stoppedAtS);
  }

  async #choose(choices: readonly (readonly [CompareSide, number])[], stoppedAtS?: number): Promise<void> {
    await Promise.all(choices.map(([side, index]) => side.choose(index)));
    await this.#render(stoppedAtS);
  }

  #layOut(layout: Layout): void {
    this.#layout = layout;
    void this.#render(this.#player.stoppedAtS() ?? undefined);
  }

  async #render(stoppedAtS: number | null = this.#options.isCalm() ? 0 : null): Promise<void> {
    const layout = this.#layout;
    this.#dialog.dataset.view = layout;
    within(this.#dialog, '.overlay', HTMLElement).hidden = layout === 'side';
    this.#overlay.clear();
    for (const radio of allWithin(this.#dialog, '.views input', HTMLInputElement))
      radio.checked = radio.value === layout;
    const outputs = this.#outputs();
    const between = outputs === null ? [] : [make('p', '', betweenWords(...outputs))];
    within(this.#dialog, '.between', HTMLElement).replaceChildren(...between);
    for (const side of this.#sides) {
      const { style } = side.shown()?.element ?? {};
      if (style !== undefined) Object.assign(style, { visibility: '', objectFit: '' });
    }
    if (layout === 'side') for (const side of this.#sides) showSide(side);
    else await this.#showOverlay(layout);
    const videos = this.#sides.flatMap((side) => {
      const element = side.shown()?.element;
      return element instanceof HTMLVideoElement ? [{ element, fps: side.output()?.fps ?? null }] : [];
    });
    this.#player.take(videos, stoppedAtS);
    this.#place();
    this.#tellAddress();
  }

  async #showOverlay(layout: OverlayLayout): Promise<void> {
    const [one, other] = this.#sides.map((side) => side.shown());
    const outputs = this.#outputs();
    if (!one || !other || outputs === null) return;
    const [first, second] = outputs;
    const pair = layout === 'difference' ? await alike([one, first], [other, second]) : ([one, other] as const);
    if (pair === null || this.#layout !== layout) return;
    const largest = layout === 'difference' ? await largestOf([pair[0], first], [pair[1], second]) : null;
    if (this.#layout === layout) this.#overlay.show(layout, pair, { ...sizeOf(first, one), largest });
  }

  #zoomBy(how: string): void {
    const frame = this.#frame();
    if (how === 'fit') this.#change(WHOLE);
    else if (how === '1') this.#change({ ...this.#view, zoom: 1 });
    else if (frame !== null && (how === 'in' || how === 'out')) this.#change(zoomed(this.#view, frame, how));
  }

  #press(event: KeyboardEvent): void {
    const { target, key } = event;
    if (key === ' ') {
      if (!isControl(target) && this.#player.toggle()) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frames = STEPS[key];
    if (frames !== undefined && !(target instanceof HTMLSelectElement) && this.#player.step(frames))
      event.preventDefault();
    else if (!isField(target) && this.#steer(key, event.shiftKey)) event.preventDefault();
  }

  /** False if the key has no meaning. */
  #steer(key: string, isShift: boolean): boolean {
    const [, right] = this.#sides;
    const by = ARROWS[key];
    const frame = this.#frame();
    if (by !== undefined && isShift && frame !== null)
      this.#change(moved(this.#view, frame, by[0] * KEY_MOVE, by[1] * KEY_MOVE));
    else if (key === 'ArrowRight') this.#turns.by(1);
    else if (key === 'ArrowLeft') this.#turns.by(-1);
    else if (key === 'ArrowDown') void this.#choose([[right, right.index() + 1]]);
    else if (key === 'ArrowUp') void this.#choose([[right, right.index() - 1]]);
    else if (KEYS[key] !== undefined) this.#zoomBy(KEYS[key]);
    else if (key === 'v') this.#layOut(LAYOUTS[(LAYOUTS.indexOf(this.#layout) + 1) % LAYOUTS.length] ?? 'side');
    else return false;
    return true;
  }

  /** Comes some time after the view closed: Forward may have opened it again by then. */
  #closed(): void {
    if (this.#dialog.open) return;
    // Where Back closed it, the address led elsewhere. A link to a comparison must not stay when its view is closed.
    if (!this.#isLeft && isComparison(location.hash)) {
      this.#isLeft = true;
      if (isOpenedHere(history.state)) history.back();
      else history.replaceState(null, '', this.#options.place);
    }
    this.#player.take([], 0);
    this.#overlay.clear();
    for (const side of this.#sides) side.clear();
  }
}

/** Marks a view that was opened by a choice on the page, in the browser's history. */
const OPENED_HERE = { comparison: 'opened here' };

function isOpenedHere(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'comparison' in state;
}

function showSide(side: CompareSide): void {
  const [output, shown] = [side.output(), side.shown()];
  if (output === null || shown === null) side.stage.clear();
  else side.stage.show([shown.element, outlineOf(output) ?? []].flat(), sizeOf(output, shown));
}

function sizeOf(output: OutputFacts, shown: ShownMedia): { readonly width: number; readonly height: number } {
  return { width: output.width ?? shown.width, height: output.height ?? shown.height };
}

/** The input is offered once, whatever the cell it was chosen at. */
function placeIn(outputs: readonly OutputFacts[], wanted: OutputFacts): number {
  return outputs.findIndex((output) => output === wanted || (output.number === INPUT && wanted.number === INPUT));
}

function outputsIn(prompt: Element): readonly OutputFacts[] {
  return allWithin(prompt, '.pick', HTMLElement).flatMap((pick) => outputOf(pick) ?? []);
}

export function clickedOutput(pick: HTMLElement): ComparedAddress | null {
  const output = outputOf(pick);
  const prompt = document.getElementById(`cell-${pick.dataset.cell}`)?.closest('.prompt') ?? null;
  if (output === null || prompt === null) return null;
  return { outputs: besideBaseline(output, outputsIn(prompt)), layout: 'side' };
}
