import type { Slice } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/model/outcomes.ts';
import { createRunTally, plannedInSlices, type VariantTally } from '../../../record/tally/run-tally.ts';
import type { RunnerEvent } from '../../../run/calls/runner-event.ts';
import { clipped, padded, shortened, textWidth } from '../../../text/text-width.ts';
import { timeLeftWords } from '../../../text/time-left-words.ts';
import { visibleLine } from '../../../text/visible.ts';
import { count, duration, plural, rate, rateUnit, share } from '../../../text/wording.ts';
import type { ProgressEvent, ShownSpend, VariantProgressEvent } from './spend.ts';

interface ProgressRoom {
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

const NARROWEST_NAME = 18;

/** Columns of the other parts of a line: requests in flight and failures. */
const OTHER_COLUMNS = 24;

/** The share of the screen that a block may take: earlier lines stay visible. */
const MOST_OF_SCREEN = 0.6;

const GAP = '  ';

export interface SentPlan {
  readonly slices: readonly Slice[];
  readonly concurrency: number;
  /** The gate may be decided before they are all sent. */
  readonly mayEndEarly: boolean;
}

export function createProgress(
  names: readonly string[],
  { slices, concurrency, mayEndEarly }: SentPlan,
  spend: ShownSpend,
): Progress {
  const tally = createRunTally(plannedInSlices(names, slices), concurrency);
  /** Names of variants; the one with the latest event is the last. */
  const lastSeen = new Set<string>();
  let isStopping = false;
  let waitsFor: ProgressEvent['waitingFor'] = null;
  let refusals = 0;
  let firstStartMs: number | null = null;
  /** Of the rate, fixed from the first one on: a changing unit is hard to follow. */
  let unit: ReturnType<typeof rateUnit> | null = null;

  const plannedNow = () =>
    tally.variants().reduce((sum, each) => sum + (each.isAbandoned ? each.requests.ended : each.requests.planned), 0);

  const perSecond = (nowMs: number): number | null =>
    firstStartMs === null || tally.ended() === 0 ? null : (tally.ended() * 1000) / Math.max(1, nowMs - firstStartMs);
  const leftMs = (nowMs: number): number | null =>
    isStopping || tally.ended() >= plannedNow() ? null : tally.leftMs(nowMs);
  const pace = (nowMs: number): readonly string[] => {
    const [perS, left] = [perSecond(nowMs), leftMs(nowMs)];
    if (perS !== null) unit ??= rateUnit([perS]);
    return [
      // Once the gate is decided, only probes are left of the plan.
      tally.isDecided()
        ? `${count(tally.ended())} requests done, gate decided`
        : `${count(tally.ended())} / ${plural(plannedNow(), 'request')}`,
      `${count(tally.inFlight())} in flight`,
      ...(perS === null ? [] : [rate(perS, unit ?? 's')]),
      ...(left === null ? [] : [timeLeftWords(left, mayEndEarly && !tally.isDecided())]),
    ];
  };
  const troubles = (): readonly string[] => {
    const [failed, spent] = [tally.failed(), spend.text()];
    return [
      ...(waitsFor === null ? [] : [`waiting for ${waitsFor.origin} (${waitsFor.code})`]),
      ...(failed > 0 ? [`${plural(failed, 'failure')} (${share(failed / tally.ended())})`] : []),
      ...(refusals > 0 ? [`rate-limited ${plural(refusals, 'time')}`] : []),
      ...(spent === null ? [] : [spent]),
    ];
  };
  const drain = (): string => {
    const inFlight = tally.inFlight();
    return `stopping: waits for ${inFlight} in flight; press Ctrl-C again to abort ${inFlight === 1 ? 'it' : 'them'}`;
  };
  const isDraining = () => isStopping && tally.inFlight() > 0;

  const seen = (variant: string): void => {
    lastSeen.delete(variant);
    lastSeen.add(variant);
  };

  return {
    observe: (event, atMs) => {
      switch (event.event) {
        case 'started':
          tally.add({ event: 'intent', trial: event.trial, atMs });
          return seen(event.trial.variant);
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
          tally.add(event);
          return seen(event.variant);
        case 'look':
          return tally.add(event);
        case 'ended':
      }
      const { sample } = event;
      tally.add({ event: 'sample', sample });
      const began = beganMs(sample);
      firstStartMs = Math.min(firstStartMs ?? began, began);
      spend.add(sample);
      seen(sample.trial.variant);
    },
    stopping: () => {
      isStopping = true;
    },
    block: (nowMs, { width, lines }) => {
      const trouble = troubles().join(', ');
      const heads = [isDraining() ? drain() : pace(nowMs).join(', '), ...(trouble === '' ? [] : [trouble])];
      const rows = rowsOf(
        tally.variants(),
        [...lastSeen],
        Math.max(1, Math.floor(lines * MOST_OF_SCREEN) - heads.length),
        width,
      );
      return [...heads, ...rows].map((row) => clipped(visibleLine(row), Math.max(20, width)));
    },
    line: (nowMs) => (isDraining() ? drain() : [...pace(nowMs), ...troubles()].join(', ')),
    event: (nowMs) => ({
      event: 'progress',
      atMs: Math.round(nowMs),
      done: tally.ended(),
      planned: plannedNow(),
      inFlight: tally.inFlight(),
      failed: tally.failed(),
      refusals,
      perSecond: perSecond(nowMs),
      leftMs: whole(leftMs(nowMs)),
      spent: spend.soFar(),
      waitingFor: waitsFor,
      stopping: isStopping,
      decided: tally.isDecided(),
      variants: tally.variants().map(variantEvent),
    }),
  };
}

/** A line per variant, in order; if there are too many, the busiest ones and the number of the others. */
function rowsOf(
  variants: readonly VariantTally[],
  lastSeen: readonly string[],
  lines: number,
  width: number,
): readonly string[] {
  const shown = variants.length <= lines ? variants : busiest(variants, lastSeen, lines - 1);
  const counts = Math.max(0, ...shown.map((variant) => countsOf(variant).length));
  const medians = shown.map(({ p50Ms }) => (p50Ms === null ? '' : `p50 ${duration(p50Ms)}`));
  const widest = Math.max(0, ...medians.map((each) => each.length));
  const room = Math.max(NARROWEST_NAME, width - counts - widest - 3 * GAP.length - OTHER_COLUMNS);
  const names = Math.min(room, Math.max(0, ...shown.map(({ name }) => textWidth(name))));
  const rows = shown.map((variant, at) => {
    const { name, inFlight, takes, isAbandoned } = variant;
    return [
      '',
      padded(shortened(name, names), names),
      padded(countsOf(variant), counts, 'right'),
      ...(widest === 0 ? [] : [padded(medians[at] ?? '', widest)]),
      ...(inFlight === 0 ? [] : [`${inFlight} in flight`]),
      ...(takes.failed === 0 ? [] : [plural(takes.failed, 'failure')]),
      ...(isAbandoned ? ['left out'] : []),
    ]
      .join(GAP)
      .trimEnd();
  });
  if (shown.length === variants.length) return rows;
  const rest = variants.filter((variant) => !shown.includes(variant));
  const ended = rest.filter(isEnded).length;
  return [...rows, `${GAP}${rest.length} more: ${ended} done, ${rest.length - ended} not yet`];
}

function variantEvent({ name, requests, inFlight, isAbandoned, p50Ms }: VariantTally): VariantProgressEvent {
  const { planned, ended: done, failed } = requests;
  return { variant: name, done, planned, inFlight, failed, p50Ms, abandoned: isAbandoned };
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

function countsOf({ takes }: VariantTally): string {
  return `${takes.ended} / ${takes.planned}`;
}

/** Those with requests in flight first, then by their last event. */
function busiest(
  variants: readonly VariantTally[],
  lastSeen: readonly string[],
  most: number,
): readonly VariantTally[] {
  const ranked = variants.toSorted(
    (a, b) =>
      Number(isEnded(a)) - Number(isEnded(b)) ||
      Number(b.inFlight > 0) - Number(a.inFlight > 0) ||
      lastSeen.indexOf(b.name) - lastSeen.indexOf(a.name),
  );
  const kept = new Set(ranked.slice(0, Math.max(0, most)));
  return variants.filter((variant) => kept.has(variant));
}

function isEnded({ requests, isAbandoned }: VariantTally): boolean {
  return isAbandoned || requests.ended >= requests.planned;
}
