export interface RunPlace {
  readonly suite: string;
  readonly run: string;
}

export const INDEX_ADDRESS = '/';
export const COMPARE_ADDRESS = '/compare';

export function historyAddress(suite: string): string {
  return `/suites/${encodeURIComponent(suite)}/history.html`;
}

/** The list with the runs of a suite alone. */
export function findAddress(suite: string): string {
  return `${INDEX_ADDRESS}?${new URLSearchParams({ find: suite }).toString()}`;
}

export function runAddress({ suite, run }: RunPlace): string {
  return `/runs/${encodeURIComponent(suite)}/${encodeURIComponent(run)}/`;
}

/** @param path of the file within its run: `measures.csv`, `media/ab/....png` */
export function fileAddress(place: RunPlace, path: string): string {
  return `${runAddress(place)}${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function reportAddress(place: RunPlace): string {
  return fileAddress(place, 'report.html');
}

/** Names a run in a query or a choice: `SUITE/RUN`. */
export function keyOf({ suite, run }: RunPlace): string {
  return `${suite}/${run}`;
}

export function placeOfKey(key: unknown): RunPlace | null {
  const [suite = '', run = '', ...more] = typeof key === 'string' ? key.split('/') : [];
  return suite === '' || run === '' || more.length > 0 ? null : { suite, run };
}
