import { CALLS_PER_SLOT } from '../../plan/sweep.ts';
import type { Sample } from '../../record/journal.ts';
import { FEWEST_UNITS } from '../../statistics/jackknife.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import { groupBy } from '../grouping.ts';
import { type Finding, mixesSteps, type Subject } from '../metric.ts';
import { noted } from '../note.ts';
import { sliceOf } from '../samples/span.ts';
import { type ClosedThroughput, closedThroughput } from './closed-throughput.ts';
import { leftMs, slotCalls, slotsOf } from './slot-calls.ts';

export interface DueCall {
  readonly sample: Sample;
  readonly ok: boolean;
}

/** Ok outputs until the last due time, per second from the first one. Null if all due times are equal. */
function openThroughput(calls: readonly DueCall[]): number | null {
  let outputs = 0;
  let lastedMs = 0;
  for (const slice of groupBy(calls, ({ sample }) => sliceOf(sample)).values()) {
    const due = slice.flatMap(({ sample: { marks } }) => marks.scheduledMs ?? []);
    const first = due.reduce((least, ms) => Math.min(least, ms), Infinity);
    const last = due.reduce((most, ms) => Math.max(most, ms), -Infinity);
    if (!(last > first)) continue;
    lastedMs += last - first;
    outputs += slice.filter(({ sample, ok }) => ok && leftMs(sample) <= last).length;
  }
  return lastedMs === 0 ? null : (1000 * outputs) / lastedMs;
}

/**
 * Counted takes per second under the requested load; bracketed by `rate_low` and `rate_high` if slices are too short.
 * Null if variants were mixed (no variant has its own time), and for merged shards (their clocks differ). Takes that do
 * not count still hold their slot.
 */
export function throughputFindings(subject: Subject, counts: (take: EffectiveSample) => boolean): readonly Finding[] {
  const { prompt, step, samples, plan, isSharded } = subject;
  if (prompt !== null || mixesSteps(subject)) return [];
  const n = samples.filter(counts).length;
  const rate: Rate = (finding, statistic = 'rate') => ({ statistic, n, ...finding });
  if (isSharded) {
    const method = plan.load.mode === 'open' ? 'done_while_due' : 'full_slots';
    return [rate({ value: null, interval: null, method, notes: [noted('sharded')] })];
  }
  if (plan.load.mode === 'open') {
    const value = openThroughput(samples.map((take) => ({ sample: take.sample, ok: counts(take) })));
    const notes = [value === null ? noted('no_trial') : noted('no_interval')];
    return [rate({ value, interval: null, method: 'done_while_due', notes })];
  }
  if (plan.load.order === 'mixed') {
    return [rate({ value: null, interval: null, method: 'full_slots', notes: [noted('mixed_order')] })];
  }
  const slots = slotsOf(step, plan.load);
  return closedFindings(closedThroughput(slotCalls(samples, counts), slots, subject.dependence), { slots, n }, rate);
}

function takesForInterval(takes: number, units: number): number {
  return Math.max(FEWEST_UNITS, Math.ceil((FEWEST_UNITS * takes) / units));
}

type Rate = (found: Omit<Finding, 'statistic' | 'n'>, statistic?: string) => Finding;

function closedFindings(
  throughput: ClosedThroughput,
  { slots, n }: { readonly slots: number; readonly n: number },
  rate: Rate,
): Finding[] {
  switch (throughput.found) {
    case 'nothing':
      return [rate({ value: null, interval: null, method: 'full_slots', notes: [noted('no_trial')] })];
    case 'rate': {
      const few = noted('needs_n', takesForInterval(n, throughput.units));
      const notes = [
        ...(throughput.interval === null ? [few] : []),
        ...(throughput.leftOut === 0 ? [] : [noted('short_slices_left_out', throughput.leftOut)]),
      ];
      return [rate({ value: throughput.perSecond, interval: throughput.interval, method: 'jackknife_t', notes })];
    }
    case 'bracket': {
      const remedy = [noted('slices_too_short', CALLS_PER_SLOT * slots)];
      const why = throughput.interval === null ? [noted('needs_slices', FEWEST_UNITS)] : [];
      const end = (value: number | null) => ({ value, interval: null, method: 'bracket', notes: why }) as const;
      return [
        rate({ value: null, interval: null, method: 'bracket', notes: remedy }),
        rate(end(throughput.interval?.low ?? null), 'rate_low'),
        rate(end(throughput.interval?.high ?? null), 'rate_high'),
      ];
    }
  }
}
