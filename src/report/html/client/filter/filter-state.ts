/** Empty texts choose all. */
export interface FilterState {
  readonly variant: string;
  /** A part of a prompt's id or text. */
  readonly prompt: string;
  readonly seed: string;
  readonly tag: string;
  readonly level: string;
  readonly outcome: string;
  /** From 1; 0 shows all pages. */
  readonly page: number;
}

export const EVERYTHING: FilterState = { variant: '', prompt: '', seed: '', tag: '', level: '', outcome: '', page: 1 };

/** The section that the filter is about, then a query. */
const PREFIX = '#images?';

export function hashOf(state: FilterState): string {
  const query = new URLSearchParams();
  for (const key of ['variant', 'prompt', 'seed', 'tag', 'level', 'outcome'] as const) {
    if (state[key] !== '') query.set(key, state[key]);
  }
  if (state.page !== 1) query.set('page', String(state.page));
  return query.size === 0 ? '#images' : `${PREFIX}${query}`;
}

/** Null where the hash leads elsewhere. */
export function filterOf(hash: string): FilterState | null {
  if (!hash.startsWith(PREFIX)) return null;
  const query = new URLSearchParams(hash.slice(PREFIX.length));
  const text = (key: string): string => query.get(key) ?? '';
  const page = Number(query.get('page') ?? '1');
  return {
    variant: text('variant'),
    prompt: text('prompt'),
    seed: text('seed'),
    tag: text('tag'),
    level: text('level'),
    outcome: text('outcome'),
    page: Number.isInteger(page) && page >= 0 ? page : 1,
  };
}
