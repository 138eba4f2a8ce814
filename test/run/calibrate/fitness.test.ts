import { describe, expect, it } from 'vitest';
import type { MachineState, PowerSaving, Spread, Unfitness } from '../../../src/record/calibration.ts';
import { type PowerReadings, powerSavingOf, unfitnessOf } from '../../../src/run/calibrate.ts';

const IDLE: Spread = { unit: 'ms', n: 250, min: 0, p50: 0.1, iqr: 0.05, p95: 0.2, p99: 1.2, max: 8 };
const READY: MachineState = { cores: 4, loadAverage: 0.3, powerSaving: null };

const BATTERY: PowerSaving = { code: 'battery' };
const LATE = { code: 'late_wake', n: 250, limitMs: 5 } as const;

describe('a machine', () => {
  it('a machine that is idle and at full speed is fit', () => {
    expect(unfitnessOf({ eventLoopDelay: IDLE }, READY)).toEqual([]);
    expect(unfitnessOf({ eventLoopDelay: { ...IDLE, p99: 5 } }, { ...READY, loadAverage: 4 })).toEqual([]);
  });

  it('a machine whose system counts no load is not blamed for it', () => {
    expect(unfitnessOf({ eventLoopDelay: IDLE }, { ...READY, loadAverage: null })).toEqual([]);
  });

  it.each<[string, Spread, MachineState, Unfitness]>([
    ['wakes late', { ...IDLE, p99: 5.01 }, READY, { ...LATE, lateMs: 5.01, statistic: 'p99' }],
    [
      'wakes late, by its maximum where there are few',
      { ...IDLE, p99: null },
      READY,
      { ...LATE, lateMs: 8, statistic: 'max' },
    ],
    ['is overloaded', IDLE, { ...READY, loadAverage: 4.2 }, { code: 'overloaded', loadAverage: 4.2, cores: 4 }],
    ['saves power', IDLE, { ...READY, powerSaving: BATTERY }, { code: 'saves_power', by: BATTERY }],
  ])('a machine that %s is reported as unfit', (_how, eventLoopDelay, machine, expected) => {
    expect(unfitnessOf({ eventLoopDelay }, machine)).toEqual([expected]);
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
  ])('power saving is not seen in %s', (_where, readings) => {
    expect(powerSavingOf({ ...SILENT, ...readings })).toBeNull();
  });

  it.each<[string, Partial<PowerReadings>, PowerSaving]>([
    [
      'a governor at the lowest frequency',
      { driver: 'acpi-cpufreq', governor: 'powersave' },
      { code: 'governor', governor: 'powersave' },
    ],
    [
      'a processor told to save',
      { driver: 'intel_pstate', governor: 'powersave', preference: 'power' },
      { code: 'energy_preference' },
    ],
    ['a platform profile', { profile: 'low-power' }, { code: 'platform_profile', profile: 'low-power' }],
    ['a battery in use', { batteries: ['Full', 'Discharging'] }, BATTERY],
  ])('power saving is seen in %s', (_where, readings, expected) => {
    expect(powerSavingOf({ ...SILENT, ...readings })).toEqual(expected);
  });
});
