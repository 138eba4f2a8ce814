/** How images are compared: beside each other, or in one of the ways to lay two above each other. */
export type Layout = 'side' | OverlayLayout;

/** How two images are laid above each other. */
export type OverlayLayout = 'slider' | 'flicker' | 'difference';

/** In the order of the controls. */
export const LAYOUTS: readonly Layout[] = ['side', 'slider', 'flicker', 'difference'];
