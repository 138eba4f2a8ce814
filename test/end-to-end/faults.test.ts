import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { beganMs } from '../../src/record/codes.ts';
import type { Sample } from '../../src/record/journal.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  type JournalEntries,
  journalOf,
  onlyRun,
  retakeHere,
  type ServedService,
  serveHere,
} from '../fixtures/retake-process.ts';

/* What a remote does wrong: one sample each with the right outcome, a run that ends, a record that can be read. */

const ROUTE = 'POST /v2/image/generations';

/** Faults that fail every request of a prompt, by the word that is in it, and what becomes of the request. */
const FAULTS = [
  { fault: 'HTTP 500', word: 'broken', rule: 'error: { status: 500 }', outcome: 'error declared_error' },
  {
    fault: 'a dropped connection',
    word: 'dropped',
    rule: 'drop_connection: { at: before_headers }',
    outcome: 'error connection_dropped',
  },
  { fault: 'a truncated body', word: 'cut', rule: 'truncated_body: {}', outcome: 'error truncated_body' },
  { fault: 'HTML in place of an image', word: 'page', rule: 'html: {}', outcome: 'invalid_media unexpected_media' },
  {
    fault: 'HTTP 429 with on_throttle fail',
    word: 'limited',
    rule: 'rate_limit: { requests: 1, per: 60m }',
    outcome: 'throttled rate_limited',
  },
];

/** What the service does to other prompts. */
const RULES = [
  ...FAULTS.map(({ word, rule }) => `{ when: { prompt: ${word} }, ${rule} }`),
  '{ when: { prompt: refused }, moderation: { answer: refuse } }',
  '{ when: { prompt: seldom, every: 3 }, error: { status: 500 } }',
  '{ when: { prompt: paced }, rate_limit: { requests: 1, per: 300ms } }',
  '{ when: { prompt: poster, model: fast }, latency: { constant: 20s } }',
  '{ when: { prompt: poster, model: fast-lcm }, error: { status: 503 } }',
  '{ when: { prompt: torn }, truncated_png: {} }',
  // So that none is drawn twice.
  'cached: {}',
];

const LCM = 'fast-lcm: { target: reference/text-to-image, const: { model: fast-lcm } }';

interface Asked {
  /** By the words that the service knows. */
  readonly prompts: readonly string[];
  readonly seeds: number;
  readonly repeats?: number;
  readonly load?: string;
  readonly variants?: readonly string[];
  readonly more?: string;
}

interface Result extends JournalEntries {
  readonly code: number | null;
  readonly stderr: string;
  readonly analysis: Analysis;
  readonly received: number;
}

let service: ServedService;
beforeAll(async () => {
  service = await serveHere(RULES);
});
afterAll(() => service.close());

const requestsAt = async () => (await service.stats()).routes[ROUTE]?.started ?? 0;

async function run({ prompts, seeds, repeats = 1, load = '', variants = [LCM], more = '' }: Asked): Promise<Result> {
  const folder = freshFolder();
  const suite = `suite: 1
name: faults
variants:
${variants.map((variant) => `  ${variant}\n`).join('')}prompts: ${JSON.stringify(prompts.map((id) => ({ id, text: `A ${id}` })))}
seeds: { first: 1, count: ${seeds} }
repeats: ${repeats}
load: { warmup: 0, concurrency: 2${load} }
reports: [json]
${more}`;
  writeFileSync(join(folder, 'suite.yaml'), suite);
  const before = await requestsAt();
  const { code, stderr } = await retakeHere(['run', 'suite.yaml'], folder, service.env);
  const record = onlyRun(join(folder, 'results'));
  const analysis: Analysis = JSON.parse(readFileSync(join(record, 'analysis.json'), 'utf8'));
  return { code, stderr, ...journalOf(record), analysis, received: (await requestsAt()) - before };
}

function outcomesOf(samples: readonly Sample[]): readonly string[] {
  return [...new Set(samples.map(({ outcome, error }) => `${outcome} ${error?.code ?? ''}`.trim()))];
}

const ofPrompt = (samples: readonly Sample[], id: string) => samples.filter(({ trial }) => trial.prompt === id);

it('faults of a service give one sample each, all count as failures, and the run stops above the failure limit', async () => {
  const result = await run({ prompts: FAULTS.map(({ word }) => word), seeds: 5, load: ', on_throttle: fail' });
  const { samples, intents } = result;
  expect(result.code).toBe(3);
  for (const { fault, word, outcome } of FAULTS) {
    const failed = ofPrompt(samples, word).filter((sample) => sample.outcome !== 'ok');
    expect({ fault, outcomes: outcomesOf(failed) }).toEqual({ fault, outcomes: [outcome] });
  }
  // Within the rate limit.
  expect(samples.filter(({ outcome }) => outcome === 'ok').map(({ trial }) => trial.prompt)).toEqual(['limited']);
  expect(samples).toHaveLength(intents.length);
  expect(result.received).toBe(intents.length);
  const { stop } = result.analysis.run;
  if (stop?.reason !== 'failures') throw new Error(`the run stopped with ${stop?.reason}`);
  expect(stop.samples).toBeGreaterThanOrEqual(20);
  expect(stop.failed).toBeGreaterThanOrEqual(stop.samples - 1);
  expect(result.stderr).toMatch(/incomplete: .*failed.*limits\.failures/);
});

it('a key that rejects each warm-up: the cause is told once, how many requests were sent, and where the report is', async () => {
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1
name: refused
variants:
  ${LCM}
  fast: { target: reference/text-to-image, const: { model: fast } }
prompts: [A fox]
`,
  );
  const env = { ...service.env, RETAKE_API_KEY: 'of-somebody-else' };
  const remedy = 'check the value of RETAKE_API_KEY, and the permissions of that key';
  const { code, stdout, stderr } = await retakeHere(['run', 'suite.yaml'], folder, env);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Nothing was measured: 2 requests were sent, no take\.\nReport: \S+report\.html\n$/);
  expect(stderr).toMatch(/^left out (fast|fast-lcm): its warm-up was rejected with HTTP 401 /m);
  expect(stderr).toContain(`; ${remedy}; no more requests of it are sent\n`);
  expect(stderr).toMatch(new RegExp(`^the run is incomplete: .*; ${remedy}$`, 'm'));
  expect(stderr).toMatch(/^left out (fast|fast-lcm) for the same reason$/m);
  expect(stderr).toMatch(
    /^the run is incomplete: left out fast-lcm and fast: their warm-ups were rejected with HTTP 401 /m,
  );
});

it('a truncated PNG passes the runner, and examination makes it invalid', async () => {
  const result = await run({ prompts: ['torn'], seeds: 1, repeats: 20 });
  expect(result.code).toBe(3);
  expect(result.stderr).toMatch(/after examination, 20 of 20 takes failed/);
  expect(outcomesOf(result.samples)).toEqual(['ok']);
  expect(result.analysis.variants[0]?.outcomes).toEqual({ invalid_media: 20 });
  expect(result.analysis.failures[0]).toMatchObject({ outcome: 'invalid_media', count: 20 });
});

it('refused prompts, a few failures and waits for a rate limit stop no run, and each request is counted', async () => {
  const result = await run({ prompts: ['refused', 'seldom', 'paced'], seeds: 3, repeats: 2 });
  const { samples, intents, attempts } = result;
  expect(result.code).toBe(0);
  expect(samples).toHaveLength(18);
  expect(outcomesOf(ofPrompt(samples, 'refused'))).toEqual(['moderated content_moderated']);
  const seldom = ofPrompt(samples, 'seldom').map(({ outcome }) => outcome);
  expect(seldom.filter((outcome) => outcome === 'error')).toHaveLength(2);

  // Sent again after what the service asks for, and journalled.
  const paced = ofPrompt(samples, 'paced');
  expect(outcomesOf(paced)).toEqual(['ok']);
  expect(attempts.length).toBeGreaterThan(0);
  expect(result.received).toBe(intents.length + attempts.length);
  expect(samples.reduce((sum, sample) => sum + sample.attempts, 0)).toBe(result.received);
  for (const { attempts: sent, throttleWaitMs } of paced) expect(throttleWaitMs > 0).toBe(sent > 1);
});

it('a variant that delivers nothing, failed or slower than the timeout, makes the run unusable, however few its trials', async () => {
  const slow = 'slow: { target: reference/text-to-image, const: { model: fast } }';
  const more = 'limits: { timeout: 300ms }\n';
  const result = await run({ prompts: ['poster'], seeds: 3, variants: [LCM, slow], more });
  expect(result.code).toBe(3);
  expect(result.stderr).toMatch(/fast-lcm: 0 of 3 takes delivered/);
  expect(result.stderr).toMatch(/slow: 0 of 3 takes delivered/);
  const timedOut = result.samples.filter(({ trial }) => trial.variant === 'slow');
  expect(timedOut.map(({ outcome }) => outcome)).toEqual(['timed_out', 'timed_out', 'timed_out']);
  for (const sample of timedOut) expect(sample.endedMs - beganMs(sample)).toBeGreaterThanOrEqual(300);
});
