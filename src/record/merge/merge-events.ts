import type { Fact } from '../fact.ts';
import type { JournalEvent } from '../journal.ts';

export interface MergedEvents {
  readonly events: readonly JournalEvent[];
  /** New numbers. */
  readonly segments: readonly number[];
  /** Number of requests. */
  readonly warmupsLeftOut: number;
  readonly leftOut: readonly JournalEvent[];
}

/**
 * Renumbers a shard's segments after the `segmentsBefore` of earlier shards; clocks stay. `keepWarmups` false: the
 * merged run has the warm-ups of another shard.
 */
export function mergeEvents(
  events: readonly JournalEvent[],
  segmentsBefore: number,
  keepWarmups: boolean,
): MergedEvents {
  const leftOut = new Set(keepWarmups ? [] : events.flatMap(warmupOf));
  const isLeftOut = (event: JournalEvent) => leftOut.has(trialOf(event) ?? '');
  const kept = events.filter((event) => !isLeftOut(event));
  const segments = [...new Set(events.map(segmentOf))].sort((a, b) => a - b);
  const numbers = new Map(segments.map((segment, at) => [segment, segmentsBefore + at + 1]));
  return {
    events: kept.map((event) => renumbered(event, numbers.get(segmentOf(event)) ?? 0)),
    segments: [...numbers.values()],
    warmupsLeftOut: requestsOf(events, leftOut),
    leftOut: events.filter(isLeftOut),
  };
}

function renumbered(event: JournalEvent, segment: number): JournalEvent {
  return event.event === 'sample' ? { ...event, sample: { ...event.sample, segment } } : { ...event, segment };
}

function segmentOf(event: JournalEvent): number {
  return event.event === 'sample' ? event.sample.segment : event.segment;
}

function warmupOf(event: JournalEvent): readonly string[] {
  const trial = event.event === 'intent' ? event.trial : event.event === 'sample' ? event.sample.trial : null;
  return trial?.phase === 'warmup' ? [trial.id] : [];
}

function trialOf(event: JournalEvent): string | null {
  switch (event.event) {
    case 'intent':
      return event.trial.id;
    case 'sample':
      return event.sample.trial.id;
    case 'accepted':
    case 'attempt':
    case 'cancel':
      return event.trial;
    case 'segment':
    case 'abandoned':
    case 'look':
      return null;
  }
}

/** A sample counts its requests. A trial without one was sent once, and once per refusal. */
function requestsOf(events: readonly JournalEvent[], trials: ReadonlySet<string>): number {
  const sent = new Map<string, number>();
  for (const event of events) {
    const id = trialOf(event);
    if (id === null || !trials.has(id)) continue;
    if (event.event === 'sample') sent.set(id, event.sample.attempts);
    else if (event.event === 'intent') sent.set(id, 1);
    else if (event.event === 'attempt') sent.set(id, (sent.get(id) ?? 1) + 1);
  }
  return [...sent.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Each output and pair once, in the order of their facts. A fact from a shard with the decoder replaces one without.
 * `kept`: digests of the merged run's outputs.
 */
export function mergeFacts(shards: readonly (readonly Fact[])[], kept: ReadonlySet<string>): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const fact of shards.flat()) {
    if (!digestsOf(fact).every((sha256) => kept.has(sha256))) continue;
    const key = digestsOf(fact).join(' ');
    const known = facts.get(key);
    if (known === undefined || (!isFound(known) && isFound(fact))) facts.set(key, fact);
  }
  return [...facts.values()];
}

function digestsOf(fact: Fact): readonly string[] {
  return fact.fact === 'output' ? [fact.sha256] : [fact.a, fact.b];
}

function isFound(fact: Fact): boolean {
  return fact.fact === 'output' ? fact.decodes !== null : fact.compared;
}
