import { make, within } from '../../../markup/elements.ts';
import type { CompareSetting, OverlayLayout } from './compare-hash.ts';
import { doublingsFor, drawDifference, isOtherShape, type PixelSize, sizeFor } from './draw-difference.ts';
import type { ShownMedia } from './load-media.ts';
import { openStage, type StageEvents } from './stage.ts';

export interface Overlay {
  readonly show: (layout: OverlayLayout, one: NamedMedia, other: NamedMedia, shape: OverlayShape) => void;
  readonly clear: () => void;
  readonly draw: () => void;
  readonly setting: () => OverlaySetting;
  readonly set: (setting: OverlaySetting) => void;
  readonly frame: ReturnType<typeof openStage>['frame'];
}

type NamedMedia = ShownMedia & { readonly name: string };

interface OverlayShape extends PixelSize {
  /** Of 255: what the difference is amplified to, unless the reader says how much; null where it is not known. */
  readonly largest: number | null;
}

/** A difference of one step of 255 looks black: where the largest is not known, all are made four times as bright. */
const DOUBLINGS = 2;

type OverlaySetting = Pick<CompareSetting, 'divider' | 'doublings'>;

/** Slow enough for eyes that flashes harm. */
const FLICKER_MS = 600;

/**
 * @param isCalm whether nothing may move by itself
 * @param settled is called once the reader has set something
 */
export function openOverlay(
  dialog: HTMLElement,
  events: StageEvents,
  isCalm: () => boolean,
  settled: () => void,
): Overlay {
  const frame = within(dialog, '.overlay .stage', HTMLElement);
  const stage = openStage(frame, events);
  const divider = make('div', 'divider');
  const canvas = make('canvas', '');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'where they differ');
  const share = within(dialog, '.tool.slider input', HTMLInputElement);
  const press = within(dialog, '.tool.flicker button', HTMLButtonElement);
  const which = within(dialog, '.tool.flicker span', HTMLElement);
  const amplify = within(dialog, '.tool.difference select', HTMLSelectElement);
  const scaleEnd = within(dialog, '.scale-end', HTMLElement);
  let now: {
    readonly layout: OverlayLayout;
    readonly one: NamedMedia;
    readonly other: NamedMedia;
    readonly shown: OverlayShape;
  } | null = null;
  let timer = 0;

  const swap = (): void => {
    if (now !== null) showOne(now.other.element.style.visibility === 'hidden');
  };
  /** Only one: the other would show through transparent parts. */
  const showOne = (isOther: boolean): void => {
    if (now === null) return;
    now.one.element.style.visibility = isOther ? 'hidden' : 'visible';
    now.other.element.style.visibility = isOther ? 'visible' : 'hidden';
    which.textContent = isOther ? now.other.name : now.one.name;
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = 0;
    press.textContent = isCalm() ? 'Swap' : 'Start';
  };
  const start = (): void => {
    stop();
    timer = setInterval(swap, FLICKER_MS);
    press.textContent = 'Pause';
  };
  press.addEventListener('click', () => {
    if (timer !== 0) stop();
    else if (isCalm()) swap();
    else start();
  });

  const cut = (): void => {
    if (now === null) return;
    const at = (frame.clientWidth * Number(share.value)) / 100;
    divider.style.left = `${at}px`;
    for (const { style } of [now.one.element, now.other.element]) {
      const [left, width] = [Number.parseFloat(style.left), Number.parseFloat(style.width)];
      style.setProperty('--cut', `${Math.min(100, Math.max(0, (100 * (at - left)) / width))}%`);
    }
  };

  const doublingsNow = (): number => {
    if (amplify.value !== '') return Number(amplify.value);
    return now === null || now.shown.largest === null ? DOUBLINGS : doublingsFor(now.shown.largest);
  };
  const draw = (): void => {
    if (now === null) return;
    stage.place();
    if (now.layout === 'slider') cut();
    if (now.layout !== 'difference') return;
    // At the size of the smaller: detail that only the larger has is not a difference.
    const smaller = now.one.width <= now.other.width ? now.one : now.other;
    const doublings = doublingsNow();
    drawDifference(canvas, now.one, now.other, sizeFor(now.shown, smaller), doublings);
    scaleEnd.textContent = doublings === 0 ? '255 of 255' : `${256 >> doublings} of 255 or more`;
  };
  const follow = ({ buttons, clientX }: PointerEvent): void => {
    if (now?.layout !== 'slider' || events.view().zoom !== 'fit' || buttons !== 1) return;
    const { left, width } = frame.getBoundingClientRect();
    share.value = String((100 * (clientX - left)) / width);
    draw();
  };
  frame.addEventListener('pointerdown', follow);
  frame.addEventListener('pointermove', follow);
  share.addEventListener('input', draw);
  amplify.addEventListener('change', draw);
  for (const control of [share, amplify]) control.addEventListener('change', settled);
  frame.addEventListener('pointerup', settled);
  new ResizeObserver(draw).observe(frame);

  return {
    show: (layout, one, other, shown) => {
      stop();
      now = { layout, one, other, shown };
      const isDifference = layout === 'difference';
      // Both stay in the page below their difference: a video that is removed stops.
      stage.show([one.element, other.element, ...(isDifference ? [canvas] : [])], shown);
      for (const { element, ...own } of [one, other]) {
        element.style.objectFit = isOtherShape(own, shown) ? 'contain' : '';
        element.style.visibility = isDifference ? 'hidden' : '';
      }
      if (layout === 'slider') frame.append(divider);
      if (layout === 'flicker') {
        showOne(true);
        if (!isCalm()) start();
      }
      draw();
    },
    clear: () => {
      stop();
      now = null;
      stage.clear();
    },
    draw,
    setting: () => ({
      divider: Number(share.value),
      doublings: amplify.value === '' ? null : Number(amplify.value),
    }),
    set: ({ divider: at, doublings }) => {
      share.value = String(at);
      amplify.value = doublings === null ? '' : String(doublings);
    },
    frame: stage.frame,
  };
}
