import { cellFacts, type OutputFacts } from '../takes-data.ts';
import { LAYOUTS, type Layout } from './layout.ts';

/** What is compared, and how. */
export interface Compared {
  /** The left, the right and perhaps the third one; of one prompt. */
  readonly outputs: readonly [OutputFacts, OutputFacts, OutputFacts?];
  readonly layout: Layout;
}

const PREFIX = '#compare?';

/** The part of an address that leads to this comparison. */
export function hashOfCompared({ outputs, layout }: Compared): string {
  const places = outputs.flatMap((each) => (each === undefined ? [] : [`${each.cell.number}.${each.number}`]));
  return `${PREFIX}outputs=${places.join(',')}&view=${layout}`;
}

/** The comparison that a part of an address leads to; null where it leads elsewhere, or to what this page does not have. */
export function comparedOf(hash: string): Compared | null {
  if (!hash.startsWith(PREFIX)) return null;
  const query = new URLSearchParams(hash.slice(PREFIX.length));
  const [left, right, third] = (query.get('outputs') ?? '').split(',').map((place) => {
    const [cell, output] = place.split('.').map(Number);
    return cellFacts(cell ?? -1)?.outputs[output ?? -1];
  });
  if (left === undefined || right === undefined) return null;
  const layout = LAYOUTS.find((each) => each === query.get('view')) ?? 'side';
  return { outputs: third === undefined ? [left, right] : [left, right, third], layout };
}
