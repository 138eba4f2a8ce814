/** `1 trial`, `3 trials`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A share as `12.5 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Milliseconds as seconds, without trailing zeros: `120 s`, `0.5 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}

/** Milliseconds in three significant digits with the unit that suits them: `42 ms`, `1.24 s`. */
export function roughly(ms: number): string {
  if (ms < 999.5) return `${Number(ms.toPrecision(3))} ms`;
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1);
  if (last === undefined) return '';
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** A probability in two significant digits: `0.0049`; below 0.0001 only that. */
export function probability(p: number): string {
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}
