import { asJson, firstDifference } from '../../kit/first-difference.ts';
import { groupBy } from '../../kit/grouping.ts';
import { isMeasured, type Plan, type Slice } from '../../plan/plan.ts';
import type { Trial } from '../../plan/trial.ts';
import { beganMs } from '../../record/codes.ts';
import type { Intent, JournalEvent, Sample, SegmentEnded, SegmentStarted } from '../../record/journal.ts';
import { isUnanswered } from '../../record/trial-histories.ts';
import type { Marks } from '../../targets/recorded.ts';

/** What one machine wrote of a plan: a run, a shard, or the part of a shard in a merged run. */
export interface WrittenPart {
  /** Its share. */
  readonly plan: Plan;
  readonly events: readonly JournalEvent[];
  /** When its first segment began. */
  readonly createdAt: string;
  /** Whether its warm-ups are there: a merged run keeps those of one shard. */
  readonly hasWarmups: boolean;
}

interface PlannedPlace {
  readonly trial: Trial;
  readonly slice: Slice;
  /** In its slice, from 0. */
  readonly at: number;
}

type PlannedPlaces = ReadonlyMap<string, PlannedPlace>;

interface WrittenSegment {
  readonly number: number;
  readonly started: SegmentStarted;
  readonly ended: SegmentEnded | null;
  readonly intents: readonly Intent[];
  /** Of calls that began in it. */
  readonly samples: readonly Sample[];
}

/**
 * The first thing in a journal that no process writes for this plan, as a clause; null: none. Compares trials and their
 * order with the plan, and times with each other; whether times were measured is in no file.
 */
export function findIncoherence(part: WrittenPart): string | null {
  const places: PlannedPlaces = new Map(
    part.plan.slices.flatMap((slice) => slice.trials.map((trial, at) => [trial.id, { trial, slice, at }] as const)),
  );
  const unplanned = findUnplanned(part, places);
  if (unplanned !== null) return unplanned;
  const segments = segmentsOf(part);
  if (typeof segments === 'string') return segments;
  for (const segment of segments) {
    const found = findDisorder(segment, places) ?? findWrongTime(segment, places);
    if (found !== null) return found;
  }
  return findMissing(part, segments, places);
}

function nameOf({ id, variant, prompt, seed, repeat }: Trial): string {
  return `take ${repeat} of ${variant}, ${prompt}, seed ${seed ?? 'none'} (trial ${id})`;
}

function findUnplanned({ events }: WrittenPart, places: PlannedPlaces): string | null {
  for (const event of events) {
    const written = event.event === 'sample' ? event.sample : event.event === 'intent' ? event : null;
    if (written === null) continue;
    const { trial, slice } = written;
    const planned = places.get(trial.id);
    if (planned === undefined) return `${nameOf(trial)} is not in the plan`;
    const other = firstDifference(asJson(trial), asJson(planned.trial));
    if (other !== null) return `${nameOf(trial)} has another ${other.path} than in the plan`;
    if (slice !== planned.slice.index) return `${nameOf(trial)} has slice ${slice}, in the plan ${planned.slice.index}`;
  }
  return null;
}

/** Processes follow each other; each sample follows the intent of its call. */
function segmentsOf({ events, createdAt }: WrittenPart): readonly WrittenSegment[] | string {
  const started: SegmentStarted[] = [];
  const ended = new Map<number, SegmentEnded>();
  const intents: Intent[] = [];
  const samples: Sample[] = [];
  const begun = new Map<string, number>();
  for (const event of events) {
    if (event.event === 'segment' && event.state === 'started') {
      if (event.segment <= (started.at(-1)?.segment ?? 0)) return `segment ${event.segment} begins after a later one`;
      if (started.length === 0 && event.originAt !== createdAt)
        return `segment ${event.segment} begins at ${event.originAt}, and the run at ${createdAt}`;
      started.push(event);
      continue;
    }
    const now = started.at(-1)?.segment ?? null;
    const segment = event.event === 'sample' ? event.sample.segment : event.segment;
    // A process notes what an earlier one left without an answer.
    const isLate = event.event === 'sample' && isUnanswered(event.sample) && now !== null && segment < now;
    if ((segment !== now && !isLate) || (now !== null && ended.has(now)))
      return `a line (${event.event}) of segment ${segment} stands where that process does not write`;
    if (event.event === 'segment') ended.set(segment, event);
    else if (event.event === 'intent') {
      if (begun.get(event.trial.id) === segment) return `${nameOf(event.trial)} begins twice in segment ${segment}`;
      begun.set(event.trial.id, segment);
      intents.push(event);
    } else if (event.event === 'sample') {
      const { trial, outcome } = event.sample;
      if (outcome !== 'dropped' && !begun.has(trial.id)) return `${nameOf(trial)} ends, and never began`;
      samples.push(event.sample);
    }
  }
  const intentsOf = groupBy(intents, ({ segment }) => segment);
  const samplesOf = groupBy(samples, ({ segment }) => segment);
  return started.map((start) => ({
    number: start.segment,
    started: start,
    ended: ended.get(start.segment) ?? null,
    intents: intentsOf.get(start.segment) ?? [],
    // Of a job that an earlier process began, nothing is known of its begin.
    samples: (samplesOf.get(start.segment) ?? []).filter(({ flags }) => !flags.includes('resumed')),
  }));
}

function mostInFlight({ pace }: Slice): number {
  return pace.mode === 'closed' ? pace.concurrency : pace.ceiling;
}

/** A slice begins after the one before it, and its trials in their order: no more wait for their turn than may be in flight. */
function findDisorder({ intents }: WrittenSegment, places: PlannedPlaces): string | null {
  let slice = -1;
  for (const intent of intents) {
    if (intent.slice < slice) return `${nameOf(intent.trial)} begins after a later slice`;
    slice = intent.slice;
  }
  for (const sent of groupBy(intents, (intent) => intent.slice).values()) {
    const order = sent.flatMap(({ trial }) => places.get(trial.id) ?? []);
    const planned = order.toSorted((a, b) => a.at - b.at);
    const turn = new Map(planned.map(({ trial }, at) => [trial.id, at]));
    const early = order.find(({ trial, slice }, at) => (turn.get(trial.id) ?? 0) - at >= mostInFlight(slice));
    if (early !== undefined) return `${nameOf(early.trial)} begins before its turn`;
  }
  return null;
}

/** Each list is in the order of time. */
const CHAINS: readonly (readonly (keyof Marks)[])[] = [
  ['startedMs', 'connectedMs', 'sentMs'],
  ['startedMs', 'headersMs', 'refusedMs'],
  ['startedMs', 'headersMs', 'acceptedMs', 'lastQueuedMs', 'lastPendingMs', 'readyMs', 'firstByteMs', 'doneMs'],
  ['acceptedMs', 'lastQueuedMs', 'runningMs', 'readyMs'],
];

/** Times of the wall clock have milliseconds. */
const WALL_MS = 1;

/** Due times are sums of two numbers. */
const ROUNDING_MS = 1e-3;

function findWrongTime(segment: WrittenSegment, places: PlannedPlaces): string | null {
  const { number, started, ended, intents, samples } = segment;
  const originMs = Date.parse(started.originAt);
  const intentMs = new Map(intents.map(({ trial, atMs }) => [trial.id, atMs]));
  for (const sample of samples) {
    const { trial, marks, endedMs, scheduledAt } = sample;
    const began = beganMs(sample);
    for (const chain of CHAINS) {
      const known = chain.flatMap((mark) => (mark in marks ? [[mark, marks[mark] ?? 0] as const] : []));
      const wrong = known.find(([, ms], at) => ms < (known[at - 1]?.[1] ?? ms));
      if (wrong !== undefined) return `${nameOf(trial)}: the mark ${wrong[0]} is before an earlier one`;
      if (known.some(([, ms]) => ms > endedMs)) return `${nameOf(trial)}: a mark is after its end`;
    }
    if ((intentMs.get(trial.id) ?? began) > began) return `${nameOf(trial)}: its call began before its intent`;
    const wallMs = Date.parse(scheduledAt) - originMs;
    if (Math.abs(wallMs - (marks.scheduledMs ?? began)) > WALL_MS)
      return `${nameOf(trial)}: scheduled_at is not of the clock of segment ${number}`;
    if (ended !== null && endedMs > ended.atMs) return `${nameOf(trial)} ends after its process`;
  }
  return findCrowd(segment, places) ?? findUndue(samples, places);
}

/** Calls of a slice that overlap more than they may, or begin before the slice before has ended. */
function findCrowd({ intents, samples }: WrittenSegment, places: PlannedPlaces): string | null {
  const ends = new Map(samples.map((sample) => [sample.trial.id, isUnanswered(sample) ? Infinity : sample.endedMs]));
  let drainedMs = -Infinity;
  for (const sent of groupBy(intents, ({ slice }) => slice).values()) {
    const calls = sent.map(({ trial, atMs }) => ({ trial, fromMs: atMs, toMs: ends.get(trial.id) ?? Infinity }));
    const early = calls.find(({ fromMs }) => fromMs < drainedMs);
    if (early !== undefined) return `${nameOf(early.trial)} begins before the slice before it had ended`;
    const slice = places.get(sent[0].trial.id)?.slice;
    const most = slice === undefined ? Infinity : mostInFlight(slice);
    const toMs = calls.map((call) => call.toMs).sort((a, b) => a - b);
    for (const [at, call] of calls.toSorted((a, b) => a.fromMs - b.fromMs).entries()) {
      // Of those that began before, all but `most - 1` have ended.
      if (at >= most && (toMs[at - most] ?? 0) > call.fromMs)
        return `${nameOf(call.trial)} begins with ${most} in flight, the most that the load allows`;
    }
    drainedMs = Math.max(drainedMs, ...calls.map((call) => call.toMs));
  }
  return null;
}

/** Open load: calls are due at the times of the plan, from one start of their slice on. */
function findUndue(samples: readonly Sample[], places: PlannedPlaces): string | null {
  const starts = new Map<number, number>();
  for (const { trial, slice, marks } of samples) {
    const place = places.get(trial.id);
    if (place?.slice.pace.mode !== 'open' || marks.scheduledMs === undefined) continue;
    const startMs = marks.scheduledMs - (place.slice.pace.startsMs[place.at] ?? 0);
    const known = starts.get(slice) ?? startMs;
    if (Math.abs(known - startMs) > ROUNDING_MS) return `${nameOf(trial)} is due at another time than in the plan`;
    starts.set(slice, known);
  }
  return null;
}

/** Trials that a process would have begun before others that it began, or before it finished. */
function findMissing(
  { plan, events, hasWarmups }: WrittenPart,
  segments: readonly WrittenSegment[],
  places: PlannedPlaces,
): string | null {
  const abandoned = new Set(events.flatMap((event) => (event.event === 'abandoned' ? [event.variant] : [])));
  const loads = new Set(
    events.flatMap((event) => (event.event === 'load_ended' ? [`${event.variant} ${event.step}`] : [])),
  );
  const decided = events.find((event) => event.event === 'look' && event.decided);
  const lastPart = decided?.event === 'look' ? plan.looks?.parts[decided.look - 1] : undefined;
  const isExcused = (trial: Trial, { index }: Slice) =>
    (trial.phase === 'warmup' && !hasWarmups) ||
    abandoned.has(trial.variant) ||
    loads.has(`${trial.variant} ${trial.step}`) ||
    (lastPart !== undefined && isMeasured(trial) && index > lastPart.lastSlice);
  const begun = new Set([
    ...segments.flatMap(({ intents }) => intents.map(({ trial }) => trial.id)),
    ...events.flatMap((event) => (event.event === 'sample' ? [event.sample.trial.id] : [])),
  ]);
  const isFinished = segments.at(-1)?.ended?.stop.reason === 'finished';
  const last = Math.max(-1, ...[...begun].map((id) => places.get(id)?.slice.index ?? -1));
  for (const slice of plan.slices) {
    const isPassed = isFinished || slice.index < last;
    let later = slice.trials.filter(({ id }) => begun.has(id)).length;
    for (const trial of slice.trials) {
      if (begun.has(trial.id)) later -= 1;
      else if ((isPassed || later >= mostInFlight(slice)) && !isExcused(trial, slice))
        return `${nameOf(trial)} is in the plan, and the journal has others that come after it`;
    }
  }
  const ended = new Set(events.flatMap((event) => (event.event === 'sample' ? [event.sample.trial.id] : [])));
  const [unanswered] = isFinished ? [...begun].filter((id) => !ended.has(id)) : [];
  const place = unanswered === undefined ? undefined : places.get(unanswered);
  return place === undefined ? null : `${nameOf(place.trial)} began and has no result, and the run finished`;
}
