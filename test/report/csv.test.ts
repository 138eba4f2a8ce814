import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedNotes } from '../../src/analysis/note.ts';
import type { ReportSource } from '../../src/report/reporter.ts';
import { csv } from '../../src/report/reporters/csv.ts';
import { rendered } from '../contracts/reporter.ts';
import { readCsv, readTable } from '../fixtures/csv-reader.ts';
import { cachedRun } from '../fixtures/probe-samples.ts';
import { reported } from '../fixtures/report-source.ts';
import { openRun, sweepRun } from '../fixtures/scripted-load.ts';
import {
  ATTACKED,
  FILMED,
  HOSTILE,
  largeTelling,
  ORDINARY,
  ok,
  scriptedRun,
  unsentRun,
} from '../fixtures/scripted-run.ts';
import { draws } from '../test-options.ts';

const SAMPLES =
  'run, trial, variant, target, kind, prompt, seed, repeat, block, step, phase, warmup, probe, outcome, error_code, error_message, http_status, scheduled_at, start_lag_ms, attempts, throttle_wait_ms, dns_ms, tcp_ms, tls_ms, submit_ms, queue_ms, run_ms, detect_ms, download_ms, ttfb_ms, generation_low_ms, generation_ms, total_ms, response_ms, server_ms, polls, items, bytes, mime, width, height, frames, fps, duration_s, sha256, stripped_sha256, pixel_sha256, pdq, pdq_quality, blank, seed_echo, cost_usd, request_id, flags, probe_kind, probe_role, probe_pair, cached, sharpness, colourfulness, luma, clipped_low, clipped_high, spatial_information, temporal_information, frozen, duplicates, black, flicker, queue_low_ms, run_high_ms, shard, label, tags, answered_model, rewritten_prompt, memory_mb, stages, usage, segment, slice, began_ms, ended_ms';
const MEASURES =
  'variant, kind, prompt, step, metric, statistic, value, unit, better, n, ci_low, ci_high, ci_level, method, note';

const COMPARISONS =
  'variant, baseline, kind, scope, metric, statistic, effect, value, ci_low, ci_high, n_pairs, missing_pairs, p, p_adjusted, verdict, baseline_run, note, unit, better, ci_level, method, step, n_better, censored_pairs, value_unflagged, finding, units, n_units, family, ratio_of_means';

async function tables(source: ReportSource): Promise<{ samples: string; measures: string; comparisons: string }> {
  const files = await rendered(csv, source);
  expect([...files.keys()]).toEqual(['samples.csv', 'measures.csv', 'comparisons.csv', 'likeness.csv']);
  const of = (name: string) => files.get(`${name}.csv`) ?? '';
  return { samples: of('samples'), measures: of('measures'), comparisons: of('comparisons') };
}

/** samples.csv of the first sample of a run, some of it replaced. */
async function rowOf(
  source: ReportSource,
  change: (sample: ReportSource['samples'][number]) => ReportSource['samples'][number],
): Promise<Readonly<Record<string, string>>> {
  let text = '';
  const files = csv.render({ ...source, samples: source.samples.slice(0, 1).map(change) });
  for (const { content } of files.slice(0, 1)) for await (const piece of content) text += piece;
  return readTable(text)[0] ?? {};
}

describe('samples.csv', () => {
  it('samples.csv has the columns of the contract, in their order', async () => {
    const { samples, measures, comparisons } = await tables(reported(unsentRun(ORDINARY)));
    expect(readCsv(samples)).toEqual([SAMPLES.split(', ')]);
    expect(readCsv(measures)[0]).toEqual(MEASURES.split(', '));
    expect(readCsv(comparisons)[0]).toEqual(COMPARISONS.split(', '));
  });

  it('samples.csv holds every sample, warm-ups among them, in the order they were sent', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const rows = readTable((await tables(source)).samples);
    expect(rows.map((row) => row.trial)).toEqual(source.samples.map(({ sample }) => sample.trial.id));
    expect(rows.filter((row) => row.warmup === 'true')).toHaveLength(6);
    expect(rows.filter((row) => row.warmup === 'false')).toHaveLength(216);
  });

  it('samples.csv says when a call of open load was due, how late it began and how long from then', async () => {
    const rows = readTable((await tables(reported(openRun()))).samples);
    const sent = rows.filter(({ phase, outcome }) => phase === 'trial' && outcome === 'ok');
    expect(sent).toHaveLength(301);
    for (const { start_lag_ms, response_ms, total_ms } of sent) {
      expect(Number(start_lag_ms)).toBeGreaterThan(0);
      expect(Number(response_ms)).toBeCloseTo(Number(total_ms) + Number(start_lag_ms), 2);
    }
    const second = Date.parse(sent[1]?.scheduled_at ?? '') - Date.parse(sent[0]?.scheduled_at ?? '');
    expect(second).toBe(250);
    const dropped = rows.filter(({ outcome }) => outcome === 'dropped');
    expect(dropped).toHaveLength(19);
    for (const row of dropped) {
      expect(row).toMatchObject({ start_lag_ms: '', response_ms: '', total_ms: '', attempts: '0', sha256: '' });
    }
  });

  it('samples.csv splits what a take took into timings that add up, to the microsecond', async () => {
    for (const telling of [ORDINARY, FILMED]) {
      const rows = readTable((await tables(reported(scriptedRun(telling)))).samples).filter(
        ({ outcome }) => outcome === 'ok',
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const parts = [row.submit_ms, row.queue_ms, row.run_ms, row.detect_ms, row.download_ms];
        const total = parts.reduce((sum, part) => sum + Number(part ?? 0), 0);
        expect(Math.abs(total - Number(row.total_ms))).toBeLessThanOrEqual(0.003);
      }
    }
  });

  it('samples.csv and measures.csv give the concurrency of each step of a sweep', async () => {
    const { samples, measures } = await tables(reported(sweepRun()));
    const steps = readTable(samples).map(({ phase, step }) => `${phase} ${step}`);
    expect(new Set(steps)).toEqual(new Set(['warmup ', 'step 1', 'step 2', 'step 4', 'step 8']));
    const medians = readTable(measures).filter(
      ({ metric, statistic }) => metric === 'latency.total' && statistic === 'p50',
    );
    expect(medians.map(({ step }) => step)).toEqual(['1', '2', '4', '8', '1', '2', '4', '8']);
  });

  it('samples.csv says of a delivered take what it was, how long each part took and what came', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const at = source.samples.findIndex(({ outcome, sample }) => outcome === 'ok' && sample.trial.phase === 'trial');
    const effective = source.samples[at];
    const row = readTable((await tables(source)).samples)[at];
    expect(row).toMatchObject({
      run: '20261120T154500Z-7f3a',
      variant: effective?.sample.trial.variant,
      target: 'reference/text-to-image',
      kind: 'text-to-image',
      phase: 'trial',
      probe: 'false',
      outcome: 'ok',
      error_code: '',
      http_status: '200',
      scheduled_at: effective?.sample.scheduledAt,
      start_lag_ms: '',
      queue_ms: '',
      attempts: '1',
      items: '1',
      mime: 'image/png',
      width: '1024',
      height: '576',
      frames: '1',
      fps: '',
      sha256: effective?.output?.sha256,
      cost_usd: '',
      flags: '',
    });
    expect(Number(row?.total_ms)).toBeCloseTo(effective?.timings.totalMs ?? Number.NaN, 3);
    expect(row?.total_ms).toMatch(/^\d+(\.\d{1,3})?$/);
  });

  it('samples.csv leaves empty what a failure did not reach, and names code and message', async () => {
    const rows = readTable((await tables(reported(scriptedRun(ORDINARY)))).samples);
    const moderated = rows.find((row) => row.outcome === 'moderated');
    expect(moderated).toMatchObject({
      error_code: 'content_policy',
      http_status: '422',
      total_ms: '',
      sha256: '',
      bytes: '',
    });
  });

  it('samples.csv joins flags by semicolons and prints no exponents or digits beyond what is known', async () => {
    const row = await rowOf(reported(scriptedRun(ORDINARY)), (effective) => ({
      ...effective,
      flags: ['harness_lag', 'resumed'],
      costUsd: 0.1 + 0.2,
    }));
    expect(row).toMatchObject({ flags: 'harness_lag;resumed', cost_usd: '0.3' });
  });

  it('samples.csv has the code of what does not decode, with what belongs to it, in place of a message', async () => {
    const undecodable = { code: 'not_decodable', detail: 'cut off' } as const;
    const row = await rowOf(reported(scriptedRun(ORDINARY)), (effective) => ({
      ...effective,
      error: { code: 'undecodable', message: '', undecodable },
    }));
    expect(row).toMatchObject({ error_code: 'undecodable', error_message: 'not_decodable;detail=cut off' });
  });

  it('samples.csv makes text inert that a spreadsheet would run, and leaves all other text alone', async () => {
    const source = reported(scriptedRun(ORDINARY));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('', '=', '+', '-', '@', '\t', '\r'),
        async (rest, start) => {
          const message = start + rest;
          const error = { code: 'x', message, undecodable: null };
          const cell = (await rowOf(source, (effective) => ({ ...effective, error }))).error_message ?? '';
          expect(cell).not.toMatch(/^[=+\-@\t\r]/);
          if (/^[^=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(message)) expect(cell).toBe(message);
          else expect([message, `'${message}`]).toContain(cell);
        },
      ),
      { numRuns: draws(500) },
    );
  });

  it('samples.csv says of a video how many frames it has, their rate and its seconds', async () => {
    const row = await rowOf(reported(scriptedRun(ORDINARY)), (effective) => {
      if (effective.output === null) throw new Error('nothing delivered');
      const output = { ...effective.output, mime: 'video/mp4', frames: 30, fps: 30_000 / 1001, durationS: 1.001 };
      return { ...effective, output };
    });
    expect(row).toMatchObject({ mime: 'video/mp4', frames: '30', fps: '29.97003', duration_s: '1.001' });
  });

  it('samples.csv keeps hostile text within its cell', async () => {
    const source = reported(scriptedRun(ATTACKED));
    const rows = readTable((await tables(source)).samples);
    expect(rows).toHaveLength(source.samples.length);
    expect(rows.find((row) => row.error_code !== '')?.error_message).toBe(HOSTILE.join(' '));
    expect(rows.map((row) => row.error_code)).toContain(`'${HOSTILE[4]}`);
  });

  it('samples.csv comes in pieces, so that a large run is never held as text', async () => {
    const source = reported(scriptedRun(largeTelling(3_000)));
    const sizes: number[] = [];
    for (const file of csv.render(source).slice(0, 1)) for await (const piece of file.content) sizes.push(piece.length);
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    expect(Math.max(...sizes)).toBeLessThan(whole / 5);
  });
});

describe('measures.csv', () => {
  it('measures.csv holds every measure, cell by cell', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const rows = readTable((await tables(source)).measures);
    expect(rows).toHaveLength(source.analysis.measures.length);
    for (const [index, measure] of source.analysis.measures.entries()) {
      const row = rows[index] ?? {};
      expect([row.variant, row.metric, row.statistic, row.unit, row.note, row.method]).toEqual([
        measure.variant,
        measure.metric,
        measure.statistic,
        measure.unit,
        joinedNotes(measure.notes),
        measure.method,
      ]);
      expect(row.prompt).toBe(measure.prompt ?? '');
      for (const [cell, value] of [
        [row.value, measure.value],
        [row.ci_low, measure.ciLow],
        [row.ci_high, measure.ciHigh],
        [row.n, measure.n],
      ] as const) {
        if (value === null) expect(cell).toBe('');
        else expect(Math.abs(Number(cell) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-8);
      }
    }
  });

  it('measures.csv holds codes alone for unit, method and note, whatever the run', async () => {
    const runs = [scriptedRun(ORDINARY), scriptedRun(FILMED), unsentRun(ORDINARY), openRun(), sweepRun(), cachedRun()];
    const rows = (await Promise.all(runs.map(async (run) => readTable((await tables(reported(run))).measures)))).flat();
    expect(rows.length).toBeGreaterThan(1000);
    for (const { unit, method, note } of rows) {
      expect(unit).toMatch(/^(1|[a-z1][a-z0-9_]*(\/s)?)$/);
      expect(method).toMatch(/^[a-z][a-z0-9_]*$/);
      for (const part of note === '' ? [] : (note ?? ' ').split(';')) {
        expect(part).toMatch(/^[a-z][a-z0-9_]*(=-?\d+(\.\d+)?)?$/);
      }
    }
  });

  it('measures.csv prints negative numbers as numbers', async () => {
    const source = reported(scriptedRun(ORDINARY));
    const [first] = source.analysis.measures;
    const measures = first === undefined ? [] : [{ ...first, value: -5.25, ciLow: -1 / 3 }];
    const [row] = readTable((await tables({ ...source, analysis: { ...source.analysis, measures } })).measures);
    expect(row).toMatchObject({ value: '-5.25', ci_low: '-0.333333333' });
  });
});

describe('comparisons.csv', () => {
  const source = reported(
    scriptedRun({
      ...ORDINARY,
      variants: ORDINARY.variants.slice(0, 2),
      concurrency: 1,
      tell: (variant, _prompt, seed, repeat) => ok((variant === 'fast' ? 500 : 1000) + seed + repeat),
    }),
  );

  it('comparisons.csv holds candidate / baseline with its interval, over all blocks, by tag and by prompt', async () => {
    const rows = readTable((await tables(source)).comparisons).filter(({ metric }) => metric === 'latency.total');
    expect(rows.map(({ scope }) => scope)).toEqual([
      'blocks',
      'tag:landscape',
      'prompt:fox',
      'prompt:harbour',
      'prompt:lighthouse',
      'prompt:market',
    ]);
    expect(rows[0]).toMatchObject({
      variant: 'fast',
      baseline: 'standard',
      effect: 'ratio',
      unit: '1',
      n_pairs: '12',
      units: 'blocks',
      n_units: '36',
      n_better: '12',
      missing_pairs: '0',
      finding: 'lower',
      verdict: '',
      note: '',
    });
    expect(Number(rows[0]?.value)).toBeCloseTo(0.5, 2);
    expect(rows[2]).toMatchObject({ units: 'blocks', n_units: '9', finding: 'lower', note: '' });
  });
});
