/** Shared by all stages, so that they show the same part. */
export interface View {
  /** Screen pixels for each pixel of the image; `fit` shows it whole. */
  readonly zoom: number | 'fit';
  /** The centre of the view, as shares of width and height. */
  readonly x: number;
  readonly y: number;
}

export const WHOLE: View = { zoom: 'fit', x: 0.5, y: 0.5 };

export interface ZoomFrame {
  readonly stage: HTMLElement;
  readonly width: number;
  readonly height: number;
}

/** In CSS pixels. */
export interface Placed {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface StageEvents {
  readonly view: () => View;
  readonly change: (view: View) => void;
}

/** Shows one image, or two above each other, at a view shared with other stages. */
export interface CompareStage {
  /** @param size of the image at whose place all layers lie */
  readonly show: (
    layers: readonly (HTMLElement | SVGElement)[],
    size: { readonly width: number; readonly height: number },
  ) => void;
  readonly clear: () => void;
  readonly frame: () => ZoomFrame | null;
  readonly place: () => void;
}

export function openStage(stage: HTMLElement, { view, change }: StageEvents): CompareStage {
  let layers: readonly (HTMLElement | SVGElement)[] = [];
  let size: { readonly width: number; readonly height: number } | null = null;
  const frame = (): ZoomFrame | null => (size === null || stage.clientWidth === 0 ? null : { stage, ...size });

  const place = (): void => {
    const shown = frame();
    if (shown === null) return;
    const { left, top, width, height } = placed(view(), shown);
    const isLarge = (width / shown.width) * devicePixelRatio >= 2;
    for (const { style } of layers) {
      style.left = `${left}px`;
      style.top = `${top}px`;
      style.width = `${width}px`;
      style.height = `${height}px`;
      style.imageRendering = isLarge ? 'pixelated' : 'auto';
    }
  };

  let from: { readonly x: number; readonly y: number } | null = null;
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || view().zoom === 'fit') return;
    from = { x: event.clientX, y: event.clientY };
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener('pointermove', ({ clientX, clientY }) => {
    const shown = frame();
    if (from === null || shown === null) return;
    change(moved(view(), shown, clientX - from.x, clientY - from.y));
    from = { x: clientX, y: clientY };
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    stage.addEventListener(end, () => {
      from = null;
    });
  }
  stage.addEventListener(
    'wheel',
    (event) => {
      const shown = frame();
      // The wheel scrolls the page; with Ctrl, as by a pinch, it zooms the image.
      if (shown === null || !event.ctrlKey) return;
      event.preventDefault();
      change(zoomed(view(), shown, event.deltaY < 0 ? 'in' : 'out'));
    },
    { passive: false },
  );
  stage.addEventListener('dblclick', () => change(view().zoom === 'fit' ? { ...view(), zoom: 1 } : WHOLE));
  new ResizeObserver(place).observe(stage);

  return {
    show: (shown, dimensions) => {
      layers = shown;
      size = dimensions;
      stage.style.aspectRatio = `${dimensions.width} / ${dimensions.height}`;
      stage.replaceChildren(...shown);
      place();
    },
    clear: () => {
      layers = [];
      size = null;
      stage.replaceChildren();
    },
    frame,
    place,
  };
}

const STEPS = [0.25, 0.5, 1, 2, 4, 8, 16];

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

function placed(view: View, frame: ZoomFrame): Placed {
  const scale = (view.zoom === 'fit' ? fitOf(frame) : view.zoom) / devicePixelRatio;
  const [width, height] = [frame.width * scale, frame.height * scale];
  return {
    width,
    height,
    left: edge(frame.stage.clientWidth, width, view.x),
    top: edge(frame.stage.clientHeight, height, view.y),
  };
}

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
