import { describe, expect, it } from 'vitest';
import { describeCalibration, unfitness } from '../../../../src/commands/display/calibration.ts';
import { buildCalibration } from '../../../fixtures/stored-run-builder.ts';

describe('a calibration as retake calibrate prints it', () => {
  it('a calibration is a table with what each measure is for, then the floor', () => {
    const [head, ...lines] = describeCalibration(buildCalibration(), 80).trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['milliseconds', 'median', 'p95', 'n', 'what it is for']);
    expect(lines[3]?.split(/ {2,}/)).toEqual([
      'loopback round trip',
      '0.300',
      '0.500',
      '100',
      'HTTP without a service; part of the floor',
    ]);
    expect(lines[5]).toMatch(/^SHA-256 of 1 MiB /);
    // What the short form does not measure.
    expect(lines[7]?.split(/ {2,}/).slice(0, 4)).toEqual(['decode 1024 x 1024', '–', '–', '0']);
    expect(lines.join(' ')).toContain('Noise floor of this machine: 0.610 ms. Two calls that differ by less');
    expect(lines.at(-1)).toBe('Measured in 950 ms.');
  });

  it('a calibration says its noise floor in lines of at most the width that is given', () => {
    const text = describeCalibration(buildCalibration(), 60);
    const lines = text.slice(text.indexOf('Noise floor')).split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  it('a calibration of a machine that is not fit to measure is told in warnings about this machine', () => {
    const unfit = [
      { code: 'overloaded', loadAverage: 7.5, cores: 2 },
      { code: 'late_wake', lateMs: 4.2, statistic: 'p99', n: 250, limitMs: 2 },
    ] as const;
    for (const sentence of unfitness({ unfit })) expect(sentence).toMatch(/^warning: this machine .+; .+; .+$/);
  });
});
