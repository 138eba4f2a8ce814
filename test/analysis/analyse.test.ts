import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { METRICS } from '../../src/analysis/metrics.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { arbitraryRun } from '../fixtures/arbitrary-run.ts';
import {
  buildFailure,
  buildOk,
  buildStoredRun,
  buildTrial,
  digestOf,
  type RunParts,
} from '../fixtures/stored-run-builder.ts';
import { draws } from '../test-options.ts';

const analysisOf = (parts: RunParts) => analyse(buildStoredRun(parts), METRICS).analysis;

describe('analyse', () => {
  it('analyse gives the same text for the same record, in whatever order its samples ended', () => {
    fc.assert(
      fc.property(arbitraryRun, fc.nat(), (record, seed) => {
        const shuffled = { ...record, samples: createRandom(seed).shuffle(record.samples) };
        const text = JSON.stringify(analyse(record, METRICS));
        expect(JSON.stringify(analyse(record, METRICS))).toBe(text);
        expect(JSON.stringify(analyse(shuffled, METRICS))).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it('analyse gives plain data: nothing is lost on the way to a file', () => {
    fc.assert(
      fc.property(arbitraryRun, (record) => {
        const { analysis } = analyse(record, METRICS);
        expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
      }),
      { numRuns: 30 },
    );
  });

  it('analyse accounts for every planned trial', () => {
    fc.assert(
      fc.property(arbitraryRun, (record) => {
        const { variants, cells, failures } = analyse(record, METRICS).analysis;
        for (const { name, outcomes, missing, plannedTrials } of variants) {
          const counted = Object.values(outcomes).reduce((total, count) => total + count, 0);
          expect(counted + missing).toBe(plannedTrials);
          const taken = cells.filter(({ variant }) => variant === name).flatMap(({ takes }) => takes);
          expect(taken.length).toBe(counted);
          const failed = failures.filter(({ variant }) => variant === name).reduce((sum, { count }) => sum + count, 0);
          expect(failed).toBe(counted - (outcomes.ok ?? 0) - (outcomes.dropped ?? 0));
        }
      }),
      { numRuns: draws(50) },
    );
  });

  it('analyse lists samples as they were sent, warm-ups among them', () => {
    const samples = [
      buildOk(9, 'b', { startedMs: 50, trial: { repeat: 2 } }),
      buildOk(9, 'c', { startedMs: 5, segment: 2, trial: { repeat: 3 } }),
      buildOk(9, 'w', { startedMs: 1, trial: { phase: 'warmup' } }),
      buildOk(99, 'a', { startedMs: 20, trial: { repeat: 1 } }),
    ];
    const sent = analyse(buildStoredRun({ samples }), METRICS).samples;
    expect(sent.map(({ sample: { trial } }) => [trial.phase, trial.repeat])).toEqual([
      ['warmup', 1],
      ['trial', 1],
      ['trial', 2],
      ['trial', 3],
    ]);
  });
});

describe('cells', () => {
  it('a list of cells has one for each variant, prompt and seed of the plan, in its order, measured or not', () => {
    const { cells } = analysisOf({
      variants: [{ name: 'standard' }, { name: 'painted', kind: 'anime-image' }, { name: 'fast' }],
      prompts: ['owl', 'cat'],
      seeds: [9, 2],
      samples: [],
    });
    // No prompt of this run is for anime images.
    expect(cells.map(({ variant, prompt, seed }) => `${variant} ${prompt} ${seed}`)).toEqual([
      'standard owl 9',
      'standard owl 2',
      'standard cat 9',
      'standard cat 2',
      'fast owl 9',
      'fast owl 2',
      'fast cat 9',
      'fast cat 2',
    ]);
    expect(cells.every(({ takes, byte }) => takes.length === 0 && byte === 'too_few_takes')).toBe(true);
  });

  it('a cell orders takes by repeat and output groups by frequency, ties by the first seen', () => {
    const take = (repeat: number, content: string, startedMs: number) =>
      buildOk(10, content, { startedMs, trial: { repeat } });
    const { cells } = analysisOf({
      samples: [
        take(4, 'x', 1),
        take(2, 'y', 2),
        take(1, 'x', 3),
        take(3, 'y', 4),
        buildFailure('error', { trial: { repeat: 5 } }),
      ],
    });
    const [cell] = cells;
    expect(cell?.takes.map(({ repeat }) => repeat)).toEqual([1, 2, 3, 4, 5]);
    expect(cell?.takes[4]).toMatchObject({ outcome: 'error', sha256: null, totalMs: null });
    expect(cell?.outputGroups).toEqual([
      { sha256: digestOf('x'), takes: 2, level: 'byte', image: 0 },
      { sha256: digestOf('y'), takes: 2, level: null, image: 1 },
    ]);
    expect(cell?.byte).toBe('differs');
  });

  it('a cell is called the same only for takes that it has', () => {
    const byte = (...contents: readonly string[]) =>
      analysisOf({
        variants: [{}],
        samples: contents.map((content, at) => buildOk(1, content, { trial: { repeat: at + 1 } })),
      }).cells[0]?.byte;
    expect(byte('x', 'x')).toBe('same');
    expect(byte('x')).toBe('too_few_takes');
    expect(byte()).toBe('too_few_takes');
  });

  it('a cell does not take an undecodable output for an image', () => {
    const samples = [1, 2, 3].map((repeat) => buildOk(1, repeat === 3 ? 'torn' : 'x', { trial: { repeat } }));
    const torn = {
      fact: 'output',
      sha256: digestOf('torn'),
      bytes: 4,
      mime: 'image/png',
      decodes: false,
      reason: { code: 'not_decodable', detail: 'torn' },
    } as const;
    const { cells, variants } = analysisOf({ samples, facts: [torn] });
    expect(cells[0]).toMatchObject({ byte: 'same', outputGroups: [{ sha256: digestOf('x'), takes: 2 }] });
    expect(variants[0]?.outcomes).toEqual({ ok: 2, invalid_media: 1 });
  });
});

describe('failures', () => {
  it('failures are grouped by how they failed, the largest group first, with the first message sent', () => {
    const fail = (repeat: number, variant: string, code: string, httpStatus: number, message: string) =>
      buildFailure('error', { code, httpStatus, message, startedMs: 100 - repeat, trial: { variant, repeat } });
    const { failures } = analysisOf({
      variants: [{ name: 'standard' }, { name: 'fast' }],
      samples: [
        fail(1, 'fast', 'E1', 500, 'third'),
        fail(2, 'fast', 'E1', 500, 'second'),
        fail(3, 'fast', 'E1', 500, 'first'),
        fail(4, 'fast', 'E1', 503, 'other status'),
        fail(5, 'standard', 'E2', 500, 'other variant'),
        fail(6, 'standard', 'E1', 500, 'other code'),
        buildFailure('timed_out', { trial: { repeat: 7, variant: 'fast' } }),
        buildFailure('error', { code: 'E9', trial: { phase: 'warmup' } }),
      ],
    });
    expect(
      failures.map(({ variant, outcome, code, httpStatus, count, message }) => [
        variant,
        outcome,
        code,
        httpStatus,
        count,
        message,
      ]),
    ).toEqual([
      ['fast', 'error', 'E1', 500, 3, 'first'],
      ['standard', 'error', 'E1', 500, 1, 'other code'],
      ['standard', 'error', 'E2', 500, 1, 'other variant'],
      ['fast', 'error', 'E1', 503, 1, 'other status'],
      ['fast', 'timed_out', 'timed_out', null, 1, 'it was timed_out'],
    ]);
    expect(failures[0]?.exampleTrial).toBe('fast.trial.fox.1.3');
  });
});

describe('the run', () => {
  it('a run is complete when every trial was measured, and takes its length from the samples', () => {
    const samples = [
      buildOk(500, 'a', { startedMs: 1000 }),
      buildOk(500, 'a', { startedMs: 4000, trial: { repeat: 2 } }),
    ];
    expect(analysisOf({ samples }).run).toMatchObject({
      id: '20261120T154500Z-7f3a',
      suite: 'images',
      startedAt: '2026-11-20T15:45:00.000Z',
      durationMs: 3500,
      complete: true,
      stop: { reason: 'finished' },
      requestsSent: 2,
    });
  });

  it('a run is not complete when trials are missing or were cancelled', () => {
    expect(analysisOf({ variants: [{ plannedTrials: 2 }], samples: [buildOk(1, 'a')] }).run.complete).toBe(false);
    expect(
      analysisOf({ samples: [buildOk(1, 'a'), buildFailure('cancelled', { trial: { repeat: 2 } })] }).run.complete,
    ).toBe(false);
  });

  it('a run knows no reason of a process that was killed, and counts what it had begun', () => {
    const started = { event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T15:45:00.000Z' } as const;
    const trial = buildTrial({ repeat: 2 });
    const { run } = analysisOf({
      variants: [{ plannedTrials: 2 }],
      samples: [buildOk(1, 'a', { attempts: 3 })],
      segments: [{ started, ended: null }],
      unanswered: [{ event: 'intent', segment: 1, slice: 0, trial, atMs: 9 }],
      attempts: [
        {
          event: 'attempt',
          segment: 1,
          trial: 'standard.trial.fox.1.1',
          attempt: 1,
          httpStatus: 429,
          waitMs: 1,
          atMs: 1,
        },
        { event: 'attempt', segment: 1, trial: trial.id, attempt: 1, httpStatus: 429, waitMs: 1, atMs: 12 },
      ],
    });
    expect(run.stop).toBeNull();
    // Three for the trial that has its sample; the other was begun, refused and begun again.
    expect(run.requestsSent).toBe(5);
  });

  it('a run has no length when nothing was measured', () => {
    expect(analysisOf({ variants: [{ plannedTrials: 3 }], samples: [] }).run).toMatchObject({
      durationMs: null,
      complete: false,
    });
  });
});
