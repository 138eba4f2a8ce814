import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { expandPlan } from '../../src/plan/expand.ts';
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

/** The same requests by a bare undici loop that hashes, and by the runner with record and media: alternating, in one process. */
export async function compareThroughput(
  rounds: number,
): Promise<readonly { readonly raw: Cost; readonly retake: Cost }[]> {
  const server = fork(fileURLToPath(new URL('./body-server.js', import.meta.url)), [String(BODY_BYTES)]);
  const [port] = await once(server, 'message');
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  try {
    // Once each without counting: both compile and open their sockets.
    await rawLoop(baseUrl);
    await runnerLoop(baseUrl);
    const found: { raw: Cost; retake: Cost }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const raw = await costOf(() => rawLoop(baseUrl));
      const retake = await costOf(() => runnerLoop(baseUrl));
      found.push({ raw, retake });
    }
    return found;
  } finally {
    server.disconnect();
  }
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: REQUESTS / seconds, cpuMsPerRequest: (user + system) / 1000 / REQUESTS };
}

async function rawLoop(baseUrl: string): Promise<void> {
  const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  const slots = pLimit(IN_FLIGHT);
  await Promise.all(
    Array.from({ length: REQUESTS }, (_, seed) =>
      slots(async () => {
        const { body } = await request(`${baseUrl}/generate`, {
          dispatcher: agent,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: 'a fox', seed }),
        });
        createHash('sha256')
          .update(Buffer.from(await body.arrayBuffer()))
          .digest('hex');
      }),
    ),
  );
  await agent.close();
}

async function runnerLoop(baseUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'retake-bench-'));
  const { variant, benchCase, load } = prepare();
  const seeds = Array.from({ length: REQUESTS }, (_, seed) => seed);
  const plan = expandPlan({ variants: [variant], cases: [benchCase], seeds, repeats: 1, load });
  const clock = startClock();
  const wire = await startWire({
    origin: clock.origin,
    targets: { [variant.target.id]: variant.target },
    connections: IN_FLIGHT,
    secrets: [],
    jitter: 1,
  });
  const record = createRecord(folder, { format: 1, id: 'bench', suite: { name: 'bench' } } as Run);
  await measure(
    {
      plan,
      load,
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
      segment: 1,
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
  record.close();
  await wire.close();
  rmSync(folder, { recursive: true });
}

function prepare() {
  const place = { file: 'bench', line: 1, column: 1 };
  const load: Load = {
    mode: 'closed',
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
      variants: [{ name: 'bench', target: 'bench/body', place, constants: {}, baseline: true, price: null }],
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
