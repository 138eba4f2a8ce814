import { wholeBillionths } from '../../../kit/most-usd.ts';
import { clipped, padded, shortened, textWidth } from '../../../kit/text-width.ts';
import { timeLeftWords } from '../../../kit/time.ts';
import { visibleLine } from '../../../kit/visible.ts';
import { count, duration, plural, rate, rateUnit, share, usd } from '../../../kit/wording.ts';
import type { TrialCosts } from '../../../plan/estimate.ts';
import type { Slice } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import type { Sample } from '../../../record/journal.ts';
import { createRunTally, plannedInSlices, type RunTally, type VariantTally } from '../../../record/run-tally.ts';
import { chargeOf, type Submitted } from '../../../record/trial-histories.ts';
import type { RunnerEvent } from '../../../run/events.ts';

/** The progress of a run, from what the runner reports; reads no clock. */
export interface Progress {
  readonly observe: (event: RunnerEvent, atMs: number) => void;
  readonly stopping: () => void;
  /** One line for all requests, then a line per variant. */
  readonly block: (nowMs: number, room: ProgressRoom) => readonly string[];
  /** The head of the block in one line, for a log. */
  readonly line: (nowMs: number) => string;
  readonly event: (nowMs: number) => ProgressEvent;
}

interface SentPlan {
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
  let isStopping = false;
  let waitingFor: Noted['waitingFor'] = null;
  let refusals = 0;
  let firstStartMs: number | null = null;
  /** Fixed from the first rate on: a changing unit is hard to follow. */
  let unit: ReturnType<typeof rateUnit> | null = null;

  const eventAt = (nowMs: number): ProgressEvent =>
    eventOf(nowMs, tally, { refusals, firstStartMs, waitingFor, isStopping, spent: spend.soFar() });
  const shownAt = (nowMs: number): ShownProgress => {
    const now = eventAt(nowMs);
    if (now.perSecond !== null) unit ??= rateUnit([now.perSecond]);
    return { now, unit: unit ?? 's', mayEndEarly };
  };

  return {
    observe: (event, atMs) => {
      switch (event.event) {
        case 'started':
          return tally.add({ event: 'intent', trial: event.trial, atMs });
        case 'refused':
          refusals += 1;
          return;
        case 'waiting':
          waitingFor = { origin: event.origin, code: event.code };
          return;
        case 'reached':
          waitingFor = null;
          return;
        case 'abandoned':
        case 'load_ended':
        case 'look':
          return tally.add(event);
        case 'ended':
      }
      const { sample } = event;
      tally.add({ event: 'sample', sample });
      firstStartMs = Math.min(firstStartMs ?? Infinity, beganMs(sample));
      spend.add(sample);
    },
    stopping: () => {
      isStopping = true;
    },
    block: (nowMs, room) => blockOf(shownAt(nowMs), tally.variants(), room),
    line: (nowMs) => logLine(shownAt(nowMs)),
    event: eventAt,
  };
}

/** What is shown of the progress; `--json` prints it, so it has codes and numbers, no sentence. */
type ProgressEvent = ReturnType<typeof eventOf>;

/** Counts requests of this process. */
function eventOf(nowMs: number, tally: RunTally, { refusals, firstStartMs, waitingFor, isStopping, spent }: Noted) {
  const variants = tally.variants();
  const done = tally.ended();
  const planned = variants.reduce((all, { requests, isAbandoned }) => {
    return all + (isAbandoned ? requests.ended : requests.planned);
  }, 0);
  const leftMs = isStopping || done >= planned ? null : tally.leftMs(nowMs);
  return {
    event: 'progress',
    /** Since this process began to measure. */
    atMs: Math.round(nowMs),
    done,
    /** Requests to send, with those done; without those of abandoned variants. */
    planned,
    inFlight: tally.inFlight(),
    /** Results other than ok, moderated, cancelled or dropped. */
    failed: tally.failed(),
    refusals,
    /** Results per second since the first request; null before the first result. */
    perSecond: firstStartMs === null || done === 0 ? null : (done * 1000) / Math.max(1, nowMs - firstStartMs),
    /** Estimated; null if unknown, or nothing more is sent. */
    leftMs: leftMs === null ? null : Math.round(leftMs),
    /** Null if no cost is known. */
    spent,
    waitingFor,
    /** After an interrupt: no more requests are sent. */
    stopping: isStopping,
    /** The gate is decided: only probes are still sent. */
    decided: tally.isDecided(),
    variants: variants.map(({ name: variant, requests, inFlight, isAbandoned: abandoned, p50Ms }) => {
      const { ended, planned: of, failed } = requests;
      return { variant, done: ended, planned: of, inFlight, failed, p50Ms, abandoned };
    }),
  };
}

/** What the tally does not count. */
interface Noted {
  readonly refusals: number;
  readonly firstStartMs: number | null;
  /** The server that cannot be reached, while the run waits for it; else null. */
  readonly waitingFor: { readonly origin: string; readonly code: string } | null;
  readonly isStopping: boolean;
  readonly spent: SpentSoFar | null;
}

interface SpentSoFar {
  readonly usd: number;
  /** Some requests have no known cost: more may be spent. */
  readonly isPartial: boolean;
  readonly limitUsd: number | null;
}

interface ShownProgress extends Pick<SentPlan, 'mayEndEarly'> {
  readonly now: ProgressEvent;
  readonly unit: 's' | 'min';
}

interface ProgressRoom {
  readonly width: number;
  readonly lines: number;
}

const NARROWEST_NAME = 18;

/** Columns for requests in flight and failures. */
const OTHER_COLUMNS = 24;

/** Share of the screen that a block may take, so that earlier lines stay visible. */
const MOST_OF_SCREEN = 0.6;

const GAP = '  ';

function blockOf(
  shown: ShownProgress,
  variants: readonly VariantTally[],
  { width, lines }: ProgressRoom,
): readonly string[] {
  const trouble = troubles(shown.now).join(', ');
  const heads = [firstLine(shown), ...(trouble === '' ? [] : [trouble])];
  const most = Math.max(1, Math.floor(lines * MOST_OF_SCREEN) - heads.length);
  const rows = rowsOf(variants, most, width);
  return [...heads, ...rows].map((row) => clipped(visibleLine(row), Math.max(20, width)));
}

function logLine(shown: ShownProgress): string {
  return [firstLine(shown), ...(isDraining(shown.now) ? [] : troubles(shown.now))].join(', ');
}

function isDraining({ stopping, inFlight }: ProgressEvent): boolean {
  return stopping && inFlight > 0;
}

function firstLine({ now, unit, mayEndEarly }: ShownProgress): string {
  const { done, planned, inFlight, perSecond, leftMs, decided } = now;
  if (isDraining(now)) {
    return `stopping: waits for ${inFlight} in flight; press Ctrl-C again to abort ${inFlight === 1 ? 'it' : 'them'}`;
  }
  return [
    // Once the gate is decided, only probes are left of the plan.
    decided ? `${count(done)} requests done, decided` : `${count(done)} / ${plural(planned, 'request')}`,
    `${count(inFlight)} in flight`,
    ...(perSecond === null ? [] : [rate(perSecond, unit)]),
    ...(leftMs === null ? [] : [timeLeftWords(leftMs, mayEndEarly && !decided)]),
  ].join(', ');
}

function troubles({ waitingFor, failed, done, refusals, spent }: ProgressEvent): readonly string[] {
  return [
    ...(waitingFor === null ? [] : [`waiting for ${waitingFor.origin} (${waitingFor.code})`]),
    ...(failed > 0 ? [`${plural(failed, 'failure')} (${share(failed / done)})`] : []),
    ...(refusals > 0 ? [`rate-limited ${plural(refusals, 'time')}`] : []),
    ...(spent === null ? [] : [spentWords(spent)]),
  ];
}

/** `$1.20 of $5.00 spent`. */
export function spentWords({ usd: spentUsd, isPartial, limitUsd }: SpentSoFar): string {
  const of = limitUsd === null ? '' : ` of ${usd(limitUsd)}`;
  return `${isPartial ? 'at least ' : ''}${usd(spentUsd)}${of} spent`;
}

/** A line per variant, in order; if there are too many, the first that are not done and the number of the others. */
function rowsOf(variants: readonly VariantTally[], lines: number, width: number): readonly string[] {
  const isFew = variants.length <= lines;
  const shown = isFew ? variants : variants.filter((variant) => !isEnded(variant)).slice(0, lines - 1);
  const counts = Math.max(0, ...shown.map((variant) => countsOf(variant).length));
  const medians = shown.map(({ p50Ms }) => (p50Ms === null ? '' : `p50 ${duration(p50Ms)}`));
  const widest = Math.max(0, ...medians.map((median) => median.length));
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

function countsOf({ takes }: VariantTally): string {
  return `${takes.ended} / ${takes.planned}`;
}

function isEnded({ requests, isAbandoned }: VariantTally): boolean {
  return isAbandoned || requests.ended >= requests.planned;
}

/** The spend so far, counted as for `limits.usd`. */
export interface ShownSpend {
  readonly add: (sample: Sample) => void;
  readonly soFar: () => SpentSoFar | null;
}

export function createSpend(costOf: TrialCosts, limitUsd: number | null, before: readonly Submitted[]): ShownSpend {
  let spentUsd = 0;
  let isPriced = limitUsd !== null;
  let isPartial = false;
  const count = (submitted: Submitted): void => {
    if (submitted.attempts === 0) return;
    const bounds = costOf(submitted.trial);
    const reported = submitted.sample?.reported.costUsd ?? null;
    if (typeof bounds !== 'string') {
      spentUsd += chargeOf(submitted, bounds);
      isPriced ||= bounds.mostUsd > 0 || reported !== null;
    } else if (reported === null) isPartial = true;
    else {
      spentUsd += reported;
      isPriced = true;
    }
  };
  for (const submitted of before) count(submitted);
  return {
    add: (sample) => count({ trial: sample.trial, attempts: sample.attempts, sample }),
    // Billionths of a dollar, as limits count: hides rounding errors of sums.
    soFar: () => (isPriced ? { usd: wholeBillionths(spentUsd), isPartial, limitUsd } : null),
  };
}
