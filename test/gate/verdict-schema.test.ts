import { describe, expect, it } from 'vitest';
import { metricsOf } from '../../src/analysis/metrics.ts';
import { assess } from '../../src/gate/assess.ts';
import { verdictSchema } from '../../src/gate/verdict.ts';
import { gated, gateRule, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';

const RULES = [
  gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
  gateRule('latency.total', { is: 'max', value: 1000 }, { statistic: 'p50' }),
  gateRule('error_rate', { is: 'max_rise', share: 0.05 }, { onInconclusive: 'pass' }),
  gateRule('determinism.byte', { is: 'none', event: 'departure' }),
];

const METRICS = metricsOf(RULES).filter(({ name }) => RULES.some(({ metric }) => metric === name));

describe('the schema of verdict.json', () => {
  it.each([
    ['a run at concurrency 1', scriptedRun({ ...ORDINARY, concurrency: 1 })],
    ['a run at concurrency 2', scriptedRun(ORDINARY)],
    ['a run that sent nothing', unsentRun(ORDINARY)],
  ])('the schema of verdict.json holds every verdict, and what is read is the same: %s', (_, record) => {
    const { verdict } = assess(gated(record, RULES), METRICS);
    expect(new Set(verdict.rules.map(({ index }) => index)).size).toBe(RULES.length);
    expect(verdictSchema.parse(JSON.parse(JSON.stringify(verdict)))).toEqual(verdict);
  });
});
