import { moved, placed, type View, WHOLE, type ZoomFrame, zoomed } from './zoom.ts';

export interface StageEvents {
  readonly view: () => View;
  readonly change: (view: View) => void;
}

/** Shows one image, or two above each other, at a view shared with other stages. */
export interface CompareStage {
  /** All lie at the place of an image of this size. */
  readonly show: (layers: readonly HTMLElement[], size: { readonly width: number; readonly height: number }) => void;
  readonly clear: () => void;
  readonly frame: () => ZoomFrame | null;
  readonly place: () => void;
}

export function openStage(stage: HTMLElement, { view, change }: StageEvents): CompareStage {
  let layers: readonly HTMLElement[] = [];
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
