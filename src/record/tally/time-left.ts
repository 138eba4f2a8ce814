/** Calls that share slots: the measured ones of a step, or warm-ups and probes. */
export interface Slots {
  readonly declared: number;
  inFlight: number;
  /** Time with a call in flight, and the sum of all calls' times. */
  busyMs: number;
  callsMs: number;
  untilMs: number;
}

/** The calls of one variant in the same slots. */
export interface Lane {
  readonly slots: Slots;
  readonly planned: number;
  /** Under open load, when takes begin, from the first on. */
  readonly startsMs: readonly number[] | null;
  ended: number;
  /** Calls that began and ended in one process, and the sum of their times. */
  calls: number;
  callsMs: number;
  lastStartMs: number | null;
  /** Begin of the calls in flight, by trial id. */
  readonly inFlight: Map<string, number>;
}

export function createSlots(declared: number): Slots {
  return { declared, inFlight: 0, busyMs: 0, callsMs: 0, untilMs: 0 };
}

export function createLane(slots: Slots, planned: number, startsMs: Lane['startsMs'] = null): Lane {
  return { slots, planned, startsMs, ended: 0, calls: 0, callsMs: 0, lastStartMs: null, inFlight: new Map() };
}

export function begin(lane: Lane, id: string, atMs: number): void {
  if (lane.inFlight.has(id)) return;
  advance(lane.slots, atMs, 1);
  lane.inFlight.set(id, atMs);
  lane.lastStartMs = atMs;
}

/** Ignores a trial that did not begin: it was dropped, or began in an earlier process. */
export function end(lane: Lane, id: string, atMs: number): void {
  const beganMs = lane.inFlight.get(id);
  lane.ended += 1;
  if (beganMs === undefined) return;
  advance(lane.slots, atMs, -1);
  lane.inFlight.delete(id);
  lane.calls += 1;
  lane.callsMs += atMs - beganMs;
}

/** Forgets calls in flight: with the process its clock ended, and they are sent again. */
export function interrupt(lane: Lane): void {
  lane.inFlight.clear();
  lane.lastStartMs = null;
  lane.slots.inFlight = 0;
  lane.slots.untilMs = 0;
}

function advance(slots: Slots, atMs: number, change: 1 | -1): void {
  // A journal has the end of a call after the begin of the next.
  const ms = Math.max(0, atMs - slots.untilMs);
  if (slots.inFlight > 0) slots.busyMs += ms;
  slots.callsMs += ms * slots.inFlight;
  slots.untilMs += ms;
  slots.inFlight += change;
}

export interface VariantLanes {
  readonly takes: readonly Lane[];
  readonly others: Lane;
  readonly isAbandoned: boolean;
}

/**
 * Milliseconds until the last answer, summed over variants and steps: calls left x mean duration / mean concurrency;
 * under open load the rest of the schedule and one call. Null until each variant was called and a take ended, as
 * warm-ups may be longer. `isDecided`: only probes are still sent.
 */
export function timeLeftMs(variants: readonly VariantLanes[], isDecided: boolean, nowMs: number): number | null {
  let scheduledMs = 0;
  const work = new Map<Slots, { callsMs: number; longestMs: number }>();
  let isMeasuring = false;
  for (const { takes, others, isAbandoned } of variants) {
    for (const lane of [...takes, others]) {
      const isTakes = lane !== others;
      const unsent = lane.planned - lane.ended - lane.inFlight.size;
      const left = isAbandoned || (isDecided && isTakes) ? 0 : Math.max(0, unsent);
      if (left === 0 && lane.inFlight.size === 0) continue;
      isMeasuring ||= isTakes;
      const mean = meanMs(isTakes ? [lane] : []) ?? meanMs(takes) ?? meanMs([others]);
      if (lane.startsMs !== null && left > 0) {
        scheduledMs += scheduleLeftMs(lane, lane.startsMs, left, nowMs) + (mean ?? 0);
        continue;
      }
      if (mean === null) return null;
      const sum = work.get(lane.slots) ?? { callsMs: 0, longestMs: 0 };
      work.set(lane.slots, sum);
      sum.callsMs += left * mean;
      for (const beganMs of lane.inFlight.values()) {
        const restMs = Math.max(0, mean - (nowMs - beganMs));
        sum.callsMs += restMs;
        sum.longestMs = Math.max(sum.longestMs, restMs);
      }
    }
  }
  if (isMeasuring && variants.every(({ takes }) => meanMs(takes) === null)) return null;
  return [...work].reduce(
    (ms, [slots, { callsMs, longestMs }]) => ms + Math.max(longestMs, callsMs / meanInFlight(slots)),
    scheduledMs,
  );
}

/** A shard sends a part of the schedule, in the same time. */
function scheduleLeftMs(
  { planned, lastStartMs }: Lane,
  startsMs: readonly number[],
  left: number,
  nowMs: number,
): number {
  const begun = Math.floor(startsMs.length * (1 - left / planned));
  const sinceMs = lastStartMs === null ? 0 : nowMs - lastStartMs;
  return Math.max(0, (startsMs.at(-1) ?? 0) - (startsMs[begun - 1] ?? 0) - sinceMs);
}

function meanMs(lanes: readonly Lane[]): number | null {
  const calls = lanes.reduce((sum, lane) => sum + lane.calls, 0);
  return calls === 0 ? null : lanes.reduce((sum, lane) => sum + lane.callsMs, 0) / calls;
}

function meanInFlight({ declared, busyMs, callsMs }: Slots): number {
  return busyMs === 0 ? declared : callsMs / busyMs;
}
