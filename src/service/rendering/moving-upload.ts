import type { Size } from '../sampler/fourier.ts';
import { hashText } from '../sampler/random.ts';

/** A camera movement over an image: its zoom and direction, in shares of the frame per second. */
export interface CameraWay {
  readonly zoom: number;
  readonly across: number;
  readonly down: number;
}

const WAYS: { readonly [name: string]: CameraWay } = {
  in: { zoom: 0.07, across: 0, down: 0 },
  left: { zoom: 0.045, across: -0.04, down: 0 },
  right: { zoom: 0.045, across: 0.04, down: 0 },
  up: { zoom: 0.05, across: 0, down: -0.035 },
  down: { zoom: 0.05, across: 0, down: 0.035 },
};

/** Words of a prompt that choose the movement; the first counts. */
const WORDS: { readonly [word: string]: keyof typeof WAYS } = {
  zoom: 'in',
  closer: 'in',
  towards: 'in',
  left: 'left',
  right: 'right',
  up: 'up',
  rises: 'up',
  rising: 'up',
  sky: 'up',
  down: 'down',
  falls: 'down',
  falling: 'down',
};

const CHOICES = 3;

/** The movements for a prompt's videos: the one it names, or three chosen by its text, among which seeds choose. */
export function cameraWays(prompt: string): readonly CameraWay[] {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const asked = words.map((word) => WORDS[word]).find((name) => name !== undefined);
  const all = Object.values(WAYS);
  const wanted = asked === undefined ? undefined : WAYS[asked];
  if (wanted !== undefined) return [wanted];
  const first = hashText(words.join(' ')) % all.length;
  return Array.from({ length: CHOICES }, (_, i) => all[(first + i) % all.length] ?? { zoom: 0.07, across: 0, down: 0 });
}

/**
 * Frames of an image (red, green, blue bytes at the frame's size) under each camera movement, from the whole image
 * inwards. The lower part passes faster, as near things do, and sways a little.
 */
export function moveUpload(
  image: Uint8Array,
  prompt: string,
  size: Size,
  frames: number,
  rate: number,
): readonly (readonly Uint8Array[])[] {
  return cameraWays(prompt).map((way) =>
    Array.from({ length: frames }, (_, frame) => (frame === 0 ? image : lookAt(image, size, way, frame / rate))),
  );
}

function lookAt(image: Uint8Array, { width, height }: Size, way: CameraWay, time: number): Uint8Array {
  const seen = new Uint8Array(image.length);
  const scale = 1 / (1 + way.zoom * time);
  const margin = (1 - scale) / 2;
  for (let y = 0; y < height; y++) {
    const near = (y + 0.5) / height;
    const parallax = 0.35 + 1.1 * near;
    const sway = 0.004 * near * near * Math.sin(2.6 * time + 9 * near) * Math.min(1, time);
    // Never beyond the edge: limited to what the zoom has cut off.
    const shiftX = within(way.across * time * parallax + sway, margin) * width;
    const shiftY = within(way.down * time, margin) * height;
    const fromY = clamp((y + 0.5 - height / 2) * scale + height / 2 + shiftY - 0.5, height - 1);
    const y0 = Math.floor(fromY);
    const y1 = Math.min(height - 1, y0 + 1);
    const partY = fromY - y0;
    for (let x = 0; x < width; x++) {
      const fromX = clamp((x + 0.5 - width / 2) * scale + width / 2 + shiftX - 0.5, width - 1);
      const x0 = Math.floor(fromX);
      const x1 = Math.min(width - 1, x0 + 1);
      const partX = fromX - x0;
      for (let c = 0; c < 3; c++) {
        const top = mix(image[(y0 * width + x0) * 3 + c], image[(y0 * width + x1) * 3 + c], partX);
        const low = mix(image[(y1 * width + x0) * 3 + c], image[(y1 * width + x1) * 3 + c], partX);
        seen[(y * width + x) * 3 + c] = Math.round(mix(top, low, partY));
      }
    }
  }
  return seen;
}

function mix(a: number | undefined, b: number | undefined, share: number): number {
  return (a ?? 0) + ((b ?? 0) - (a ?? 0)) * share;
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
