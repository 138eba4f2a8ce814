/** A run in the folder of all results. */
export interface RunPlace {
  readonly suite: string;
  /** The name of its folder. */
  readonly run: string;
}

export const INDEX_ADDRESS = '/';
export const COMPARE_ADDRESS = '/compare';

/** @param from the first run that is listed, from 0 */
export function suiteAddress(suite: string, from = 0): string {
  return `/suites/${encodeURIComponent(suite)}/${from === 0 ? '' : `?from=${from}`}`;
}

export function historyAddress(suite: string): string {
  return `${suiteAddress(suite)}history.html`;
}

/** @param from the first output that is shown, from 0 */
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

/** What a choice of runs, and a query, calls one. */
export function keyOf({ suite, run }: RunPlace): string {
  return `${suite}/${run}`;
}

/** The run that a key names; null where it names none. */
export function placeOfKey(key: unknown): RunPlace | null {
  const [suite = '', run = '', ...more] = typeof key === 'string' ? key.split('/') : [];
  return suite === '' || run === '' || more.length > 0 ? null : { suite, run };
}

/** @param from the first pair of outputs that is shown, from 0 */
export function compareAddress(a: RunPlace, b: RunPlace, from = 0): string {
  const query = new URLSearchParams({ a: keyOf(a), b: keyOf(b), ...(from === 0 ? {} : { from: String(from) }) });
  return `${COMPARE_ADDRESS}?${query.toString()}`;
}
