import type { Canvas } from './canvas.ts';
import type { Palette } from './palette.ts';

/**
 * Draws a subject in a box of its own: it stands on (0, 0) and is about 1 high; y points down. Gives SVG elements.
 * `key` is the prompt's number: it chooses coat, hair and the like.
 */
export type DrawSubject = (canvas: Canvas, palette: Palette, key: number) => string;
