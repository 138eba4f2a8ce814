import { isMeasured } from '../../plan/trial.ts';
import { beganMs, type Outcome } from '../../record/model/sample.ts';
import type { RunnerEvent } from '../../run/calls/runner-event.ts';
import { median } from '../../statistics/samples/quantile.ts';
import { sortSample } from '../../statistics/samples/sorted-sample.ts';
import { duration, elapsed, plural, share } from '../../text/quantity.ts';
import { clipped, padded, textWidth } from '../../text/text-width.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Spend } from './spend.ts';

/** What a block may take of a terminal. */
export interface ProgressRoom {
  /** Columns of a line. */
  readonly width: number;
  /** Lines of the block. */
  readonly lines: number;
}

/** How far a run is; fed with what the runner observes, asked for text. Tells no time itself. */
export interface Progress {
  readonly observe: (event: RunnerEvent) => void;
  /** The run is stopping; from here on the text says what it waits for. */
  readonly stopping: () => void;
  /** For all: done / total, in flight, rate, time left; failures and spend; then a line a variant: done / total, in flight, p50 so far, failures. */
  readonly block: (nowMs: number, room: ProgressRoom) => readonly string[];
  /** What is said for all, in one line, for a log. */
  readonly line: (nowMs: number) => string;
}

interface VariantProgress {
  readonly name: string;
  readonly total: number;
  abandoned: boolean;
  inFlight: number;
  done: number;
  failed: number;
  /** The number of the last event about it: the higher, the more recent. */
  lastEvent: number;
  readonly totalsMs: number[];
}

/** What is no fault of the service's and no result either is neither done well nor failed. */
const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

const WIDEST_NAME = 32;
const GAP = '  ';

/** `totals`: requests of the plan by variant, in the order they are shown. */
export function createProgress(totals: ReadonlyMap<string, number>, spend: Spend): Progress {
  const variants = new Map<string, VariantProgress>(
    [...totals].map(([name, total]) => [
      name,
      { name, total, abandoned: false, inFlight: 0, done: 0, failed: 0, lastEvent: 0, totalsMs: [] },
    ]),
  );
  let events = 0;
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

  const pace = (nowMs: number): readonly string[] => {
    const planned = plannedNow();
    // Once the gate is decided, only probes are left of what was planned.
    const parts = [isDecided ? `${done} done, gate decided` : `${done} / ${planned}`, `${inFlight} in flight`];
    if (firstStartMs !== null && done > 0) {
      const perMs = done / Math.max(1, nowMs - firstStartMs);
      parts.push(`${(perMs * 1000).toFixed(2)} / s`);
      if (!isDecided && done < planned && inFlight > 0) parts.push(`about ${elapsed((planned - done) / perMs)} left`);
    }
    return parts;
  };
  const troubles = (): readonly string[] => {
    const spent = spend.text();
    return [
      ...(waitsFor === null ? [] : [`waiting for ${waitsFor}`]),
      ...(failed() > 0 ? [`${plural(failed(), 'failure')} (${share(failed() / done)})`] : []),
      ...(refusals > 0 ? [`rate-limited ${plural(refusals, 'time')}`] : []),
      ...(spent === null ? [] : [spent]),
    ];
  };
  const drain = (): string =>
    `stopping: waits for ${inFlight} in flight; press Ctrl-C again to abort ${inFlight === 1 ? 'it' : 'them'}`;
  const isDraining = () => isStopping && inFlight > 0;

  const observeTrial = (name: string, change: (variant: VariantProgress) => void): void => {
    const variant = variants.get(name);
    if (variant === undefined) return;
    events += 1;
    variant.lastEvent = events;
    change(variant);
  };

  return {
    observe: (event) => {
      switch (event.event) {
        case 'started':
          inFlight += 1;
          observeTrial(event.trial.variant, (variant) => {
            variant.inFlight += 1;
          });
          return;
        case 'refused':
          refusals += 1;
          return;
        case 'waiting':
          waitsFor = `${event.origin} (${event.code})`;
          return;
        case 'reached':
          waitsFor = null;
          return;
        case 'abandoned':
          observeTrial(event.variant, (variant) => {
            variant.abandoned = true;
          });
          return;
        case 'look':
          isDecided ||= event.decided;
          return;
        case 'ended':
      }
      const { sample } = event;
      const wasInFlight = sample.outcome !== 'dropped';
      if (wasInFlight) inFlight -= 1;
      done += 1;
      const began = beganMs(sample);
      firstStartMs = Math.min(firstStartMs ?? began, began);
      spend.add(sample);
      observeTrial(sample.trial.variant, (variant) => {
        if (wasInFlight) variant.inFlight -= 1;
        variant.done += 1;
        if (!NO_FAILURE.has(sample.outcome)) variant.failed += 1;
        if (sample.outcome === 'ok' && sample.trial.step === undefined && isMeasured(sample.trial)) {
          variant.totalsMs.push(sample.marks.doneMs - sample.marks.startedMs);
        }
      });
    },
    stopping: () => {
      isStopping = true;
    },
    block: (nowMs, { width, lines }) => {
      const trouble = troubles().join(', ');
      const heads = [isDraining() ? drain() : pace(nowMs).join(', '), ...(trouble === '' ? [] : [trouble])];
      const rows = rowsOf([...variants.values()], Math.max(1, lines - heads.length));
      return [...heads, ...rows].map((row) => clipped(visibleLine(row), Math.max(20, width)));
    },
    line: (nowMs) => (isDraining() ? drain() : [...pace(nowMs), ...troubles()].join(', ')),
  };
}

/** A line for each variant, in their order; where they are too many, the busiest ones and how many there are beside them. */
function rowsOf(variants: readonly VariantProgress[], lines: number): readonly string[] {
  const shown = variants.length <= lines ? variants : busiest(variants, lines - 1);
  const names = Math.min(WIDEST_NAME, Math.max(0, ...shown.map(({ name }) => textWidth(name))));
  const counts = Math.max(0, ...shown.map((variant) => countsOf(variant).length));
  const rows = shown.map((variant) => {
    const { name, inFlight, totalsMs, failed, abandoned } = variant;
    const p50 = median(sortSample(totalsMs));
    return [
      '',
      padded(clipped(name, names), names),
      padded(countsOf(variant), counts, 'right'),
      ...(p50 === null ? [] : [`p50 ${duration(p50)}`]),
      ...(inFlight === 0 ? [] : [`${inFlight} in flight`]),
      ...(failed === 0 ? [] : [plural(failed, 'failure')]),
      ...(abandoned ? ['left out'] : []),
    ].join(GAP);
  });
  if (shown.length === variants.length) return rows;
  const rest = variants.filter((variant) => !shown.includes(variant));
  const ended = rest.filter(isEnded).length;
  return [...rows, `${GAP}${rest.length} more: ${ended} done, ${rest.length - ended} not yet`];
}

function countsOf({ done, total }: VariantProgress): string {
  return `${done} / ${total}`;
}

/** Those with a request in flight, then those with the most recent events. */
function busiest(variants: readonly VariantProgress[], most: number): readonly VariantProgress[] {
  const ranked = variants.toSorted(
    (a, b) =>
      Number(isEnded(a)) - Number(isEnded(b)) ||
      Number(b.inFlight > 0) - Number(a.inFlight > 0) ||
      b.lastEvent - a.lastEvent,
  );
  const kept = new Set(ranked.slice(0, Math.max(0, most)));
  return variants.filter((variant) => kept.has(variant));
}

function isEnded({ done, total, abandoned }: VariantProgress): boolean {
  return abandoned || done >= total;
}
