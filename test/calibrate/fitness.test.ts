import { describe, expect, it } from 'vitest';
import { unfitnessOf } from '../../src/calibrate/fitness.ts';
import { type PowerReadings, powerSavingOf } from '../../src/calibrate/power-saving.ts';
import type { MachineState, Spread } from '../../src/record/calibration.ts';

const IDLE: Spread = { unit: 'ms', n: 250, min: 0, p50: 0.1, iqr: 0.05, p95: 0.2, p99: 1.2, max: 8 };
const READY: MachineState = { cores: 4, loadAverage: 0.3, powerSaving: null };

describe('a machine', () => {
  it('that is idle and at full speed is fit', () => {
    expect(unfitnessOf({ eventLoopDelay: IDLE }, READY)).toEqual([]);
    expect(unfitnessOf({ eventLoopDelay: { ...IDLE, p99: 5 } }, { ...READY, loadAverage: 4 })).toEqual([]);
  });

  it('whose system counts no load is not blamed for it', () => {
    expect(unfitnessOf({ eventLoopDelay: IDLE }, { ...READY, loadAverage: null })).toEqual([]);
  });

  it.each([
    ['wakes late', { ...IDLE, p99: 5.01 }, READY, /5\.0 ms/],
    ['wakes late, by its maximum where there are few', { ...IDLE, p99: null }, READY, /8\.0 ms/],
    ['is overloaded', IDLE, { ...READY, loadAverage: 4.2 }, /4\.2 on 4 cores/],
    ['saves power', IDLE, { ...READY, powerSaving: 'it runs on its battery' }, /battery/],
  ])('that %s is told so, with cause and remedy', (_how, eventLoopDelay, machine, what) => {
    const [only, ...others] = unfitnessOf({ eventLoopDelay }, machine);
    expect(others).toEqual([]);
    expect(only?.what).toMatch(what);
    expect(only?.cause).not.toBe('');
    expect(only?.remedy).not.toBe('');
  });
});

describe('power saving', () => {
  const SILENT: PowerReadings = { driver: null, governor: null, preference: null, profile: null, batteries: [] };

  it.each<[string, Partial<PowerReadings>]>([
    ['a system that says nothing', {}],
    [
      'the usual governor of intel_pstate',
      { driver: 'intel_pstate', governor: 'powersave', preference: 'balance_performance' },
    ],
    ['a server at full speed', { driver: 'acpi-cpufreq', governor: 'performance' }],
    ['a plugged-in laptop', { profile: 'balanced', batteries: ['Full', 'Charging'] }],
  ])('is not seen in %s', (_where, readings) => {
    expect(powerSavingOf({ ...SILENT, ...readings })).toBeNull();
  });

  it.each<[string, Partial<PowerReadings>, RegExp]>([
    ['a governor at the lowest frequency', { driver: 'acpi-cpufreq', governor: 'powersave' }, /governor/],
    ['a processor told to save', { driver: 'intel_pstate', governor: 'powersave', preference: 'power' }, /energy/],
    ['a platform profile', { profile: 'low-power' }, /low-power/],
    ['a battery in use', { batteries: ['Full', 'Discharging'] }, /battery/],
  ])('is seen in %s', (_where, readings, words) => {
    expect(powerSavingOf({ ...SILENT, ...readings })).toMatch(words);
  });
});
