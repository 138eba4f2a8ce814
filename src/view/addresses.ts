import type { HistoryLine } from '../record/kept-run.ts';

export interface RunPlace {
  readonly suite: string;
  readonly run: string;
}

export const INDEX_ADDRESS = '/';
export const COMPARE_ADDRESS = '/compare';

/** @param find part of a name; empty: everything is shown */
export function indexAddress(find: string): string {
  return find === '' ? INDEX_ADDRESS : `${INDEX_ADDRESS}?${new URLSearchParams({ find }).toString()}`;
}

export const SORT_KEYS = ['run', 'gate', 'began', 'took', 'requests', 'spend'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface RunOrder {
  readonly by: SortKey;
  readonly isDescending: boolean;
}

export interface RunListing {
  /** Part of the name; empty: any. */
  readonly find: string;
  /** Null: any. */
  readonly gate: HistoryLine['verdict'] | null;
  readonly order: RunOrder;
}

export const ALL_RUNS: RunListing = { find: '', gate: null, order: { by: 'began', isDescending: true } };

/** As in a query: `took`, `-took`; null for the order of ALL_RUNS. */
export function sortOf({ by, isDescending }: RunOrder): string | null {
  if (by === ALL_RUNS.order.by && isDescending === ALL_RUNS.order.isDescending) return null;
  return `${isDescending ? '-' : ''}${by}`;
}

export function orderOf(sort: unknown): RunOrder {
  const [, sign, name] = /^(-?)([a-z]+)$/.exec(typeof sort === 'string' ? sort : '') ?? [];
  const by = SORT_KEYS.find((key) => key === name);
  return by === undefined ? ALL_RUNS.order : { by, isDescending: sign === '-' };
}

/** @param from the first run that is listed, from 0 */
export function suiteAddress(suite: string, from = 0, { find, gate, order }: RunListing = ALL_RUNS): string {
  const sort = sortOf(order);
  const asked = {
    ...(find !== '' && { find }),
    ...(gate !== null && { gate }),
    ...(sort !== null && { sort }),
    ...(from > 0 && { from: `${from}` }),
  };
  const query = new URLSearchParams(asked).toString();
  return `/suites/${encodeURIComponent(suite)}/${query === '' ? '' : `?${query}`}`;
}

export function historyAddress(suite: string): string {
  return `${suiteAddress(suite)}history.html`;
}

export function runAddress({ suite, run }: RunPlace, from = 0): string {
  return `/runs/${encodeURIComponent(suite)}/${encodeURIComponent(run)}/${from === 0 ? '' : `?from=${from}`}`;
}

/** @param path of the file within its run: `measures.csv`, `media/ab/....png` */
export function fileAddress(place: RunPlace, path: string): string {
  return `${runAddress(place)}${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function reportAddress(place: RunPlace): string {
  return fileAddress(place, 'report.html');
}

export function savedReportAddress(place: RunPlace): string {
  return `${reportAddress(place)}?save`;
}

/** Names a run in a query or a choice: `SUITE/RUN`. */
export function keyOf({ suite, run }: RunPlace): string {
  return `${suite}/${run}`;
}

export function placeOfKey(key: unknown): RunPlace | null {
  const [suite = '', run = '', ...more] = typeof key === 'string' ? key.split('/') : [];
  return suite === '' || run === '' || more.length > 0 ? null : { suite, run };
}

export const DIFFERENCE_ADDRESS = '/compare/difference';

export function compareAddress(a: RunPlace, b: RunPlace, from = 0): string {
  const query = new URLSearchParams({ a: keyOf(a), b: keyOf(b), ...(from === 0 ? {} : { from: String(from) }) });
  return `${COMPARE_ADDRESS}?${query.toString()}`;
}

/** Asks for a page without style sheet and script. */
export const BARE_PAGE = 'retake-bare-page';
