import { type OutputFacts, outputAt } from '../page-facts.ts';

export type Layout = 'side' | OverlayLayout;

export type OverlayLayout = 'slider' | 'difference';

export const LAYOUTS: readonly Layout[] = ['side', 'slider', 'difference'];

export interface ComparedAddress {
  /** Outputs of one prompt. */
  readonly outputs: readonly [left: OutputFacts, right: OutputFacts];
  readonly layout: Layout;
}

const PREFIX = '#compare?';

export function isComparison(hash: string): boolean {
  return hash.startsWith(PREFIX);
}

export function hashOfCompared({ outputs, layout }: ComparedAddress): string {
  const places = outputs.map(({ cell, number }) => `${cell.number}.${number}`);
  return `${PREFIX}outputs=${places.join(',')}&view=${layout}`;
}

/** Null where the hash leads elsewhere, or to what this page does not have. */
export function comparedOf(hash: string): ComparedAddress | null {
  if (!isComparison(hash)) return null;
  const query = new URLSearchParams(hash.slice(PREFIX.length));
  const [left, right] = (query.get('outputs') ?? '').split(',').map((place) => {
    const [cell, output] = place.split('.').map(Number);
    return output === undefined ? null : outputAt(cell ?? -1, output);
  });
  if (!left || !right) return null;
  const layout = LAYOUTS.find((name) => name === query.get('view')) ?? 'side';
  return { outputs: [left, right], layout };
}
