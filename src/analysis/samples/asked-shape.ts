import type { Json } from '../../kit/json.ts';

export interface AskedShape {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly unit: 'pixels' | 'ratio';
}

/** What an input `size` asks for: `1024x768` or `16:9`. Null for other text, which endpoints may define. */
export function askedShape(size: Json | undefined): AskedShape | null {
  const parts = typeof size === 'string' ? /^(\d{1,5})([x:])(\d{1,5})$/.exec(size) : null;
  if (parts === null) return null;
  const [text, width, sign, height] = parts;
  if (Number(width) === 0 || Number(height) === 0) return null;
  return { text, width: Number(width), height: Number(height), unit: sign === 'x' ? 'pixels' : 'ratio' };
}

/** Slack of a ratio, since most models round sides to multiples of 8, 16 or 64. */
const RATIO_SLACK = 0.06;

/** True if the output's size is unknown. */
export function fitsShape(
  { width, height }: { readonly width: number | null; readonly height: number | null },
  asked: AskedShape,
): boolean {
  if (width === null || height === null) return true;
  if (asked.unit === 'pixels') return width === asked.width && height === asked.height;
  const off = (width * asked.height) / (height * asked.width);
  return off <= 1 + RATIO_SLACK && off >= 1 / (1 + RATIO_SLACK);
}
