import type { Slice } from '../../../plan/plan.ts';
import { isMeasured } from '../../../plan/plan.ts';
import { type Pacing, workOf } from '../../../plan/time-left/planned-work.ts';
import { createTimeLeft } from '../../../plan/time-left/time-left.ts';
import { beganMs } from '../../../record/model/began-ms.ts';
import type { Outcome } from '../../../record/model/outcomes.ts';
import type { RunnerEvent } from '../../../run/calls/runner-event.ts';
import { median } from '../../../statistics/samples/quantile.ts';
import { sortSample } from '../../../statistics/samples/sorted-sample.ts';
import { count, duration, plural, rate, rateUnit, share } from '../../../text/quantity.ts';
import { clipped, padded, shortened, textWidth } from '../../../text/text-width.ts';
import { timeLeftWords } from '../../../text/time-left-words.ts';
import { visibleLine } from '../../../text/visible.ts';
import { followSlices } from './follow-slices.ts';
import type { ProgressEvent, VariantProgressEvent } from './progress-event.ts';
import type { Spend } from './spend.ts';

export interface ProgressRoom {
  readonly width: number;
  readonly lines: number;
}

/** The progress as text, from what the runner reports; reads no clock. */
export interface Progress {
  readonly observe: (event: RunnerEvent, atMs: number) => void;
  readonly stopping: () => void;
  /** One line for all requests, then a line per variant. */
  readonly block: (nowMs: number, room: ProgressRoom) => readonly string[];
  /** The first line of the block, for a log. */
  readonly line: (nowMs: number) => string;
  readonly event: (nowMs: number) => ProgressEvent;
}

interface VariantProgress {
  readonly name: string;
  /** Requests, with warm-ups and probes. */
  total: number;
  done: number;
  failed: number;
  inFlight: number;
  abandoned: boolean;
  /** The takes among them, which its line shows, as does the page of a run in progress. */
  readonly takes: { planned: number; ended: number; failed: number };
  lastEvent: number;
  readonly totalsMs: number[];
  /** p50 of the first `of` latencies (cache). */
  p50: { readonly of: number; readonly ms: number | null };
}

/** Outcomes that are not failures of the service. */
const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

const NARROWEST_NAME = 18;

/** Columns of the other parts of a line: requests in flight and failures. */
const OTHER_COLUMNS = 24;

/** The share of the screen that a block may take: earlier lines stay visible. */
const MOST_OF_SCREEN = 0.6;

/** The p50 of many latencies changes slowly: it is computed again when there are so many times as many. */
const RENEWED_AT = 1.01;
const GAP = '  ';

export interface SentPlan {
  readonly slices: readonly Slice[];
  readonly load: Pacing;
  /** The gate may be decided before they are all sent. */
  readonly mayEndEarly: boolean;
}

export function createProgress(
  names: readonly string[],
  { slices, load, mayEndEarly }: SentPlan,
  spend: Spend,
): Progress {
  const variants = new Map<string, VariantProgress>(
    names.map((name) => [
      name,
      {
        name,
        total: 0,
        done: 0,
        failed: 0,
        inFlight: 0,
        abandoned: false,
        takes: { planned: 0, ended: 0, failed: 0 },
        lastEvent: 0,
        totalsMs: [],
        p50: { of: 0, ms: null },
      },
    ]),
  );
  for (const { trials } of slices) {
    for (const trial of trials) {
      const variant = variants.get(trial.variant);
      if (variant === undefined) continue;
      variant.total += 1;
      if (isMeasured(trial)) variant.takes.planned += 1;
    }
  }
  const timeLeft = createTimeLeft(workOf(slices, load), load);
  const sliceOf = followSlices(slices);
  let events = 0;
  let inFlight = 0;
  let isStopping = false;
  let isDecided = false;
  let waitsFor: ProgressEvent['waitingFor'] = null;
  let done = 0;
  let refusals = 0;
  let firstStartMs: number | null = null;
  /** Of the rate, fixed from the first one on: a changing unit is hard to follow. */
  let unit: ReturnType<typeof rateUnit> | null = null;

  const plannedNow = () =>
    [...variants.values()].reduce((sum, variant) => sum + (variant.abandoned ? variant.done : variant.total), 0);
  const failed = () => [...variants.values()].reduce((sum, variant) => sum + variant.failed, 0);

  const perSecond = (nowMs: number): number | null =>
    firstStartMs === null || done === 0 ? null : (done * 1000) / Math.max(1, nowMs - firstStartMs);
  const leftMs = (nowMs: number): number | null => (isStopping || done >= plannedNow() ? null : timeLeft.at(nowMs));
  const pace = (nowMs: number): readonly string[] => {
    const [perS, left] = [perSecond(nowMs), leftMs(nowMs)];
    if (perS !== null) unit ??= rateUnit([perS]);
    return [
      // Once the gate is decided, only probes are left of the plan.
      isDecided ? `${count(done)} requests done, gate decided` : `${count(done)} / ${plural(plannedNow(), 'request')}`,
      `${count(inFlight)} in flight`,
      ...(perS === null ? [] : [rate(perS, unit ?? 's')]),
      ...(left === null ? [] : [timeLeftWords(left, mayEndEarly && !isDecided)]),
    ];
  };
  const troubles = (): readonly string[] => {
    const spent = spend.text();
    return [
      ...(waitsFor === null ? [] : [`waiting for ${waitsFor.origin} (${waitsFor.code})`]),
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
    observe: (event, atMs) => {
      switch (event.event) {
        case 'started':
          timeLeft.started(event.trial, sliceOf(event.trial), atMs);
          inFlight += 1;
          observeTrial(event.trial.variant, (variant) => {
            variant.inFlight += 1;
          });
          return;
        case 'refused':
          refusals += 1;
          return;
        case 'waiting':
          waitsFor = { origin: event.origin, code: event.code };
          return;
        case 'reached':
          waitsFor = null;
          return;
        case 'abandoned':
          timeLeft.abandoned(event.variant);
          observeTrial(event.variant, (variant) => {
            variant.abandoned = true;
          });
          return;
        case 'look':
          isDecided ||= event.decided;
          if (isDecided) timeLeft.decided();
          return;
        case 'ended':
      }
      const { sample } = event;
      timeLeft.ended(sample.trial, sliceOf(sample.trial), atMs);
      const wasInFlight = sample.outcome !== 'dropped';
      if (wasInFlight) inFlight -= 1;
      done += 1;
      const began = beganMs(sample);
      firstStartMs = Math.min(firstStartMs ?? began, began);
      spend.add(sample);
      observeTrial(sample.trial.variant, (variant) => {
        if (wasInFlight) variant.inFlight -= 1;
        variant.done += 1;
        const isFailure = !NO_FAILURE.has(sample.outcome);
        if (isFailure) variant.failed += 1;
        if (!isMeasured(sample.trial)) return;
        variant.takes.ended += 1;
        if (isFailure) variant.takes.failed += 1;
        if (sample.outcome === 'ok' && sample.trial.step === undefined) {
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
      const rows = rowsOf(
        [...variants.values()],
        Math.max(1, Math.floor(lines * MOST_OF_SCREEN) - heads.length),
        width,
      );
      return [...heads, ...rows].map((row) => clipped(visibleLine(row), Math.max(20, width)));
    },
    line: (nowMs) => (isDraining() ? drain() : [...pace(nowMs), ...troubles()].join(', ')),
    event: (nowMs) => ({
      event: 'progress',
      atMs: Math.round(nowMs),
      done,
      planned: plannedNow(),
      inFlight,
      failed: failed(),
      refusals,
      perSecond: perSecond(nowMs),
      leftMs: whole(leftMs(nowMs)),
      spent: spend.soFar(),
      waitingFor: waitsFor,
      stopping: isStopping,
      decided: isDecided,
      variants: [...variants.values()].map(variantEvent),
    }),
  };
}

/** A line per variant, in order; if there are too many, the busiest ones and the number of the others. */
function rowsOf(variants: readonly VariantProgress[], lines: number, width: number): readonly string[] {
  const shown = variants.length <= lines ? variants : busiest(variants, lines - 1);
  const counts = Math.max(0, ...shown.map((variant) => countsOf(variant).length));
  const medians = shown.map((variant) => {
    const p50 = p50Of(variant);
    return p50 === null ? '' : `p50 ${duration(p50)}`;
  });
  const widest = Math.max(0, ...medians.map((each) => each.length));
  const room = Math.max(NARROWEST_NAME, width - counts - widest - 3 * GAP.length - OTHER_COLUMNS);
  const names = Math.min(room, Math.max(0, ...shown.map(({ name }) => textWidth(name))));
  const rows = shown.map((variant, at) => {
    const { name, inFlight, takes, abandoned } = variant;
    return [
      '',
      padded(shortened(name, names), names),
      padded(countsOf(variant), counts, 'right'),
      ...(widest === 0 ? [] : [padded(medians[at] ?? '', widest)]),
      ...(inFlight === 0 ? [] : [`${inFlight} in flight`]),
      ...(takes.failed === 0 ? [] : [plural(takes.failed, 'failure')]),
      ...(abandoned ? ['left out'] : []),
    ]
      .join(GAP)
      .trimEnd();
  });
  if (shown.length === variants.length) return rows;
  const rest = variants.filter((variant) => !shown.includes(variant));
  const ended = rest.filter(isEnded).length;
  return [...rows, `${GAP}${rest.length} more: ${ended} done, ${rest.length - ended} not yet`];
}

function p50Of(variant: VariantProgress): number | null {
  const { totalsMs, p50 } = variant;
  if (totalsMs.length > p50.of * RENEWED_AT) variant.p50 = { of: totalsMs.length, ms: median(sortSample(totalsMs)) };
  return variant.p50.ms;
}

function variantEvent(each: VariantProgress): VariantProgressEvent {
  const { name, done, total, inFlight, failed, abandoned } = each;
  return { variant: name, done, planned: total, inFlight, failed, p50Ms: p50Of(each), abandoned };
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

function countsOf({ takes }: VariantProgress): string {
  return `${takes.ended} / ${takes.planned}`;
}

/** Those with requests in flight first, then by their last event. */
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
