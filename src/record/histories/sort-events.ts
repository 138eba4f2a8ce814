import type {
  Attempt,
  Intent,
  JournalEvent,
  Look,
  Sample,
  SegmentEnded,
  SegmentStarted,
  VariantAbandoned,
} from '../journal.ts';
import type { StoredRun } from '../stored-run.ts';
import { type TrialHistory, trialHistories, unansweredSample } from '../trial-histories.ts';

/**
 * Sorts events by kind, in written order. Each trial that began has one sample, its last; where no process saw the end,
 * one that says so comes after all others.
 */
export function sortEvents(
  events: readonly JournalEvent[],
): Pick<StoredRun, 'segments' | 'intents' | 'attempts' | 'abandoned' | 'looks' | 'samples' | 'unended' | 'replaced'> {
  const started: SegmentStarted[] = [];
  const ended = new Map<number, SegmentEnded>();
  const intents: Intent[] = [];
  const attempts: Attempt[] = [];
  const abandoned: VariantAbandoned[] = [];
  const looks: Look[] = [];
  const { latest, replaced } = trialHistories(events);
  const samples: Sample[] = [];
  for (const event of events) {
    if (event.event === 'sample') {
      if (latest.get(event.sample.trial.id)?.sample === event.sample) samples.push(event.sample);
    } else if (event.event === 'intent') intents.push(event);
    else if (event.event === 'attempt') attempts.push(event);
    else if (event.event === 'abandoned') abandoned.push(event);
    else if (event.event === 'look') looks.push(event);
    else if (event.event === 'segment' && event.state === 'started') started.push(event);
    else if (event.event === 'segment') ended.set(event.segment, event);
  }
  const segments = started.map((segment) => ({ started: segment, ended: ended.get(segment.segment) ?? null }));
  const unended = [...latest.values()].flatMap((history) => unansweredSample(history) ?? []);
  samples.push(...unended);
  return {
    segments,
    intents,
    attempts,
    abandoned,
    looks,
    samples,
    unended: unended.length,
    replaced: replaced.flatMap(endOf),
  };
}

function endOf(history: TrialHistory): readonly Sample[] {
  const sample = history.sample ?? unansweredSample(history);
  return sample === null ? [] : [sample];
}
