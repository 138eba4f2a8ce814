import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, sourceAt } from '../../kit/document.ts';
import { boundsIn, type WrittenRule } from '../format/gate-schema.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { ClosedLoad, Hold, Load, OpenLoad, Stage } from '../load.ts';
import type { Bound, GateRule } from '../rule.ts';
import { type DeclaredRule, PROBES, type ProbeKind } from '../suite.ts';
import { heldLimits, stepsOf } from '../sweep.ts';

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
  const alone = 'a sweep over concurrencies measures each variant and step alone';
  const ofOpen = OPEN_KEYS.map((key): LoadRule => {
    return [key, load[key] !== undefined, `"${key}" belongs to open load`, 'write mode: open, or remove it'];
  });
  const diagnostics = refuse(document, [
    ...ofOpen,
    ['order', steps !== null && order !== undefined, alone, 'remove order'],
    ['concurrency', isTwice(steps), 'the sweep has a step twice', 'remove one of them'],
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
  const rates = typeof rate === 'object' ? rate : null;
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
    ['rate', isTwice(rates), 'the sweep has a rate twice', 'remove one of them'],
    twice('rate'),
    twice('duration'),
  ]);
  if (diagnostics.length > 0 || typeof concurrency !== 'number') return { ok: false, diagnostics };
  const paced =
    typeof rate === 'object'
      ? { stages: [], steps: rate, ...(duration === undefined ? {} : { stepMs: duration }) }
      : { stages: stages?.map(asStage) ?? [{ ratePerSecond: rate ?? 1, forMs: duration ?? null }] };
  return {
    ok: true,
    value: {
      mode: 'open',
      order: 'sequential',
      concurrency,
      arrivals,
      ...paced,
      warmup: load.warmup,
      onThrottle: load.on_throttle,
      shuffle: load.shuffle,
    },
  };
}

function isTwice(steps: readonly number[] | null): boolean {
  return steps !== null && new Set(steps).size < steps.length;
}

/** What each load of a sweep must hold; null where the suite asks for nothing. */
export function declareHold(
  document: Document,
  { load: { hold }, limits }: Pick<SuiteFile, 'load' | 'limits'>,
  load: Load,
): Checked<Hold | null> {
  if (hold === undefined) return { ok: true, value: null };
  const { p50, p90, p95, p99, errors } = hold;
  const given = { p50Ms: p50, p90Ms: p90, p95Ms: p95, p99Ms: p99, errors };
  const value: Hold = Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined));
  const { timeout = Infinity } = limits;
  const beyond = heldLimits(value).filter(({ limitMs }) => (limitMs ?? 0) > timeout);
  const diagnostics = [
    ...(stepsOf(load) === null ? [diagnoseAt(document, ['load', 'hold'], NO_LIST[load.mode], 'key')] : []),
    ...beyond.map(({ name }) =>
      diagnoseAt(document, ['load', 'hold', name], {
        cause: `the limit is above the time limit of a request, so that no take could be late`,
        remedy: 'lower it, or raise limits.timeout',
      }),
    ),
  ];
  return diagnostics.length === 0 ? { ok: true, value } : { ok: false, diagnostics };
}

const NO_LIST = {
  closed: { cause: 'hold needs loads that each variant has alone', remedy: 'write a list: concurrency: [8]' },
  open: { cause: 'hold needs rates that each begin at an empty service', remedy: 'write a list: rate: [2/s]' },
} as const;

function asStage({ rate, for: forMs }: NonNullable<DeclaredLoad['stages']>[number]): Stage {
  return { ratePerSecond: rate, forMs };
}

/** Distinct probes in sending order. */
export function declareProbes(declared: SuiteFile['probes']): readonly ProbeKind[] {
  return PROBES.filter((kind) => declared.includes(kind));
}

/** Refuses the load probe under open load, whose concurrency is not declared. */
export function refuseProbes(document: Document, declared: SuiteFile['probes'], { mode }: Load): readonly Diagnostic[] {
  const at = declared.indexOf('load');
  if (at < 0 || mode === 'closed') return [];
  const cause = 'the probe "load" needs the concurrency of closed load';
  return [diagnoseAt(document, ['probes', at], { cause, remedy: 'remove it, or write mode: closed' }, 'value')];
}

export function declareGate(
  document: Document,
  { gate, on_inconclusive: ofSuite }: Pick<SuiteFile, 'gate' | 'on_inconclusive'>,
): readonly DeclaredRule[] {
  return gate.map((written, index) => {
    const keys = Object.entries(written).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const [given] = boundsIn(written);
    if (given === undefined) throw new Error('a rule without a bound passed its schema');
    return {
      rule: declareRule(written, given.bound, written.on_inconclusive ?? ofSuite ?? 'inconclusive'),
      sources: {
        '': sourceAt(document, ['gate', index]),
        ...Object.fromEntries(keys.map((key) => [key, sourceAt(document, ['gate', index, key], 'key')])),
      },
      writtenAs: given.writtenAs,
    };
  });
}

function declareRule(written: WrittenRule, bound: Bound, onInconclusive: GateRule['onInconclusive']): GateRule {
  return {
    metric: written.metric,
    statistic: written.statistic ?? null,
    overMs: written.over ?? null,
    variants: written.variants ?? null,
    kinds: written.kinds ?? null,
    prompts: written.prompts ?? null,
    tags: written.tags ?? null,
    against: written.against,
    bound,
    ...(written.at_first === undefined ? {} : { atFirst: written.at_first }),
    onInconclusive,
  };
}
