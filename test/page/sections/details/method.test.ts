import { expect, it } from 'vitest';
import type { Analysis } from '../../../../src/analysis/analysis.ts';
import { pageOf } from '../../../fixtures/rendered-page.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { ORDINARY, scriptedRun } from '../../../fixtures/scripted-run.ts';

async function methodOf(run: Partial<Analysis['run']> = {}) {
  const source = reported(scriptedRun(ORDINARY));
  const { words } = await pageOf({
    ...source,
    analysis: { ...source.analysis, run: { ...source.analysis.run, ...run } },
  });
  const [load, machine] = ['first', 'last'].map((which) => {
    const list = `#method .columns > div:${which}-child`;
    const values = words(`${list} dd`);
    return Object.fromEntries(words(`${list} dt`).map((term, at) => [term, values[at]]));
  });
  return { load, machine };
}

it('the method of a report says load and machine, each with its own value', async () => {
  const { load, machine } = await methodOf();
  expect(load).toEqual({
    Takes: '3 seeds × 3 takes of each prompt and variant',
    Concurrency: 'closed load, at most 2',
    Order: expect.stringMatching(/^paired: .*; shuffle: 7$/),
    'Warm-ups': '1 per variant, recorded, used for latency.cold only',
    'When rate-limited': 'wait',
    Requests: '222 planned, 222 sent',
    'Abandoned requests': 'none',
    Plan: expect.stringMatching(/^[0-9a-f]{16} \(SHA-256\)$/),
  });
  expect(machine).toMatchObject({
    'Noise floor': 'not measured',
    Commit: '54632ce1a9f0, with uncommitted changes',
    Started: '2026-11-20 15:45 UTC',
  });
});

it('the method of a report says of which commit the suite is, and whether it was changed', async () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  expect((await methodOf({ git: { commit, dirty: false } })).machine).toMatchObject({ Commit: '0123456789ab' });
  expect((await methodOf({ git: null })).machine).toMatchObject({ Commit: 'not in a git checkout' });
});
