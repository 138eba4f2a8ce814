import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import type { Fact, OutputFact } from '../../../src/record/fact.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import { csv } from '../../../src/report/reporters/csv.ts';
import { createRandom, type Random } from '../../../src/statistics/random.ts';
import type { OpenLoad } from '../../../src/suite/load.ts';
import { rendered } from '../../contracts/reporter.ts';
import { readTable } from '../../fixtures/csv-reader.ts';
import { measureIn, measuresIn } from '../../fixtures/measure-query.ts';
import { OPEN } from '../../fixtures/plan-input.ts';
import { reported } from '../../fixtures/report-source.ts';
import { sweepOfFour, sweepRun } from '../../fixtures/scripted-load.ts';
import { buildFailure, buildOk, buildShown, buildStoredRun, digestOf } from '../../fixtures/stored-run-builder.ts';

const MADE = ['made.outputs', 'made.megapixels', 'made.frames', 'made.real_time'];

const rateOf = (record: StoredRun, metric: string, step?: number) =>
  measureIn(record, { metric, statistic: 'rate', ...(step === undefined ? {} : { step }) });

/** A sample with these outputs in place of its own. */
function bringing(sample: Sample, ...contents: readonly string[]): Sample {
  if (sample.outcome !== 'ok') return sample;
  const [own] = sample.outputs;
  const [first = own, ...others] = contents.map((content) => ({ ...own, sha256: digestOf(content) }));
  return { ...sample, outputs: [first, ...others] };
}

type Decoded = Extract<OutputFact, { readonly decodes: true }>;

/** A sound image of 1,000 x 500, but for what is changed. */
function factOf(content: string, change: Partial<Decoded> = {}): Fact {
  const sha256 = digestOf(content);
  const known = { fact: 'output', sha256, bytes: 9, mime: 'image/png', decodes: true } as const;
  const size = { width: 1000, height: 500, frames: 1, thumbnail: false, video: null };
  return { ...known, ...size, shown: buildShown(sha256), ...change };
}

const blank = (content: string) => factOf(content, { shown: { ...buildShown(digestOf(content)), blank: true } });
const torn = (content: string): Fact => ({
  ...{ fact: 'output', sha256: digestOf(content), bytes: 9, mime: 'image/png', decodes: false },
  reason: { code: 'unknown_format' },
});
const undecoded = (content: string): Fact => ({
  ...{ fact: 'output', sha256: digestOf(content), bytes: 9, mime: 'video/mp4', decodes: null },
  reason: { code: 'decoder_died' },
});

/** A clip of 192 x 108. */
function clip(content: string, durationS: number): Fact {
  const video = {
    fps: 24,
    durationS,
    codec: 'h264',
    pixelFormat: 'yuv420p',
    framesSha256: digestOf('f'),
    preview: false,
  };
  return factOf(content, { mime: 'video/mp4', width: 192, height: 108, frames: 24 * durationS, video });
}

describe('what a service makes', () => {
  it('made.outputs counts each output of a take, and made.megapixels the size of each', () => {
    const samples = [
      bringing(buildOk(1000, 'a', { trial: { repeat: 1 } }), 'a', 'b', 'c', 'd'),
      bringing(buildOk(3000, 'e', { trial: { repeat: 2 } }), 'e', 'f', 'g', 'h'),
      buildFailure('error', { trial: { repeat: 3 }, afterMs: 1000 }),
    ];
    const facts = [...'abcdefg'].map((content) => factOf(content));
    const record = buildStoredRun({ samples, facts: [...facts, factOf('h', { width: 2000, height: 2000 })] });
    expect(rateOf(record, 'throughput')).toMatchObject({ value: 2 / 5, n: 2 });
    expect(rateOf(record, 'made.outputs')).toMatchObject({ value: 8 / 5, n: 2, unit: 'outputs/s', better: 'higher' });
    expect(rateOf(record, 'made.megapixels').value).toBeCloseTo((7 * 0.5 + 4) / 5, 12);
    expect(measuresIn(record, 'made.frames')).toEqual([]);
    expect(measuresIn(record, 'made.real_time')).toEqual([]);
  });

  it('made.outputs leaves out each blank output and each that does not decode, behind the first and before others', () => {
    const samples = [
      bringing(buildOk(1000, 'a', { trial: { repeat: 1 } }), 'a', 'veil', 'torn'),
      bringing(buildOk(1000, 'a', { trial: { repeat: 2 } }), 'veil', 'a', 'b'),
      bringing(buildOk(1000, 'a', { trial: { repeat: 3 } }), 'torn'),
    ];
    const record = buildStoredRun({ samples, facts: [factOf('a'), factOf('b'), blank('veil'), torn('torn')] });
    // By its first output each take has one outcome.
    expect(rateOf(record, 'throughput').value).toBe(1 / 3);
    expect(rateOf(record, 'made.outputs')).toMatchObject({ value: 1, n: 2 });
    expect(rateOf(record, 'made.megapixels').value).toBe(0.5);
  });

  it('a clip of 2 s that is made in 1 s is made at 2.0 times real time, with all its frames and their pixels', () => {
    const kind = 'text-to-video';
    const samples = [1, 2].map((repeat) => buildOk(1000, 'clip', { trial: { kind, repeat } }));
    const record = buildStoredRun({ variants: [{ kind }], samples, facts: [clip('clip', 2)] });
    expect(rateOf(record, 'made.real_time')).toMatchObject({ value: 2, unit: 'real_time', better: 'higher' });
    expect(rateOf(record, 'made.frames')).toMatchObject({ value: 48, unit: 'frames/s' });
    expect(rateOf(record, 'made.megapixels').value).toBeCloseTo((192 * 108 * 48) / 1e6, 12);
    expect(rateOf(record, 'made.outputs').value).toBe(1);
  });

  it('a video that was not decoded is an output, of unknown length: no rate of that is told', () => {
    const kind = 'text-to-video';
    const samples = ['clip', 'other'].map((name, repeat) => buildOk(1000, name, { trial: { kind, repeat } }));
    const record = buildStoredRun({ variants: [{ kind }], samples, facts: [clip('clip', 2), undecoded('other')] });
    expect(rateOf(record, 'made.outputs').value).toBe(1);
    for (const metric of MADE.slice(1)) {
      expect(rateOf(record, metric)).toMatchObject({ value: null, n: 2, note: 'amount_unknown=1' });
    }
  });

  it('what is made of four outputs a take has in each slot and at each end of its interval four times the throughput', () => {
    const measures = analyse(sweepOfFour(), METRICS).analysis.measures;
    for (const step of [1, 2]) {
      const [made, takes] = ['made.outputs', 'throughput'].map((metric) =>
        measures.find((measure) => measure.metric === metric && measure.step === step),
      );
      expect(takes?.value ?? 0).toBeGreaterThan(0);
      expect(takes?.notes).toEqual(made?.notes);
      for (const key of ['value', 'ciLow', 'ciHigh'] as const) {
        expect(made?.[key]).toBeCloseTo(4 * (takes?.[key] ?? Number.NaN), 9);
      }
    }
  });

  it('what is made has no rate where throughput has none: mixed variants, several steps, a prompt alone, merged shards', () => {
    const samples = [buildOk(1000, 'a')];
    const shard = { index: 1, segments: [1], createdAt: '', machine: {}, calibration: null } as never;
    const merged = buildStoredRun({ samples });
    const sharded = { ...merged, run: { ...merged.run, merged: { of: 2, shards: [shard] } as never } };
    for (const metric of MADE.slice(0, 2)) {
      const mixed = buildStoredRun({ samples, load: { order: 'mixed' } });
      expect(rateOf(mixed, metric)).toMatchObject({ value: null, note: 'mixed_order' });
      expect(rateOf(sharded, metric)).toMatchObject({ value: null, note: 'sharded' });
      expect(measuresIn(mixed, metric).map(({ prompt }) => prompt)).toEqual([null]);
      expect(measuresIn(sweepRun(), metric).filter(({ step }) => step === null)).toEqual([]);
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'rates are those that a reader computes from samples.csv: run %i',
    async (run) => {
      const isVideo = run % 2 === 1;
      const record = run < 5 ? closedRun(createRandom(run), isVideo) : openRun(createRandom(run), isVideo);
      const rows = readTable((await rendered(csv, reported(record))).get('samples.csv') ?? '');
      const number = (row: (typeof rows)[number], name: string) => Number(row[name]);
      const lasted =
        run < 5
          ? rows.reduce((sum, row) => sum + Number(row.total_ms || row.submit_ms), 0) / 1000
          : (rows.length - 1) * GAP_S;
      const counted = rows.filter((row, at) => {
        // Due every half second: those that are done when the last one is due.
        const doneS = at * GAP_S + number(row, 'response_ms') / 1000;
        return row.outcome === 'ok' && (run < 5 || doneS <= lasted);
      });
      const perSecond = (amount: (row: (typeof rows)[number]) => number) =>
        counted.reduce((sum, row) => sum + number(row, 'items') * amount(row), 0) / lasted;
      const expected = {
        'made.outputs': perSecond(() => 1),
        'made.megapixels': perSecond(
          (row) => (number(row, 'width') * number(row, 'height') * number(row, 'frames')) / 1e6,
        ),
        ...(isVideo && {
          'made.frames': perSecond((row) => number(row, 'frames')),
          'made.real_time': perSecond((row) => number(row, 'duration_s')),
        }),
      };
      expect(counted.length).toBeGreaterThan(5);
      for (const [metric, value] of Object.entries(expected))
        expect(rateOf(record, metric).value).toBeCloseTo(value, 9);
    },
  );
});

const GAP_S = 0.5;

/** Failures among takes of one to four outputs of one size. */
function drawn(random: Random, at: number, isVideo: boolean): { readonly sample: Sample; readonly fact: Fact } {
  const kind = isVideo ? 'text-to-video' : 'text-to-image';
  const dueMs = GAP_S * 1000 * at;
  const parts = { trial: { kind, repeat: at }, scheduledMs: dueMs, startedMs: dueMs } as const;
  const totalMs = Math.round(200 + 2000 * random.uniform());
  const sample =
    random.uniform() < 0.2
      ? buildFailure('error', { ...parts, afterMs: totalMs })
      : bringing(
          buildOk(totalMs, 'x', parts),
          ...Array<string>(1 + Math.floor(4 * random.uniform())).fill(`take ${at}`),
        );
  const size = { width: 16 + Math.floor(999 * random.uniform()), height: 16 + Math.floor(999 * random.uniform()) };
  return {
    sample,
    fact: isVideo ? clip(`take ${at}`, 1 + Math.floor(5 * random.uniform())) : factOf(`take ${at}`, size),
  };
}

function takesOf(random: Random, isVideo: boolean) {
  const takes = Array.from({ length: 40 }, (_, at) => drawn(random, at, isVideo));
  const variants = [{ kind: isVideo ? ('text-to-video' as const) : ('text-to-image' as const) }];
  return { variants, samples: takes.map(({ sample }) => sample), facts: takes.map(({ fact }) => fact) };
}

function closedRun(random: Random, isVideo: boolean): StoredRun {
  const { samples, ...parts } = takesOf(random, isVideo);
  const closed = samples.map((sample) => {
    const { scheduledMs: _, ...marks } = sample.marks;
    return { ...sample, marks } as Sample;
  });
  return buildStoredRun({ ...parts, samples: closed });
}

function openRun(random: Random, isVideo: boolean): StoredRun {
  const load: OpenLoad = { ...OPEN, concurrency: 99, warmup: 0, stages: [{ ratePerSecond: 1 / GAP_S, forMs: null }] };
  return buildStoredRun({ ...takesOf(random, isVideo), load });
}
