import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Spread } from '../../src/record/calibration.ts';
import type { Run } from '../../src/record/run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, type ServedService, serveHere, startRetake } from '../fixtures/retake-process.ts';
import { NIGHTLY } from '../test-options.ts';

/** Numbers that can be: finite, not below zero, in order. */
function expectOrdered(measure: string, { unit, n, min, p50, p95, p99, max }: Spread): void {
  const ordered = [min, p50, p95, p99, max].filter((value) => value !== null);
  expect(unit, measure).toBe('ms');
  expect(n, measure).toBeGreaterThan(0);
  expect(
    ordered.every((value) => Number.isFinite(value) && value >= 0),
    measure,
  ).toBe(true);
  expect(ordered, measure).toEqual(ordered.toSorted((a, b) => a - b));
  // On a crowded machine there may be fewer calls than a p95 takes.
  expect(p95 === null, measure).toBe(n < 14);
}

/** So long that an idle loop that is watched for 250 ms is not looked at once. */
const STALLS = NIGHTLY ? [0, 120] : [60];

describe('retake run', () => {
  const SUITE = `suite: 1
name: calibrated
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox]
repeats: 2
load: { warmup: 0 }
reports: [json, html]
`;
  let service: ServedService;
  beforeAll(async () => {
    service = await serveHere();
  });
  afterAll(() => service.close());

  it.each(STALLS)(
    'retake run keeps the calibration with the run and shows it, although the machine stalls after %i ms of it',
    async (afterMs) => {
      const folder = freshFolder();
      writeFileSync(join(folder, 'suite.yaml'), SUITE);
      const repeated = ['--set', 'prompts=[A red fox, { id: again, text: A red fox }]'];
      const started = startRetake(['run', 'suite.yaml', ...repeated], folder, service.env);
      // The last that is said before.
      await started.saysOnError('the prompt "again" is the same');
      await sleep(afterMs);
      started.kill('SIGSTOP');
      await sleep(350);
      started.kill('SIGCONT');
      const { code, stderr } = await started.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('calibrated in') });
      expect(stderr).not.toMatch(/defect|internal error/i);
      const run = onlyRun(join(folder, 'results'));
      const { calibration }: Run = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
      if (calibration === null) throw new Error('the run was not calibrated');
      expect(calibration.floorMs).toBeGreaterThan(0);
      for (const [measure, spread] of Object.entries(calibration.measures))
        if (spread !== null) expectOrdered(measure, spread);
      const analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
      expect(analysis.run.calibration).toEqual(calibration);
      expect(readFileSync(join(run, 'report.html'), 'utf8')).toMatch(/Noise floor<\/dt><dd>[\d.]+ m?s: /);
    },
  );
});
