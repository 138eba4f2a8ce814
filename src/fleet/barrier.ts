/** A worker that can still be told to go on. */
export interface HeldWorker {
  readonly name: string;
  readonly vantage: string | null;
  readonly is: 'starting' | 'ready' | 'measuring' | 'measured';
  /** Of the slice that it waits for or sends; else null. */
  readonly slice: number | null;
}

/**
 * Who sends the next slice: those who have trials in it, together, once nobody sends. Empty: all wait.
 *
 * Of several vantages one goes at a time, because side by side they would queue behind each other at the service.
 *
 * @param workers without those who are lost or have left
 * @param orderOf the vantages in the order in which they send a slice
 */
export function nextToGo(
  workers: readonly HeldWorker[],
  orderOf: (slice: number) => readonly (string | null)[],
): { readonly slice: number; readonly names: readonly string[] } | null {
  if (workers.some(({ is }) => is === 'starting' || is === 'measuring')) return null;
  const ready = workers.flatMap(({ name, vantage, is, slice }) =>
    is === 'ready' && slice !== null ? [{ name, vantage, slice }] : [],
  );
  const [first, ...rest] = ready;
  if (first === undefined) return null;
  const slice = rest.reduce((least, each) => Math.min(least, each.slice), first.slice);
  const here = ready.filter((each) => each.slice === slice);
  const [vantage] = orderOf(slice).filter((each) => here.some((worker) => worker.vantage === each));
  const going = here.filter((each) => each.vantage === vantage);
  return { slice, names: (going.length === 0 ? here : going).map(({ name }) => name) };
}
