import { make, within } from '../../../markup/elements.ts';
import { scaleEndWords } from '../../markup/difference-key.ts';
import type { OverlayLayout } from './compare-hash.ts';
import { doublingsFor, drawDifference, isOtherShape, type PixelSize, sizeFor } from './draw-difference.ts';
import type { ShownMedia } from './load-media.ts';
import { type CompareStage, openStage, type StageEvents, type ZoomFrame } from './stage.ts';

interface OverlayShape extends PixelSize {
  /** Of 255: amplified to the brightest, unless the reader chooses a factor; null if unknown. */
  readonly largest: number | null;
}

interface Overlaid {
  readonly layout: OverlayLayout;
  readonly pair: readonly [under: ShownMedia, over: ShownMedia];
  readonly shape: OverlayShape;
}

/** Doublings if the largest difference is unknown: one step of 255 would look black. */
const DOUBLINGS = 2;

/** Two outputs above each other: one beside a divider, or their difference. */
export class Overlay {
  readonly #box: HTMLElement;
  readonly #stage: CompareStage;
  readonly #events: StageEvents;
  readonly #divider = make('div', 'divider');
  readonly #canvas = make('canvas', '');
  readonly #share: HTMLInputElement;
  readonly #amplify: HTMLSelectElement;
  readonly #scaleEnd: HTMLElement;
  #now: Overlaid | null = null;

  constructor(dialog: HTMLElement, events: StageEvents) {
    this.#box = within(dialog, '.overlay .stage', HTMLElement);
    this.#stage = openStage(this.#box, events);
    this.#events = events;
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', 'where they differ');
    this.#share = within(dialog, '.tool.slider input', HTMLInputElement);
    this.#amplify = within(dialog, '.tool.difference select', HTMLSelectElement);
    this.#scaleEnd = within(dialog, '.scale-end', HTMLElement);
    for (const name of ['pointerdown', 'pointermove'] as const)
      this.#box.addEventListener(name, (event) => this.#follow(event));
    this.#share.addEventListener('input', () => this.draw());
    this.#amplify.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.#box);
  }

  show(layout: OverlayLayout, pair: Overlaid['pair'], shape: OverlayShape): void {
    this.#now = { layout, pair, shape };
    const isDifference = layout === 'difference';
    // Both stay in the page below their difference: a video that is removed stops.
    this.#stage.show([...pair.map(({ element }) => element), ...(isDifference ? [this.#canvas] : [])], shape);
    for (const { element, ...size } of pair) {
      element.style.objectFit = isOtherShape(size, shape) ? 'contain' : '';
      element.style.visibility = isDifference ? 'hidden' : '';
    }
    if (layout === 'slider') this.#box.append(this.#divider);
    this.draw();
  }

  clear(): void {
    this.#now = null;
    this.#stage.clear();
  }

  draw(): void {
    if (this.#now === null) return;
    this.#stage.place();
    if (this.#now.layout === 'slider') this.#cut(this.#now);
    else this.#subtract(this.#now);
  }

  /** As before the reader set anything. */
  reset(): void {
    this.#share.value = '50';
    this.#amplify.value = '';
  }

  frame(): ZoomFrame | null {
    return this.#stage.frame();
  }

  #cut({ pair }: Overlaid): void {
    const at = (this.#box.clientWidth * Number(this.#share.value)) / 100;
    this.#divider.style.left = `${at}px`;
    for (const { style } of pair.map(({ element }) => element)) {
      const [left, width] = [Number.parseFloat(style.left), Number.parseFloat(style.width)];
      style.setProperty('--cut', `${Math.min(100, Math.max(0, (100 * (at - left)) / width))}%`);
    }
  }

  #subtract({ pair: [one, other], shape }: Overlaid): void {
    // Drawn at the size of the smaller: detail of the larger alone is not a difference.
    const smaller = one.width <= other.width ? one : other;
    const { value } = this.#amplify;
    const enough = shape.largest === null ? DOUBLINGS : doublingsFor(shape.largest);
    const doublings = value === '' ? enough : Number(value);
    drawDifference(this.#canvas, one, other, sizeFor(shape, smaller), doublings);
    this.#scaleEnd.textContent = scaleEndWords(256 >> doublings);
  }

  #follow({ buttons, clientX }: PointerEvent): void {
    if (this.#now?.layout !== 'slider' || this.#events.view().zoom !== 'fit' || buttons !== 1) return;
    const { left, width } = this.#box.getBoundingClientRect();
    this.#share.value = String((100 * (clientX - left)) / width);
    this.draw();
  }
}
