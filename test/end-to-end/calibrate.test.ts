import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Calibration, Spread } from '../../src/record/calibration.ts';
import { type Ended, freshFolder, retake, startRetake } from '../fixtures/retake-process.ts';

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
  expect(p95, measure).not.toBeNull();
}

describe('retake calibrate', () => {
  let folder: string;
  let json: Ended;
  let calibration: Calibration;

  beforeAll(async () => {
    folder = freshFolder();
    mkdirSync(join(folder, 'results'));
    json = await retake(['calibrate', '--json'], folder);
    calibration = JSON.parse(json.stdout);
  });

  it('measures everything, each with how often and how it spreads', () => {
    expect(json.code).toBe(0);
    expect(calibration.form).toBe('full');
    expect(calibration.tookMs).toBeGreaterThan(0);
    const { decodeVideoFrame, ...measures } = calibration.measures;
    expect(Object.keys(measures).sort()).toEqual([
      'clockStep',
      'decodePicture',
      'eventLoopDelay',
      'mediaRoundTrip',
      'roundTrip',
      'sha256',
      'store',
      'timerLateness',
    ]);
    for (const [measure, spread] of Object.entries(measures)) {
      if (spread === null) throw new Error(`${measure} was not measured`);
      expectOrdered(measure, spread);
    }
    if (decodeVideoFrame !== null) expectOrdered('decodeVideoFrame', decodeVideoFrame);
  });

  it('says a floor that follows from them, and what is known of the machine', () => {
    const { floorMs, machine, unfit } = calibration;
    expect(Number.isFinite(floorMs)).toBe(true);
    expect(floorMs).toBeGreaterThan(0);
    expect(machine.cores).toBeGreaterThan(0);
    for (const { what, cause, remedy } of unfit) expect([what, cause, remedy]).not.toContain('');
  });

  it('says nothing on standard error with --json, and leaves no file', () => {
    expect(json.stderr).toBe('');
    expect(readdirSync(join(folder, 'results'))).toEqual([]);
    expect(readdirSync(folder)).toEqual(['results']);
  });

  it('prints a table with what each is for, and the floor', async () => {
    const { code, stdout, stderr } = await retake(['calibrate'], folder);
    expect(code).toBe(0);
    for (const word of ['median', 'p95', 'n', 'what it is for', 'loopback round trip', 'SHA-256', 'Noise floor: ']) {
      expect(stdout).toContain(word);
    }
    for (const line of stderr.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(/^warning: this machine /);
  });

  it('ends in good order when it is interrupted', async () => {
    const started = startRetake(['calibrate'], folder);
    while (readdirSync(join(folder, 'results')).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    started.kill('SIGINT');
    const { code, stdout, stderr } = await started.ended;
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe('interrupted: the machine was not calibrated\n');
    expect(readdirSync(join(folder, 'results'))).toEqual([]);
  });
});
