import { make, within } from '../elements.ts';
import { drawDifference } from './difference-image.ts';
import type { OverlayLayout } from './layout.ts';
import type { ShownMedia } from './load-media.ts';
import { openStage, type StageEvents } from './stage.ts';

/** Two images above each other in one stage. */
export interface Overlay {
  readonly show: (layout: OverlayLayout, one: ShownMedia, other: ShownMedia, size: ImageSize) => void;
  readonly clear: () => void;
  /** Places and draws both again. */
  readonly draw: () => void;
  readonly frame: ReturnType<typeof openStage>['frame'];
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Milliseconds that each image is shown: slow enough for eyes that flashes harm. */
const FLICKER_MS = 600;

/** The overlay of the compare view. `isCalm`: nothing moves by itself. */
export function openOverlay(dialog: HTMLElement, events: StageEvents, isCalm: () => boolean): Overlay {
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
    if (now === null) return;
    const { style } = now.other.element;
    const isOther = style.visibility === 'hidden';
    style.visibility = isOther ? 'visible' : 'hidden';
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
    const shown = now?.other.element.style;
    if (shown === undefined) return;
    const at = (frame.clientWidth * Number(share.value)) / 100;
    divider.style.left = `${at}px`;
    const [left, width] = [Number.parseFloat(shown.left), Number.parseFloat(shown.width)];
    shown.setProperty('--cut', `${Math.min(100, Math.max(0, (100 * (at - left)) / width))}%`);
  };

  const draw = (): void => {
    if (now === null) return;
    stage.place();
    if (now.layout === 'slider') cut();
    if (now.layout !== 'difference') return;
    // Both at the size of the smaller: what only one has is no difference.
    const smaller = now.one.width <= now.other.width ? now.one : now.other;
    drawDifference(canvas, now.one.element, now.other.element, smaller, Number(amplify.value));
  };
  /** The divider follows a drag, where a drag does not move the images. */
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
  new ResizeObserver(draw).observe(frame);

  return {
    show: (layout, one, other, size) => {
      stop();
      now = { layout, one, other, size };
      if (layout === 'difference') stage.show([canvas], size);
      else stage.show([one.element, other.element], size);
      if (layout === 'slider') frame.append(divider);
      if (layout === 'flicker') {
        which.textContent = 'right image';
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
    frame: stage.frame,
  };
}
