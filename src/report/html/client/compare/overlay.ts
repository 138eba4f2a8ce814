import { make, within } from '../elements.ts';
import type { CompareSetting, OverlayLayout } from './compare-hash.ts';
import type { ShownMedia } from './load-media.ts';
import { openStage, type StageEvents } from './stage.ts';

export interface Overlay {
  readonly show: (layout: OverlayLayout, one: ShownMedia, other: ShownMedia, size: ImageSize) => void;
  readonly clear: () => void;
  readonly draw: () => void;
  readonly setting: () => OverlaySetting;
  readonly set: (setting: OverlaySetting) => void;
  readonly frame: ReturnType<typeof openStage>['frame'];
}

type OverlaySetting = Pick<CompareSetting, 'divider' | 'doublings'>;

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

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
  canvas.setAttribute('aria-label', 'absolute difference');
  const share = within(dialog, '.tool.slider input', HTMLInputElement);
  const press = within(dialog, '.tool.flicker button', HTMLButtonElement);
  const which = within(dialog, '.tool.flicker span', HTMLElement);
  const amplify = within(dialog, '.tool.difference select', HTMLSelectElement);
  let now: {
    readonly layout: OverlayLayout;
    readonly one: ShownMedia;
    readonly other: ShownMedia;
    readonly size: ImageSize;
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
    which.textContent = isOther ? 'right image' : 'left image';
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

  const draw = (): void => {
    if (now === null) return;
    stage.place();
    if (now.layout === 'slider') cut();
    if (now.layout !== 'difference') return;
    // At the size of the smaller: detail that only the larger has is not a difference.
    const smaller = now.one.width <= now.other.width ? now.one : now.other;
    const size = sizeFor(now.size, smaller);
    drawDifference(canvas, now.one, now.other, size, Number(amplify.value));
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
    show: (layout, one, other, size) => {
      stop();
      now = { layout, one, other, size };
      const isDifference = layout === 'difference';
      // Both stay in the page below their difference: a video that is removed stops.
      stage.show([one.element, other.element, ...(isDifference ? [canvas] : [])], size);
      for (const { element, ...own } of [one, other]) {
        element.style.objectFit = isOtherShape(own, size) ? 'contain' : '';
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
    setting: () => ({ divider: Number(share.value), doublings: Number(amplify.value) }),
    set: ({ divider: at, doublings }) => {
      share.value = String(at);
      amplify.value = String(doublings);
    },
    frame: stage.frame,
  };
}

/** The shape of the stage with about as many pixels as the image. */
function sizeFor(shape: ImageSize, { width, height }: ImageSize): ImageSize {
  if (!isOtherShape(shape, { width, height })) return { width, height };
  const scale = Math.sqrt((width * height) / (shape.width * shape.height));
  return { width: Math.max(1, Math.round(shape.width * scale)), height: Math.max(1, Math.round(shape.height * scale)) };
}

type Drawable = HTMLImageElement | HTMLVideoElement;

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface DrawnImage extends PixelSize {
  readonly element: Drawable;
}

/** Transparent parts show the ground: two images are equal where they are so on black and on white. */
const GROUNDS = ['#000', '#fff'] as const;

/** A small copy has whole pixels, so its shape is off by less than this. */
const SAME_SHAPE = 0.01;

function isOtherShape(one: PixelSize, other: PixelSize): boolean {
  return Math.abs((one.width * other.height) / (one.height * other.width) - 1) > SAME_SHAPE;
}

/**
 * Images of unequal shape are centred above each other. Only composition is used: a page opened from a disk may draw
 * the pixels of files beside it, but not read them.
 */
function drawDifference(
  canvas: HTMLCanvasElement,
  one: DrawnImage,
  other: DrawnImage,
  size: PixelSize,
  doublings: number,
): void {
  const { width, height } = size;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
  // A video is drawn many times a second, and is hardly ever transparent.
  const grounds = one.element instanceof HTMLVideoElement ? GROUNDS.slice(0, 1) : GROUNDS;
  for (const ground of grounds) {
    const [flat, subtracted] = SCRATCH;
    const pen = drawOn(flat, one, size, ground);
    drawOn(subtracted, other, size, ground);
    if (pen === null) return;
    pen.globalCompositeOperation = 'difference';
    pen.drawImage(subtracted, 0, 0);
    context.globalCompositeOperation = 'lighten';
    context.drawImage(flat, 0, 0);
  }
  context.globalCompositeOperation = 'lighter';
  for (let times = 0; times < doublings; times += 1) context.drawImage(canvas, 0, 0);
}

/** Used again for each drawing: a video has many. */
const SCRATCH = [document.createElement('canvas'), document.createElement('canvas')] as const;

/** Half-transparent pixels are subtracted as they show on a ground, not as they are stored. */
function drawOn(
  canvas: HTMLCanvasElement,
  image: DrawnImage,
  { width, height }: PixelSize,
  ground: string,
): CanvasRenderingContext2D | null {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  const scale = Math.min(width / image.width, height / image.height);
  const isDistorted = isOtherShape(image, { width, height });
  const [wide, high] = isDistorted ? [image.width * scale, image.height * scale] : [width, height];
  context.drawImage(image.element, (width - wide) / 2, (height - high) / 2, wide, high);
  return context;
}
