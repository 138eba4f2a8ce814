import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt } from '../../kit/document.ts';
import type { ClosedLoad, Load, OpenLoad, Stage } from '../format/load.ts';
import type { SuiteFile } from '../format/schema.ts';

type DeclaredLoad = SuiteFile['load'];

/** More in flight is not intended unless the suite says so. */
const OPEN_CEILING = 64;

export function declareLoad(document: Document, load: DeclaredLoad): Checked<Load> {
  return load.mode === 'open' ? declareOpen(document, load) : declareClosed(document, load);
}

const OPEN_KEYS = ['rate', 'arrivals', 'duration', 'stages'] as const;

function declareClosed(document: Document, load: DeclaredLoad): Checked<ClosedLoad> {
  const { concurrency = 1, order, warmup, on_throttle: onThrottle, shuffle } = load;
  const steps = typeof concurrency === 'number' ? null : concurrency;
  const diagnostics = OPEN_KEYS.filter((key) => load[key] !== undefined).map((key) =>
    fault(document, key, `"${key}" belongs to open load`, 'write mode: open, or remove it'),
  );
  if (steps !== null && order !== undefined) {
    const cause = 'a sweep over concurrencies measures each variant and step alone';
    diagnostics.push(fault(document, 'order', cause, 'remove order'));
  }
  if (steps !== null && new Set(steps).size < steps.length) {
    diagnostics.push(fault(document, 'concurrency', 'the sweep has a step twice', 'remove one of them'));
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const most = steps === null ? concurrency : Math.max(...steps);
  return {
    ok: true,
    value: {
      mode: 'closed',
      concurrency: typeof most === 'number' ? most : 1,
      order: order ?? 'paired',
      steps,
      warmup,
      onThrottle,
      shuffle,
    },
  };
}

function declareOpen(document: Document, load: DeclaredLoad): Checked<OpenLoad> {
  const { concurrency = OPEN_CEILING, order, arrivals = 'poisson', rate, duration, stages } = load;
  const diagnostics: Diagnostic[] = [];
  const refuse = (key: keyof DeclaredLoad, cause: string, remedy: string, when: boolean) => {
    if (when) diagnostics.push(fault(document, key, cause, remedy));
  };
  refuse('order', 'open load measures one variant after the other', 'remove order', order !== undefined);
  const listed = 'the ceiling of open load is one number';
  refuse('concurrency', listed, 'write one number, or mode: closed', typeof concurrency !== 'number');
  const none = 'open load needs a rate of arrivals';
  refuse('mode', none, 'add rate: 2/s, or stages', rate === undefined && stages === undefined);
  for (const [key, value] of [
    ['rate', rate],
    ['duration', duration],
  ] as const) {
    const cause = `"${key}" and stages exclude each other`;
    refuse(key, cause, 'keep one of them', stages !== undefined && value !== undefined);
  }
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

function fault(document: Document, key: string, cause: string, remedy: string): Diagnostic {
  return diagnoseAt(document, ['load', key], { cause, remedy }, 'key');
}
