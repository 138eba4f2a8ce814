export type Layout = 'side' | OverlayLayout;

export type OverlayLayout = 'slider' | 'flicker' | 'difference';

/** In the order of the controls. */
export const LAYOUTS: readonly Layout[] = ['side', 'slider', 'flicker', 'difference'];
