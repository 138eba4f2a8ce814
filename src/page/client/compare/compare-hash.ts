import { type OutputFacts, outputAt } from '../page-facts.ts';
import { type View, WHOLE } from './stage.ts';

export type Layout = 'side' | OverlayLayout;

export type OverlayLayout = 'slider' | 'difference';

export const LAYOUTS: readonly Layout[] = ['side', 'slider', 'difference'];

export interface ComparedAddress extends CompareSetting {
  /** Outputs of one prompt. */
  readonly outputs: readonly [left: OutputFacts, right: OutputFacts];
  readonly layout: Layout;
}

export interface CompareSetting {
  readonly view: View;
  /** Per cent from the left. */
  readonly divider: number;
  /** Null: as many as the largest difference needs. */
  readonly doublings: number | null;
  /** Seconds; null where videos were not stopped. */
  readonly stoppedAtS: number | null;
}

export const FIRST_SETTING: CompareSetting = { view: WHOLE, divider: 50, doublings: null, stoppedAtS: null };

const PREFIX = '#compare?';

export function isComparison(hash: string): boolean {
  return hash.startsWith(PREFIX);
}

/** Leaves out settings with their first value. */
export function hashOfCompared({ outputs, layout, view, ...setting }: ComparedAddress): string {
  const { divider, doublings, stoppedAtS } = setting;
  const places = outputs.map(({ cell, number }) => `${cell.number}.${number}`);
  const parts = [`outputs=${places.join(',')}`, `view=${layout}`];
  if (view.zoom !== 'fit') parts.push(`at=${view.zoom},${view.x.toFixed(4)},${view.y.toFixed(4)}`);
  if (layout === 'slider' && divider !== FIRST_SETTING.divider) parts.push(`divider=${divider}`);
  if (layout === 'difference' && doublings !== null) parts.push(`amplify=${1 << doublings}`);
  if (stoppedAtS !== null) parts.push(`time=${stoppedAtS.toFixed(3)}`);
  return `${PREFIX}${parts.join('&')}`;
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
  return { outputs: [left, right], layout, ...settingOf(query) };
}

function settingOf(query: URLSearchParams): CompareSetting {
  const number = (name: string, least: number, most: number): number | null => {
    const value = Number.parseFloat(query.get(name) ?? '');
    return value >= least && value <= most ? value : null;
  };
  const amplify = number('amplify', 1, 64);
  return {
    view: viewOf((query.get('at') ?? '').split(',').map(Number)),
    divider: number('divider', 0, 100) ?? FIRST_SETTING.divider,
    doublings: amplify === null ? null : Math.round(Math.log2(amplify)),
    stoppedAtS: number('time', 0, 86_400),
  };
}

function viewOf([zoom = 0, x = 0.5, y = 0.5]: readonly number[]): View {
  const isShare = (value: number): boolean => value >= 0 && value <= 1;
  return zoom > 0 && zoom <= 16 && isShare(x) && isShare(y) ? { zoom, x, y } : WHOLE;
}
