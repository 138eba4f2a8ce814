import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { expandPlan } from '../../src/plan/expand.ts';
import type { Plan } from '../../src/plan/trial.ts';
import type { Run } from '../../src/record/run.ts';
import { createRecord } from '../../src/record/store.ts';
import { startClock } from '../../src/run/clock.ts';
import { measure } from '../../src/run/runner.ts';
import { startWire } from '../../src/run/wire.ts';
import { parseDocument } from '../../src/suite/document.ts';
import type { Case, Load } from '../../src/suite/suite.ts';
import { parseTarget } from '../../src/target/parse-target.ts';
import { renderSubmit } from '../../src/target/request.ts';
import { resolveVariants } from '../../src/target/resolve.ts';

const BODY_BYTES = 64 * 1024;
const IN_FLIGHT = 16;
const REQUESTS = 4000;

/** What one way of doing the work took. */
export interface Cost {
  readonly perSecond: number;
  /** User and system time of the whole process, all its threads. */
  readonly cpuMsPerRequest: number;
}

const TARGET = `target: 1
id: bench/body
kind: text-to-image
base_url: http://127.0.0.1:1
inputs: { seed: { min: 0, max: 4294967295, omit_means: random, claim: none } }
submit: { path: /generate, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
result: { from: body, expect: image/* }
`;

export interface Round {
  /** A bare undici loop that hashes. */
  readonly raw: Cost;
  /** The same loop, which also writes each body to a file of its own: what the disk takes. */
  readonly written: Cost;
  /** The runner, with journal and media. */
  readonly retake: Cost;
}

/** The same requests in three ways, in turn, in one process; what is opened before and cleared away after is not counted. */
export async function compareThroughput(rounds: number): Promise<readonly Round[]> {
  const server = fork(fileURLToPath(new URL('./body-server.js', import.meta.url)), [String(BODY_BYTES)]);
  const [port] = await once(server, 'message');
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  const found: Round[] = [];
  // The first round compiles and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const raw = await rawLoop(baseUrl, null);
    const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
    const written = await rawLoop(baseUrl, folder);
    rmSync(folder, { recursive: true });
    const retake = await runnerLoop(baseUrl);
    if (round > 0) found.push({ raw, written, retake });
  }
  server.disconnect();
  return found;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: REQUESTS / seconds, cpuMsPerRequest: (user + system) / 1000 / REQUESTS };
}

async function rawLoop(baseUrl: string, folder: string | null): Promise<Cost> {
  const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  const slots = pLimit(IN_FLIGHT);
  const one = async (seed: number): Promise<void> => {
    const { body } = await request(`${baseUrl}/generate`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a fox', seed }),
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (folder !== null) writeFileSync(join(folder, sha256), bytes);
  };
  const cost = await costOf(() => Promise.all(Array.from({ length: REQUESTS }, (_, seed) => slots(() => one(seed)))));
  await agent.close();
  return cost;
}

async function runnerLoop(baseUrl: string): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
  const { variant, benchCase, load } = prepare();
  const planOf = (seeds: readonly number[]) =>
    expandPlan({ variants: [variant], cases: [benchCase], seeds, repeats: 1, load });
  const clock = startClock();
  const wire = await startWire({
    origin: clock.origin,
    targets: { [variant.target.id]: variant.target },
    connections: IN_FLIGHT,
    secrets: [],
    jitter: 1,
  });
  const record = createRecord(folder, { format: 1, id: 'bench', suite: { name: 'bench' } } as Run);
  const measurePlan = (plan: Plan) =>
    measure(
      {
        plan,
        load,
        limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
        segment: 1,
        secrets: [],
        requestOf: ({ seed }) => ({
          target: variant.target.id,
          baseUrl,
          submit: renderSubmit(variant, { case: benchCase, seed }, { baseUrl, secrets: {} }),
          timeoutMs: 60_000,
          onThrottle: 'fail',
        }),
        expectedOf: () => 'image/*',
      },
      { clock, wire, record, wind: new AbortController().signal, observe: () => {} },
    );
  // The wire thread compiles its parser with its first request.
  await measurePlan(planOf([REQUESTS]));
  const plan = planOf(Array.from({ length: REQUESTS }, (_, seed) => seed));
  const cost = await costOf(() => measurePlan(plan));
  record.close();
  await wire.close();
  rmSync(folder, { recursive: true });
  return cost;
}

function prepare() {
  const place = { file: 'bench', line: 1, column: 1 };
  const load: Load = {
    mode: 'closed',
    steps: null,
    concurrency: IN_FLIGHT,
    order: 'mixed',
    warmup: 0,
    onThrottle: 'fail',
    shuffle: 1,
  };
  const benchCase: Case = {
    id: 'fox',
    text: 'a fox',
    tags: [],
    kinds: ['text-to-image'],
    image: null,
    inputs: {},
    place,
  };
  const document = parseDocument('bench', TARGET);
  if (!document.ok) throw new Error(document.diagnostics[0]?.cause);
  const target = parseTarget(document.value, {});
  if (!target.ok) throw new Error(target.diagnostics[0]?.cause);
  const variants = resolveVariants(
    {
      variants: [
        { name: 'bench', target: 'bench/body', place, constants: {}, baseline: true, price: null, baseUrl: null },
      ],
      cases: [benchCase],
      seeds: [0],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
    },
    new Map([['bench/body', target.value]]),
  );
  const variant = variants.ok ? variants.value[0] : undefined;
  if (variant === undefined) throw new Error('the bench has no variant');
  return { variant, benchCase, load };
}
