import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { journalOf, onlyRun, retake } from '../fixtures/retake-process.ts';
import { json } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';

/* The wall clock of the machine jumps by hours while requests are in flight: only the process's own `Date` can be moved without a right to. */

const HOUR_MS = 3_600_000;

/** In every thread: each reading of the wall clock is hours before or after the one before it. */
const JUMPING = `const { now } = Date;
let readings = 0;
const jumped = () => now() + (++readings % 2 === 0 ? 7 : -5) * ${HOUR_MS};
globalThis.Date = class extends Date {
  constructor(...given) { if (given.length === 0) super(jumped()); else super(...given); }
  static now() { return jumped(); }
};
`;

test('a wall clock that jumps by hours changes no latency, no wait and no deadline', async () => {
  let polls = 0;
  let submits = 0;
  const { bytes } = await smallImage('any');
  const png = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  const server = await serve(async (seen, response) => {
    if (seen.method === 'GET' && seen.url.startsWith('/media')) return void png(response);
    if (seen.method === 'GET') {
      polls += 1;
      return json(response, 200, polls % 3 === 0 ? { state: 'done', url: '/media/1.png' } : { state: 'working' });
    }
    if (seen.url === '/jobs') return json(response, 202, { id: 'j' });
    submits += 1;
    if (submits === 1) return json(response, 429, {}, { 'retry-after': '1' });
    await sleep(150);
    png(response);
  });
  const folder = freshFolder();
  const target = (id: string, more: string) => `target: 1
id: own/${id}
kind: text-to-image
base_url: ${server.url}
submit: { path: /${id}, encoding: json, body: { prompt: "\${case.prompt}" } }
fail: [{ when: { status: 429 }, is: throttled, after: "header:retry-after" }]
${more}
`;
  writeFileSync(join(folder, 'image.yaml'), target('image', 'result: { from: body, expect: image/* }'));
  writeFileSync(
    join(folder, 'jobs.yaml'),
    target(
      'jobs',
      `wait: { capture: { id: $.id }, poll: { path: "/jobs/\${job.id}", min_every: 50ms, deadline: 60s }, state: { at: $.state, running: [working], success: [done] } }
result: { from: url, at: $.url, expect: image/* }`,
    ),
  );
  writeFileSync(
    join(folder, 's.yaml'),
    `suite: 1
name: s
variants: { image: { target: ./image.yaml }, job: { target: ./jobs.yaml } }
prompts: [fox, oak]
repeats: 2
limits: { timeout: 30s, failures: 100% }
load: { warmup: 0, concurrency: 1 }
`,
  );
  writeFileSync(join(folder, 'jump.mjs'), JUMPING);
  const beganMs = performance.now();
  const ended = await retake(['run', 's.yaml', '--quiet'], folder, {
    NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'jump.mjs')).href}`,
  });
  const tookMs = performance.now() - beganMs;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const { samples } = journalOf(onlyRun(join(folder, 'results')));
  expect(samples.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 8 }, () => 'ok'));
  for (const { marks, endedMs, throttleWaitMs, trial } of samples) {
    const latencyMs = (marks.doneMs ?? Number.NaN) - (marks.startedMs ?? Number.NaN);
    expect(latencyMs).toBeGreaterThanOrEqual(trial.variant === 'image' ? 145 : 50);
    // However crowded the machine: far below the jumps.
    expect(latencyMs).toBeLessThan(tookMs);
    expect(endedMs).toBeLessThan(tookMs);
    expect(throttleWaitMs).toBeLessThan(tookMs);
  }
  const waited = samples.filter(({ attempts }) => attempts > 1).map(({ throttleWaitMs }) => throttleWaitMs);
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeGreaterThanOrEqual(1000);
});
