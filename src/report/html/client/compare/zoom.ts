/** Shared by all stages, so that they show the same part. */
export interface View {
  /** Screen pixels for each pixel of the image; `fit` shows it whole. */
  readonly zoom: number | 'fit';
  /** The centre of the view, as shares of width and height. */
  readonly x: number;
  readonly y: number;
}

export const WHOLE: View = { zoom: 'fit', x: 0.5, y: 0.5 };

const STEPS = [0.25, 0.5, 1, 2, 4, 8, 16];

export interface ZoomFrame {
  readonly stage: HTMLElement;
  readonly width: number;
  readonly height: number;
}

/** Screen pixels for each pixel of an image that is shown whole. */
function fitOf({ stage, width, height }: ZoomFrame): number {
  return Math.min(stage.clientWidth / width, stage.clientHeight / height) * devicePixelRatio;
}

/** Never smaller than the whole image. */
export function zoomed(view: View, frame: ZoomFrame, direction: 'in' | 'out'): View {
  const fit = fitOf(frame);
  const now = view.zoom === 'fit' ? fit : view.zoom;
  if (direction === 'in') return { ...view, zoom: STEPS.find((step) => step > now * 1.01) ?? now };
  const smaller = STEPS.filter((step) => step < now * 0.99 && step > fit).at(-1);
  return smaller === undefined ? WHOLE : { ...view, zoom: smaller };
}

/** In CSS pixels. */
export interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function placed(view: View, frame: ZoomFrame): Placed {
  const scale = (view.zoom === 'fit' ? fitOf(frame) : view.zoom) / devicePixelRatio;
  const [width, height] = [frame.width * scale, frame.height * scale];
  return {
    width,
    height,
    left: edge(frame.stage.clientWidth, width, view.x),
    top: edge(frame.stage.clientHeight, height, view.y),
  };
}

/** Centred where there is room, else no empty space at either end. */
function edge(room: number, size: number, middle: number): number {
  if (size <= room) return (room - size) / 2;
  return Math.min(0, Math.max(room - size, room / 2 - middle * size));
}

/** In CSS pixels. */
export function moved(view: View, frame: ZoomFrame, byX: number, byY: number): View {
  const { left, top, width, height } = placed(view, frame);
  const x = (frame.stage.clientWidth / 2 - left - byX) / width;
  const y = (frame.stage.clientHeight / 2 - top - byY) / height;
  return { ...view, x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
}
