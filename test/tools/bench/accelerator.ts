import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { readRecord } from '../../../src/record/read-record.ts';
import { median, quantileInterval, sortSample } from '../../../src/statistics/quantile.ts';
import { medianOf, type Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const PROGRAM = resolve('dist/main.js');
const KEY = 'key-of-the-bench';
const SLOWER = 1.2;
const PROMPTS = 32;
const REPEATS = 3;

/** Both routes do the same work for the same form; one of them occupies the accelerator longer. */
const BEHAVIOUR = `behaviour: 1
rules:
  - slow_worker: { factor: ${SLOWER} }
    when: { route: anime }
`;

const targetOf = (id: string, path: string, url: string) => `target: 1
id: ${id}
kind: text-to-image
base_url: ${url}
auth: { in: header, name: Authorization, value: "Bearer \${secret.RETAKE_API_KEY}" }
inputs: { seed: { min: 0, max: 4294967295, omit_means: random, claim: exact } }
submit:
  path: ${path}
  encoding: multipart
  body: { prompt: "\${case.prompt}", style: anime, seed: "\${case.seed | str}", model: fast-lcm }
result: { from: body, expect: image/* }
meta: { inference: { at: "header:x-inference-ms", unit: ms } }
`;

const suiteOf = (order: string) => `suite: 1
name: accelerator-${order}
variants:
  even: { target: ./even.yaml, baseline: true }
  slower: { target: ./slower.yaml }
prompts: [${Array.from({ length: PROMPTS }, (_, at) => `"scene number ${at + 1} of a walk by the sea"`).join(', ')}]
seeds: [1]
repeats: ${REPEATS}
load: { concurrency: 4, order: ${order}, warmup: 2 }
reports: [csv]
`;

/**
 * One accelerator behind a queue, four in flight, and a variant that occupies it 20 % longer: the ratio of medians over
 * paired cells, with order paired and with order mixed.
 */
export async function acceleratorRows(): Promise<readonly Row[]> {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'behaviour.yaml'), BEHAVIOUR);
  const service = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--port', '0', '--workers', '1', '--behaviour', join(folder, 'behaviour.yaml')],
    { env: { RETAKE_API_KEY: KEY }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(service, 'exit');
  try {
    const [line] = await once(createInterface({ input: service.stdout }), 'line');
    const url = String(line).split(' ').at(-1) ?? '';
    writeFileSync(join(folder, 'even.yaml'), targetOf('bench/even', '/v2/image/generations', url));
    writeFileSync(join(folder, 'slower.yaml'), targetOf('bench/slower', '/v2/anime/generations', url));
    const rows: Row[] = [];
    for (const order of ['paired', 'mixed']) {
      const { ratio, low, high, cells, truth } = await ratioUnder(folder, order);
      rows.push({
        what: `a variant that is ${SLOWER} x as slow on one accelerator, 4 in flight, order ${order}: ratio of medians`,
        measured: `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], ${cells} pairs (the service itself says ${truth.toFixed(3)})`,
        bar: order === 'paired' ? `interval holds ${SLOWER.toFixed(2)}` : 'none: why mixed is never gated',
      });
    }
    return rows;
  } finally {
    service.kill('SIGINT');
    await ended;
  }
}

/**
 * The median over cells of slower / even, each the median of its takes, with its 95 % interval from order statistics.
 */
async function ratioUnder(folder: string, order: string) {
  const suite = join(folder, `${order}.yaml`);
  writeFileSync(suite, suiteOf(order));
  const results = join(folder, 'results');
  const run = spawn(process.execPath, [PROGRAM, 'run', suite, '--out', results, '--quiet'], {
    env: { RETAKE_API_KEY: KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(run, 'exit');
  if (code !== 0) throw new Error(`the run with order ${order} ended with ${code}`);
  const parent = join(results, `accelerator-${order}`);
  const record = await readRecord(join(parent, String(readdirSync(parent)[0])));
  if (!record.ok) throw new Error(record.diagnostics[0]?.cause);

  const takes = new Map<string, number[]>();
  const served = new Map<string, number[]>();
  for (const { outcome, trial, marks, reported } of record.value.samples) {
    if (trial.phase !== 'trial' || outcome !== 'ok') continue;
    const cell = `${trial.variant} ${trial.prompt}`;
    takes.set(cell, [...(takes.get(cell) ?? []), marks.doneMs - marks.startedMs]);
    served.set(trial.variant, [...(served.get(trial.variant) ?? []), reported.serverMs ?? Number.NaN]);
  }
  const prompts = [...new Set(record.value.samples.map(({ trial }) => trial.prompt))];
  const ratios = prompts.flatMap((prompt) => {
    const of = (variant: string) => median(sortSample(takes.get(`${variant} ${prompt}`) ?? []));
    const [slower, even] = [of('slower'), of('even')];
    return slower === null || even === null ? [] : [slower / even];
  });
  const sorted = sortSample(ratios);
  const interval = quantileInterval(sorted, 50, 0.95);
  return {
    ratio: median(sorted) ?? Number.NaN,
    low: interval?.low ?? Number.NaN,
    high: interval?.high ?? Number.NaN,
    cells: ratios.length,
    truth: medianOf(served.get('slower') ?? []) / medianOf(served.get('even') ?? []),
  };
}
