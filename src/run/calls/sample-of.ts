import { pick } from '../../kit/json.ts';
import { fitsExpectation, type MediaType } from '../../media/header.ts';
import type { Trial } from '../../plan/trial.ts';
import type { CompleteMarks, Output, Sample } from '../../record/journal.ts';
import { NOTHING_CAME } from '../../record/trial-histories.ts';
import type { Marks } from '../../targets/recorded.ts';
import type { EndedCall } from '../events.ts';
import { unexpectedMedia } from '../refused-outputs.ts';

export interface SampleContext {
  readonly trial: Trial;
  readonly slice: number;
  readonly segment: number;
  /** ISO time; under open load the scheduled one. */
  readonly scheduledAt: string;
  /** When it was due; null under closed load. */
  readonly scheduledMs: number | null;
  readonly flags: readonly string[];
}

export interface KeptOutput {
  readonly output: Output;
  readonly type: MediaType | null;
  /** Beginning of an output that is text, such as an error page; else empty. */
  readonly text: string;
}

/** `invalid_media` if the bytes of the first output are not of the expected type, whatever the reply declares. */
export function sampleOf(
  context: SampleContext,
  result: EndedCall,
  kept: readonly KeptOutput[],
  expected: string | null,
): Sample {
  const base = {
    ...pick(context, 'trial', 'slice', 'segment', 'scheduledAt', 'flags'),
    ...pick(result, 'endedMs', 'attempts', 'throttleWaitMs', 'polls', 'downloads'),
    ...pick(result, 'httpStatus', 'reported', 'connection'),
  };
  const { scheduledMs } = context;
  const marks = scheduledMs === null ? result.marks : { scheduledMs, ...result.marks };
  if (result.outcome !== 'ok') return { ...base, marks, outcome: result.outcome, error: result.error };
  const [first, ...others] = kept;
  if (first === undefined) throw new Error('a call that is ok has at least one output');
  if (!isComplete(marks)) throw new Error('a call that is ok has all its marks');
  const outputs: readonly [Output, ...Output[]] = [first.output, ...others.map(({ output }) => output)];
  const delivered = { ...base, marks, outputs };
  return fitsExpectation(first.type, expected)
    ? { ...delivered, outcome: 'ok', error: null }
    : {
        ...delivered,
        outcome: 'invalid_media',
        error: unexpectedMedia({ ...first.output, type: first.type }, first.text, expected),
      };
}

/** The sample of a trial that an error of Retake broke (`defect`), or whose outputs could not be kept (`cancelled`). */
export function brokenSample(
  { scheduledMs, ...context }: SampleContext,
  startedMs: number,
  endedMs: number,
  message: string,
  outcome: 'defect' | 'cancelled',
): Sample {
  return {
    ...context,
    ...NOTHING_CAME,
    marks: { ...due(scheduledMs), startedMs },
    endedMs,
    attempts: 1,
    outcome,
    error: { code: outcome === 'defect' ? 'defect' : 'not_kept', message },
  };
}

/** The sample of a trial that was due when `ceiling` calls were in flight. */
export function droppedSample(
  context: Omit<SampleContext, 'scheduledMs' | 'flags'>,
  scheduledMs: number,
  endedMs: number,
): Sample {
  return {
    ...context,
    ...NOTHING_CAME,
    marks: { scheduledMs },
    endedMs,
    attempts: 0,
    flags: [],
    outcome: 'dropped',
    error: { code: 'dropped', message: 'load.concurrency was reached when it was due' },
  };
}

function due(scheduledMs: number | null): Pick<Marks, 'scheduledMs'> {
  return scheduledMs === null ? {} : { scheduledMs };
}

function isComplete(marks: Marks): marks is CompleteMarks {
  return [marks.acceptedMs, marks.readyMs, marks.firstByteMs, marks.doneMs].every((mark) => mark !== undefined);
}
