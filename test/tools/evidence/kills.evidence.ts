import { describe, expect, it } from 'vitest';
import { killRun } from '../../fixtures/killed-run.ts';

/* 200 processes are killed at random moments, over a run with a synchronous and a polled variant. */

const KILLS = 200;

describe('a run that is killed 200 times', () => {
  it('a run that is killed 200 times: has each sample once, sent no request twice, and ended its accepted jobs', async () => {
    const { trials, killed, last, samples, ...counts } = await killRun({
      kills: KILLS,
      seeds: 150,
      lifeMs: 2500,
      random: 2026,
    });
    const unknown = samples.filter(({ outcome }) => outcome === 'unknown_charged').length;
    console.log({ trials, killed, samples: samples.length, unknown, ...counts });
    expect(last.code).toBe(0);
    expect(new Set(samples.map(({ trial }) => trial.id)).size).toBe(trials);
    expect(samples).toHaveLength(trials);
    expect(counts).toMatchObject({ intents: trials, repeatedIntents: 0, submittedTwice: 0, unjournalled: [] });
    expect(counts.finishedJobs).toBe(counts.accepted);
    expect(unknown).toBeLessThanOrEqual(3 * killed);
  }, 3_600_000);
});
