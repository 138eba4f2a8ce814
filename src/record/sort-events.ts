import type {
  Attempt,
  Intent,
  JournalEvent,
  Look,
  SegmentEnded,
  SegmentStarted,
  VariantAbandoned,
} from './model/journal.ts';
import type { Sample } from './model/sample.ts';
import type { StoredRun } from './model/stored-run.ts';

/** The lines of a journal by what they tell of, each sort in the order it was written. */
export function sortEvents(
  events: readonly JournalEvent[],
): Pick<StoredRun, 'segments' | 'intents' | 'attempts' | 'abandoned' | 'looks' | 'samples'> {
  const started: SegmentStarted[] = [];
  const ended = new Map<number, SegmentEnded>();
  const intents: Intent[] = [];
  const attempts: Attempt[] = [];
  const abandoned: VariantAbandoned[] = [];
  const looks: Look[] = [];
  const samples: Sample[] = [];
  for (const event of events) {
    if (event.event === 'sample') samples.push(event.sample);
    else if (event.event === 'intent') intents.push(event);
    else if (event.event === 'attempt') attempts.push(event);
    else if (event.event === 'abandoned') abandoned.push(event);
    else if (event.event === 'look') looks.push(event);
    else if (event.event === 'segment' && event.state === 'started') started.push(event);
    else if (event.event === 'segment') ended.set(event.segment, event);
  }
  const segments = started.map((segment) => ({ started: segment, ended: ended.get(segment.segment) ?? null }));
  return { segments, intents, attempts, abandoned, looks, samples };
}
