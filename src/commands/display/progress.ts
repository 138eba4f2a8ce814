import { isMeasured } from '../../plan/trial.ts';
import { beganMs, type Outcome } from '../../record/model/sample.ts';
import type { RunnerEvent } from '../../run/calls/runner-event.ts';
import { median } from '../../statistics/samples/quantile.ts';
import { sortSample } from '../../statistics/samples/sorted-sample.ts';
import { duration, elapsed, plural, share } from '../../text/quantity.ts';
import type { Spend } from './spend.ts';

/** How far a run is; fed with what the runner observes, asked for text. Tells no time itself. */
export interface Progress {
  readonly observe: (event: RunnerEvent) => void;
  /** The run is stopping; from here on the text says what it waits for. */
  readonly stopping: () => void;
  /** One line for all, then one a variant: done / total, p50 so far, failures. */
  readonly block: (nowMs: number, width: number) => readonly string[];
  /** The same in one line, for a log. */
  readonly line: (nowMs: number) => string;
}

interface VariantProgress {
  readonly total: number;
  abandoned: boolean;
  done: number;
  failed: number;
  readonly totalsMs: number[];
}

/** What is no fault of the service's and no result either is neither done well nor failed. */
const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

/** `totals`: requests of the plan by variant, in the order they are shown. */
export function createProgress(totals: ReadonlyMap<string, number>, spend: Spend): Progress {
  const variants = new Map<string, VariantProgress>(
    [...totals].map(([name, total]) => [name, { total, abandoned: false, done: 0, failed: 0, totalsMs: [] }]),
  );
  let inFlight = 0;
  let isStopping = false;
  let isDecided = false;
  let waitsFor: string | null = null;
  let done = 0;
  let refusals = 0;
  let firstStartMs: number | null = null;

  /** Of a variant that was abandoned nothing more is sent than what was. */
  const plannedNow = () =>
    [...variants.values()].reduce((sum, variant) => sum + (variant.abandoned ? variant.done : variant.total), 0);
  const failed = () => [...variants.values()].reduce((sum, variant) => sum + variant.failed, 0);

  const summary = (nowMs: number): string => {
    const planned = plannedNow();
    if (isStopping && inFlight > 0)
      return `stopping: waits for ${inFlight} in flight; press Ctrl-C again to abort ${inFlight === 1 ? 'it' : 'them'}`;
    // Once the gate is decided, only probes are left of what was planned.
    const parts = [isDecided ? `${done} done, gate decided` : `${done} / ${planned}`, `${inFlight} in flight`];
    if (firstStartMs !== null && done > 0) {
      const perMs = done / Math.max(1, nowMs - firstStartMs);
      parts.push(`${(perMs * 1000).toFixed(2)} / s`);
      if (!isDecided && done < planned && inFlight > 0) parts.push(`about ${elapsed((planned - done) / perMs)} left`);
    }
    if (waitsFor !== null) parts.push(`waiting for ${waitsFor}`);
    if (failed() > 0) parts.push(`${plural(failed(), 'failure')} (${share(failed() / done)})`);
    if (refusals > 0) parts.push(`rate-limited ${plural(refusals, 'time')}`);
    const spent = spend.text();
    if (spent !== null) parts.push(spent);
    return parts.join(', ');
  };

  return {
    observe: (event) => {
      if (event.event === 'started') {
        inFlight += 1;
        return;
      }
      if (event.event === 'refused') {
        refusals += 1;
        return;
      }
      if (event.event === 'waiting') {
        waitsFor = `${event.origin} (${event.code})`;
        return;
      }
      if (event.event === 'reached') {
        waitsFor = null;
        return;
      }
      if (event.event === 'abandoned') {
        const variant = variants.get(event.variant);
        if (variant !== undefined) variant.abandoned = true;
        return;
      }
      if (event.event === 'look') {
        isDecided ||= event.decided;
        return;
      }
      const { sample } = event;
      if (sample.outcome !== 'dropped') inFlight -= 1; // it was never in flight
      done += 1;
      const began = beganMs(sample);
      firstStartMs = Math.min(firstStartMs ?? began, began);
      spend.add(sample);
      const variant = variants.get(sample.trial.variant);
      if (variant === undefined) return;
      variant.done += 1;
      if (!NO_FAILURE.has(sample.outcome)) variant.failed += 1;
      if (sample.outcome === 'ok' && sample.trial.step === undefined && isMeasured(sample.trial)) {
        variant.totalsMs.push(sample.marks.doneMs - sample.marks.startedMs);
      }
    },
    stopping: () => {
      isStopping = true;
    },
    block: (nowMs, width) => {
      const nameWidth = Math.min(32, Math.max(...[...variants.keys()].map((name) => name.length), 0));
      const rows = [...variants].map(([name, { done: ended, total, abandoned, failed: bad, totalsMs }]) => {
        const p50 = median(sortSample(totalsMs));
        const latency = p50 === null ? '' : `  p50 ${duration(p50)}`;
        const failures = bad === 0 ? '' : `  ${plural(bad, 'failure')}`;
        return `  ${name.slice(0, nameWidth).padEnd(nameWidth)}  ${`${ended} / ${total}`.padStart(11)}${latency}${failures}${abandoned ? '  left out' : ''}`;
      });
      return [summary(nowMs), ...rows].map((row) => row.slice(0, Math.max(20, width - 1)));
    },
    line: summary,
  };
}
