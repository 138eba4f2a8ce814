import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { beganMs } from '../../src/record/model/sample.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type JournalEntries, journalOf, onlyRun, retake, serveReference } from '../fixtures/retake-process.ts';

/* What a remote does wrong: one sample each with the right outcome, a run that ends, a record that can be read. */

const TRIALS = 24;
const SUITE = `suite: 1
name: faults
variants:
  fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts: [A red fox, A lighthouse, A teapot]
seeds: [1, 2, 3, 4]
repeats: 2
load: { warmup: 0, concurrency: 2 }
reports: [json]
`;

interface Result extends JournalEntries {
  code: number | null;
  stderr: string;
  analysis: Analysis;
  received: number;
}

async function runAgainst(rule: string | null, suite = SUITE, env: Record<string, string> = {}): Promise<Result> {
  const service = await serveReference(rule === null ? [] : [rule]);
  try {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suite);
    const ended = await retake(['run', 'suite.yaml'], folder, { ...service.env, ...env });
    const run = onlyRun(join(folder, 'results'));
    const stats = await service.stats();
    return {
      code: ended.code,
      stderr: ended.stderr,
      ...journalOf(run),
      analysis: JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8')),
      received: stats.requests.filter(({ route }) => route.includes('generations')).length,
    };
  } finally {
    await service.close();
  }
}

function outcomesOf({ samples }: Result): string[] {
  return [...new Set(samples.map(({ outcome, error }) => `${outcome} ${error?.code ?? ''}`.trim()))];
}

describe('a fault of the service', () => {
  it.each([
    { fault: '500', rule: '{ error: { status: 500 } }', outcome: /^error / },
    {
      fault: 'a dropped connection',
      rule: '{ drop_connection: { at: before_headers } }',
      outcome: /^error connection_dropped$/,
    },
    { fault: 'a truncated body', rule: '{ truncated_body: {} }', outcome: /^error truncated_body$/ },
    { fault: 'HTML in place of an image', rule: '{ html: {} }', outcome: /^invalid_media unexpected_media$/ },
  ])('the fault $fault gives one sample each, and the run stops above the failure limit', async ({ rule, outcome }) => {
    const result = await runAgainst(rule);
    expect(result.code).toBe(3);
    for (const found of outcomesOf(result)) expect(found).toMatch(outcome);
    expect(result.samples).toHaveLength(result.intents.length);
    expect(result.received).toBe(result.intents.length);
    expect(result.samples.length).toBeGreaterThanOrEqual(20);
    expect(result.samples.length).toBeLessThanOrEqual(TRIALS);
    expect(result.analysis.run.stop).toMatchObject({ reason: 'failures' });
    expect(result.stderr).toMatch(/incomplete: .*failed.*limits\.failures/);
  });

  it('a wrong key leaves the variant out after three takes, with what the service says, and exit code 3', async () => {
    const result = await runAgainst(null, SUITE, { RETAKE_API_KEY: 'of-somebody-else' });
    expect(result.code).toBe(3);
    expect(result.received).toBe(result.samples.length);
    expect(result.samples.length).toBeLessThanOrEqual(4);
    expect(result.stderr).toMatch(/left out fast-lcm: its first 3 takes were all rejected \(\w+, HTTP 401\): .*key/);
    expect(result.stderr).toMatch(/the run is incomplete: left out fast-lcm: /);
    expect(result.analysis.run.complete).toBe(false);
    expect(result.analysis.variants[0]).toMatchObject({
      missing: TRIALS - result.samples.length,
      abandoned: { code: 'rejected', httpStatus: 401 },
    });
  });

  it('a truncated PNG passes the runner, and examination makes it invalid', async () => {
    const result = await runAgainst('{ truncated_png: {} }');
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/after examination, 24 of 24 samples failed/);
    expect(outcomesOf(result)).toEqual(['ok']);
    expect(result.analysis.variants[0]?.outcomes).toEqual({ invalid_media: TRIALS });
    expect(result.analysis.failures[0]).toMatchObject({ outcome: 'invalid_media', count: TRIALS });
  });

  it('a refused prompt is moderated: no failure, and it does not stop the run', async () => {
    const result = await runAgainst('{ moderation: { answer: refuse } }');
    expect(result.code).toBe(0);
    expect(outcomesOf(result)).toEqual(['moderated content_moderated']);
    expect(result.samples).toHaveLength(TRIALS);
  });

  it('HTTP 429 with on_throttle fail makes each throttled, and nothing is sent twice', async () => {
    const suite = SUITE.replace('warmup: 0', 'warmup: 0, on_throttle: fail');
    const result = await runAgainst('{ rate_limit: { requests: 1, per: 60m } }', suite);
    expect(result.code).toBe(3);
    expect(result.samples.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1);
    expect(result.samples.filter(({ outcome }) => outcome === 'throttled')).toHaveLength(result.samples.length - 1);
    expect(result.received).toBe(result.intents.length);
  });

  it('HTTP 429 with on_throttle wait is sent again after what the service asks for, journalled and counted', async () => {
    const suite = SUITE.replace('seeds: [1, 2, 3, 4]', 'seeds: [1]').replace('repeats: 2', 'repeats: 1');
    const result = await runAgainst('{ rate_limit: { requests: 1, per: 1s } }', suite);
    expect(result.code).toBe(0);
    expect(outcomesOf(result)).toEqual(['ok']);
    expect(result.attempts.length).toBeGreaterThan(0);
    expect(result.received).toBe(result.intents.length + result.attempts.length);
    const attempts = result.samples.reduce((sum, sample) => sum + sample.attempts, 0);
    expect(attempts).toBe(result.received);
    const waited = result.samples.filter(({ attempts: n }) => n > 1);
    expect(waited.every(({ throttleWaitMs }) => throttleWaitMs > 0)).toBe(true);
  });

  it('HTTP 429 with on_throttle stop stops the run', async () => {
    const suite = SUITE.replace('warmup: 0', 'warmup: 0, on_throttle: stop');
    const result = await runAgainst('{ rate_limit: { requests: 1, per: 60m } }', suite);
    expect(result.code).toBe(3);
    expect(result.analysis.run.stop).toMatchObject({ reason: 'throttled' });
    expect(result.samples.length).toBeLessThan(6);
  });

  it('missing credit stops the run', async () => {
    const result = await runAgainst('{ error: { status: 402, code: no_credit, message: no tokens left } }');
    expect(result.code).toBe(3);
    expect(result.analysis.run.stop).toMatchObject({ reason: 'no_credit' });
    expect(result.samples.every(({ outcome }) => outcome === 'no_credit')).toBe(true);
    expect(result.samples.length).toBeLessThan(6);
  });

  it('a service slower than the timeout is timed out, at the limit', async () => {
    const suite = `${SUITE.replace('seeds: [1, 2, 3, 4]', 'seeds: [1]').replace('repeats: 2', 'repeats: 1')}limits: { timeout: 300ms }\n`;
    const result = await runAgainst('{ latency: { constant: 20s } }', suite);
    expect(outcomesOf(result).every((outcome) => outcome.startsWith('timed_out'))).toBe(true);
    expect(result.samples).toHaveLength(3);
    for (const sample of result.samples) expect(sample.endedMs - beganMs(sample)).toBeGreaterThanOrEqual(300);
  });

  it('a few failures do not stop a run', async () => {
    const result = await runAgainst('{ error: { status: 500 }, when: { every: 6 } }');
    expect(result.code).toBe(0);
    expect(result.samples).toHaveLength(TRIALS);
    expect(result.samples.filter(({ outcome }) => outcome === 'error')).toHaveLength(TRIALS / 6);
  });

  it('limits.requests allows never one request more', async () => {
    const result = await runAgainst(null, `${SUITE}limits: { requests: 7 }\n`);
    expect(result.code).toBe(3);
    expect(result.received).toBe(7);
    expect(result.samples).toHaveLength(7);
    expect(result.analysis.run.stop).toMatchObject({ reason: 'requests' });
  });

  it('a variant that delivers nothing makes the run unusable, however few its trials', async () => {
    const suite = SUITE.replace('seeds: [1, 2, 3, 4]', 'seeds: [1]').replace('repeats: 2', 'repeats: 1');
    const result = await runAgainst('{ error: { status: 503 } }', suite);
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/fast-lcm: 0 of 3 trials delivered/);
  });
});
