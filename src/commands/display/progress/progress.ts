import { rateUnit } from '../../../kit/wording.ts';
import type { Slice } from '../../../plan/plan.ts';
import { beganMs } from '../../../record/codes.ts';
import { createRunTally, plannedInSlices, type VariantTally } from '../../../record/run-tally.ts';
import type { RunnerEvent } from '../../../run/events.ts';
import {
  blockOf,
  logLine,
  type ProgressEvent,
  type ProgressRoom,
  type ShownProgress,
  type ShownSpend,
  type VariantProgressEvent,
} from './progress-event.ts';

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
  /** Names of variants; the one with the latest event is the last. */
  const lastSeen = new Set<string>();
  let isStopping = false;
  let waitingFor: ProgressEvent['waitingFor'] = null;
  let refusals = 0;
  let firstStartMs: number | null = null;
  /** Of the rate, fixed from the first one on: a changing unit is hard to follow. */
  let unit: ReturnType<typeof rateUnit> | null = null;

  const seen = (variant: string): void => {
    lastSeen.delete(variant);
    lastSeen.add(variant);
  };
  const eventAt = (nowMs: number): ProgressEvent => {
    const variants = tally.variants();
    const done = tally.ended();
    const planned = variants.reduce((all, { requests, isAbandoned }) => {
      return all + (isAbandoned ? requests.ended : requests.planned);
    }, 0);
    const hasRate = firstStartMs !== null && done > 0;
    return {
      event: 'progress',
      atMs: Math.round(nowMs),
      done,
      planned,
      inFlight: tally.inFlight(),
      failed: tally.failed(),
      refusals,
      perSecond: hasRate ? (done * 1000) / Math.max(1, nowMs - (firstStartMs ?? 0)) : null,
      leftMs: isStopping || done >= planned ? null : rounded(tally.leftMs(nowMs)),
      spent: spend.soFar(),
      waitingFor,
      stopping: isStopping,
      decided: tally.isDecided(),
      variants: variants.map(variantEvent),
    };
  };
  const shownAt = (nowMs: number): ShownProgress => {
    const now = eventAt(nowMs);
    if (now.perSecond !== null) unit ??= rateUnit([now.perSecond]);
    return { now, unit: unit ?? 's', mayEndEarly };
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
          waitingFor = { origin: event.origin, code: event.code };
          return;
        case 'reached':
          waitingFor = null;
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
      firstStartMs = Math.min(firstStartMs ?? Infinity, beganMs(sample));
      spend.add(sample);
      seen(sample.trial.variant);
    },
    stopping: () => {
      isStopping = true;
    },
    block: (nowMs, room) => blockOf(shownAt(nowMs), tally.variants(), [...lastSeen], room),
    line: (nowMs) => logLine(shownAt(nowMs)),
    event: eventAt,
  };
}

function variantEvent({ name, requests, inFlight, isAbandoned, p50Ms }: VariantTally): VariantProgressEvent {
  const { planned, ended: done, failed } = requests;
  return { variant: name, done, planned, inFlight, failed, p50Ms, abandoned: isAbandoned };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
