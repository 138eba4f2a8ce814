import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type PaidService, servePaid } from '../fixtures/paid-service.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import { type Ended, retakeHere, startRetake } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* What the server was sent is held against `limits.usd`, over several processes; test/run/limits has one alone, and `limits.requests`. */

const PRICE_USD = 0.1;

/** A plan of 65 requests or more. */
const SUITE = (load: string) => `suite: 1
name: paid
variants:
  a: { target: ./image.yaml, const: { v: a }, baseline: true }
  b: { target: ./image.yaml, const: { v: b } }
prompts: [a fox, a cat, a house, a boat]
seeds: { first: 1, count: 8 }
repeats: 1
load: ${load}
gate: [{ metric: error_rate, max: 30% }]
reports: [json]
`;

interface Paid {
  readonly folder: string;
  readonly service: PaidService;
  readonly submits: () => number;
}

function suiteAt(url: string, load: string, read: string): string {
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'image.yaml'),
    `target: 1
id: test/image
kind: text-to-image
base_url: ${url}
const: { v: a }
submit: { path: /image, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", v: "\${const.v}" } }
${read}
price: { per: request, usd: ${PRICE_USD} }
`,
  );
  writeFileSync(join(folder, 'suite.yaml'), SUITE(load));
  return folder;
}

async function paidSuite(load: string): Promise<Paid> {
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const folder = suiteAt(service.url, load, 'result: { from: body, expect: image/* }');
  const submits = () => [...service.submits.values()].reduce((sum, each) => sum + each, 0);
  return { folder, service, submits };
}

const measure = ({ folder }: Pick<Paid, 'folder'>, args: readonly string[]): Promise<Ended> =>
  retakeHere(['run', 'suite.yaml', '--quiet', '--yes', ...args], folder);

const CLOSED = (concurrency: number) => `{ concurrency: ${concurrency}, warmup: 1 }`;

/** At most what so many requests of the plan cost. */
const limitTo = (requests: number) => ['--set', `limits.usd=${requests * PRICE_USD}`];

const analysisOf = (folder: string, run: string): Analysis =>
  JSON.parse(readFileSync(join(folder, 'results', 'paid', run, 'analysis.json'), 'utf8'));

/** What a run reports as spent; without its name, of the only run. */
const spendOf = (folder: string, run?: string) => {
  const [only = ''] = readdirSync(join(folder, 'results', 'paid')).filter((name) => /^\d{8}T/.test(name));
  return analysisOf(folder, run ?? only).run.spend;
};

test('limits.usd with a cost by tokens: bounds what the server bills, at the highest price where a reply has no counts', async () => {
  const tokens: number[] = [];
  const billedUsd = () => tokens.reduce((sum, each) => sum + each * 1e-4, 0);
  const server = await serve((_seen, response, count) => {
    const counted = count % 3 > 0;
    const output = counted ? 100 * (count % 7) : 1000;
    tokens.push(output);
    const usage = counted ? { output } : { cached: 5 };
    const reply = JSON.stringify({ image: MEDIA.png.bytes.toString('base64'), ...(count % 6 > 0 && { usage }) });
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(reply), (count % 5) * 9);
  });
  const sum = '[{ at: $.usage.output, each: 1e-4 }, { at: $.usage.cached, each: 1e-5, optional: true }]';
  const read = `result: { from: b64, at: $.image }\nmeta: { cost_usd: { sum: ${sum} } }`;
  const folder = suiteAt(server.url, CLOSED(8), read);
  const ended = await measure({ folder }, limitTo(20));
  expect(ended.code, ended.stderr).toBe(3);
  expect(billedUsd()).toBeLessThanOrEqual(20 * PRICE_USD + 1e-9);
  expect(billedUsd()).toBeGreaterThan(19 * PRICE_USD);
  expect(spendOf(folder)).toMatchObject({ requests: tokens.length, usd: expect.closeTo(billedUsd(), 9) });
}, 60_000);

test('limits.usd over a run that is killed and resumed: bounds what both processes send', async () => {
  const paid = await paidSuite(CLOSED(4));
  const limited = ['--quiet', '--yes', ...limitTo(20)];
  const killed = startRetake(['run', 'suite.yaml', '--run', 'twice', ...limited], paid.folder);
  while (paid.submits() < 6) await sleep(1);
  killed.kill('SIGKILL');
  await killed.ended;
  const again = ['run', 'suite.yaml', '--resume', join('results', 'paid', 'twice'), '--resend-unknown', ...limited];
  const ended = await retakeHere(again, paid.folder);
  expect(ended.code, ended.stderr).toBe(3);
  expect(paid.submits()).toBeLessThanOrEqual(20);
  expect(paid.submits()).toBeGreaterThanOrEqual(20 - 2 * 4);
  const { spend } = analysisOf(paid.folder, 'twice').run;
  // A process that was killed may have counted requests that it did not send.
  expect(spend?.requests).toBeGreaterThanOrEqual(paid.submits());
  expect(spend?.mostUsd).toBeLessThanOrEqual(20 * PRICE_USD + 1e-9);
}, 60_000);
