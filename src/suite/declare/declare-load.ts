import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt } from '../../kit/document.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { ClosedLoad, Load, OpenLoad, Stage } from '../load.ts';

type DeclaredLoad = SuiteFile['load'];

/** More calls in flight are not intended unless the suite says so. */
const OPEN_CEILING = 64;

export function declareLoad(document: Document, load: DeclaredLoad): Checked<Load> {
  return load.mode === 'open' ? declareOpen(document, load) : declareClosed(document, load);
}

type LoadRule = readonly [key: keyof DeclaredLoad, when: boolean, cause: string, remedy: string];

function refuse(document: Document, rules: readonly LoadRule[]): readonly Diagnostic[] {
  return rules.flatMap(([key, when, cause, remedy]) =>
    when ? [diagnoseAt(document, ['load', key], { cause, remedy }, 'key')] : [],
  );
}

const OPEN_KEYS = ['rate', 'arrivals', 'duration', 'stages'] as const;

function declareClosed(document: Document, load: DeclaredLoad): Checked<ClosedLoad> {
  const { concurrency = 1, order, warmup, on_throttle: onThrottle, shuffle } = load;
  const steps = typeof concurrency === 'number' ? null : concurrency;
  const isTwice = steps !== null && new Set(steps).size < steps.length;
  const alone = 'a sweep over concurrencies measures each variant and step alone';
  const ofOpen = OPEN_KEYS.map((key): LoadRule => {
    return [key, load[key] !== undefined, `"${key}" belongs to open load`, 'write mode: open, or remove it'];
  });
  const diagnostics = refuse(document, [
    ...ofOpen,
    ['order', steps !== null && order !== undefined, alone, 'remove order'],
    ['concurrency', isTwice, 'the sweep has a step twice', 'remove one of them'],
  ]);
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const most = typeof concurrency === 'number' ? concurrency : Math.max(...concurrency);
  const value = {
    mode: 'closed',
    concurrency: most,
    order: order ?? 'paired',
    steps,
    warmup,
    onThrottle,
    shuffle,
  } as const;
  return { ok: true, value };
}

function declareOpen(document: Document, load: DeclaredLoad): Checked<OpenLoad> {
  const { concurrency = OPEN_CEILING, order, arrivals = 'poisson', rate, duration, stages } = load;
  const hasNone = rate === undefined && stages === undefined;
  const twice = (key: 'rate' | 'duration'): LoadRule => {
    const isTwice = stages !== undefined && load[key] !== undefined;
    return [key, isTwice, `"${key}" and stages exclude each other`, 'keep one of them'];
  };
  const listed = 'the ceiling of open load is one number';
  const diagnostics = refuse(document, [
    ['order', order !== undefined, 'open load measures one variant after the other', 'remove order'],
    ['concurrency', typeof concurrency !== 'number', listed, 'write one number, or mode: closed'],
    ['mode', hasNone, 'open load needs a rate of arrivals', 'add rate: 2/s, or stages'],
    twice('rate'),
    twice('duration'),
  ]);
  if (diagnostics.length > 0 || typeof concurrency !== 'number') return { ok: false, diagnostics };
  return {
    ok: true,
    value: {
      mode: 'open',
      order: 'sequential',
      concurrency,
      arrivals,
      stages: stages?.map(asStage) ?? [{ ratePerSecond: rate ?? 1, forMs: duration ?? null }],
      warmup: load.warmup,
      onThrottle: load.on_throttle,
      shuffle: load.shuffle,
    },
  };
}

function asStage({ rate, for: forMs }: NonNullable<DeclaredLoad['stages']>[number]): Stage {
  return { ratePerSecond: rate, forMs };
}
