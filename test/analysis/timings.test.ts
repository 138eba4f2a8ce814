import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timingsOf } from '../../src/analysis/effective-sample.ts';
import type { CompleteMarks, Sample } from '../../src/record/journal.ts';
import { buildFailure, buildOk } from '../fixtures/stored-run-builder.ts';

function delivered(marks: CompleteMarks, polls: number, flags: readonly string[] = []): Sample {
  const sample = buildOk(1, 'image', { polls, flags });
  if (sample.outcome !== 'ok') throw new Error('buildOk builds what is ok');
  return { ...sample, marks };
}

describe('timingsOf', () => {
  it('timingsOf splits a synchronous call into its reply and its download', () => {
    const marks = { startedMs: 100, headersMs: 900, acceptedMs: 900, readyMs: 900, firstByteMs: 901, doneMs: 1000 };
    expect(timingsOf(delivered(marks, 0))).toEqual({
      totalMs: 900,
      startLagMs: null,
      responseMs: null,
      submitMs: 800,
      queueMs: null,
      queueLowMs: null,
      runMs: null,
      runHighMs: null,
      detectMs: null,
      downloadMs: 100,
      ttfbMs: 801,
      generationLowMs: 800,
      generationMs: 800,
    });
  });

  it('timingsOf splits a polled job into all five steps', () => {
    const marks = {
      startedMs: 0,
      acceptedMs: 50,
      runningMs: 300,
      lastPendingMs: 700,
      readyMs: 850,
      firstByteMs: 870,
      doneMs: 1000,
    };
    expect(timingsOf(delivered(marks, 5))).toMatchObject({
      totalMs: 1000,
      submitMs: 50,
      queueMs: 250,
      runMs: 400,
      detectMs: 150,
      downloadMs: 150,
      generationLowMs: 700,
      generationMs: 850,
    });
  });

  it('timingsOf gives a range for what no poll saw: when the work of a job began', () => {
    const marks = {
      startedMs: 0,
      acceptedMs: 50,
      lastQueuedMs: 60,
      runningMs: 410,
      lastPendingMs: 700,
      readyMs: 1200,
      firstByteMs: 1200,
      doneMs: 1300,
    };
    // An idle server: the first poll found it not begun 10 ms after its acceptance, the second, 350 ms later, at work.
    expect(timingsOf(delivered(marks, 4))).toMatchObject({ queueLowMs: 10, queueMs: 360, runMs: 290, runHighMs: 1140 });
    const { runningMs: _, ...unseen } = { ...marks, lastQueuedMs: 700 };
    expect(timingsOf(delivered(unseen, 4))).toMatchObject({
      queueLowMs: 650,
      queueMs: 650,
      runMs: 0,
      runHighMs: 500,
      detectMs: 500,
    });
  });

  it('timingsOf knows no queue of a job that was never seen running, and no wait of one that was done at once', () => {
    const marks = { startedMs: 0, acceptedMs: 50, readyMs: 80, firstByteMs: 90, doneMs: 100 };
    expect(timingsOf(delivered(marks, 1))).toMatchObject({
      queueMs: null,
      runMs: 0,
      detectMs: 30,
      generationLowMs: 50,
    });
    const waited = { ...marks, lastPendingMs: 70 };
    expect(timingsOf(delivered(waited, 2))).toMatchObject({ queueMs: null, runMs: 20, detectMs: 10 });
  });

  it('timingsOf counts from when the call was due in open load', () => {
    const marks = { scheduledMs: 40, startedMs: 100, acceptedMs: 150, readyMs: 150, firstByteMs: 150, doneMs: 200 };
    expect(timingsOf(delivered(marks, 0))).toMatchObject({ responseMs: 160, totalMs: 100 });
  });

  it('timingsOf adds up to the total, and no part is negative', () => {
    const steps = fc.array(
      fc.nat({ max: 1e9 }).map((us) => us / 1000),
      { minLength: 6, maxLength: 6 },
    );
    const seen = fc.record({
      running: fc.boolean(),
      pending: fc.boolean(),
      tail: fc.boolean(),
      queued: fc.boolean(),
      polls: fc.nat(3),
    });
    fc.assert(
      fc.property(steps, seen, (gaps, { running, pending, tail, queued, polls }) => {
        const at: number[] = [];
        for (const gap of gaps) at.push((at.at(-1) ?? 0) + gap);
        const [startedMs = 0, acceptedMs = 0, first = 0, second = 0, readyMs = 0, doneMs = 0] = at;
        // The poll that first said running may have been sent before its reply, and be the last that said not yet.
        const [runningMs, lastPendingMs] = tail ? [second, first] : [first, second];
        const timings = timingsOf(
          delivered(
            {
              startedMs,
              acceptedMs: polls === 0 ? readyMs : acceptedMs,
              ...(running && { runningMs }),
              ...(pending && { lastPendingMs }),
              ...(queued && { lastQueuedMs: running ? acceptedMs : pending ? lastPendingMs : acceptedMs }),
              readyMs,
              firstByteMs: readyMs,
              doneMs,
            },
            polls,
          ),
        );
        const parts = [timings.submitMs, timings.queueMs, timings.runMs, timings.detectMs, timings.downloadMs];
        const known = parts.filter((part) => part !== null);
        expect(Math.min(...known)).toBeGreaterThanOrEqual(0);
        if (timings.runHighMs !== null && timings.runMs !== null) {
          expect(timings.runHighMs).toBeGreaterThanOrEqual(timings.runMs);
          expect(timings.queueLowMs ?? Number.NaN).toBeLessThanOrEqual(timings.queueMs ?? Number.NaN);
        }
        expect(known.reduce((total, part) => total + part, 0)).toBeCloseTo(timings.totalMs ?? Number.NaN, 6);
      }),
    );
  });

  it('timingsOf knows of a call that failed only what it reached', () => {
    expect(timingsOf(buildFailure('rejected', { startedMs: 5, afterMs: 20 }))).toMatchObject({
      submitMs: 20,
      totalMs: null,
      downloadMs: null,
      generationMs: null,
    });
    expect(Object.values(timingsOf(buildFailure('timed_out')))).toEqual(Array(13).fill(null));
  });

  it('timingsOf takes no duration across two clocks', () => {
    const marks = { startedMs: 500, acceptedMs: 600, readyMs: 100, firstByteMs: 110, doneMs: 120 };
    expect(Object.values(timingsOf(delivered(marks, 2, ['resumed'])))).toEqual(Array(13).fill(null));
    // Nor from what a damaged journal says ended before it began.
    expect(timingsOf(delivered(marks, 0))).toMatchObject({ totalMs: null, generationMs: null, ttfbMs: null });
  });
});
