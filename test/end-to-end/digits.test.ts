import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { journalOf, onlyRun, retakeHere, startHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* A service with ids and seeds above 2^53: whose job it is, and which seed it took, nothing on the way rounds. */

const JOB = '7309835418839273473';
const SEED = '9007199254740993';

const TARGET = `target: 1
id: own/job
kind: text-to-image
base_url: http://127.0.0.1:9
inputs: { seed: { claim: none, max: 9007199254740991 } }
submit: { path: /jobs, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
meta: { seed: $.seed, request_id: $.id }
wait:
  capture: { id: $.id }
  poll: { path: "/jobs/\${job.id}", min_every: 1ms }
  state: { at: $.state, pending: [queued], success: [done] }
  cancel: { method: DELETE, path: "/jobs/\${job.id}", body: { id: "\${job.id}" } }
result: { from: url, at: $.file }
`;

const SUITE = `suite: 1
name: digits
variants: { own: { target: ./own.yaml } }
prompts: [A red fox]
seeds: [9007199254740991]
repeats: 1
load: { warmup: 0 }
limits: { timeout: 60s }
reports: [csv]
`;

async function prepare(state: () => string) {
  const image = (await smallImage('any')).bytes;
  const server = await serve((seen, response) => {
    if (seen.method === 'POST') response.end(`{"id": ${JOB}, "seed": ${SEED}}`);
    else if (seen.url === '/files/1.png') response.writeHead(200, { 'content-type': 'image/png' }).end(image);
    else response.end(`{"state": "${state()}", "file": "/files/1.png"}`);
  });
  const folder = freshFolder();
  writeFileSync(join(folder, 'own.yaml'), TARGET.replace('http://127.0.0.1:9', server.url));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const asked = () => [...new Set(server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim()))];
  return { server, folder, asked };
}

const SUBMIT = 'POST /jobs {"prompt":"A red fox","seed":9007199254740991}';

test('a job and a seed above 2^53 are recorded, exported and warned of with all digits', async () => {
  const { folder, asked } = await prepare(() => 'done');
  const { code } = await retakeHere(['run', 'suite.yaml'], folder);
  expect(code).toBe(0);
  expect(asked()).toEqual([SUBMIT, `GET /jobs/${JOB}`, 'GET /files/1.png']);
  const run = onlyRun(join(folder, 'results'));
  const reported = { requestId: JOB, seedEcho: SEED };
  expect(journalOf(run).samples).toMatchObject([{ outcome: 'ok', reported }]);
  expect(readTable(readFileSync(join(run, 'samples.csv'), 'utf8'))).toMatchObject([
    { seed_echo: SEED, request_id: JOB, seed: '9007199254740991', flags: expect.stringContaining('seed_echo') },
  ]);
});

test('a job above 2^53 of a run that was aborted is cancelled, and one that was not is polled on by --resume', async () => {
  let state = 'queued';
  const { server, folder, asked } = await prepare(() => state);
  const started = startHere(['run', 'suite.yaml'], folder);
  await vi.waitUntil(() => server.seen.some(({ method }) => method === 'GET'), 60_000);
  started.kill('SIGINT');
  started.kill('SIGINT');
  await started.ended;
  expect(asked()).toEqual([SUBMIT, `GET /jobs/${JOB}`, `DELETE /jobs/${JOB} {"id":"${JOB}"}`]);

  // As if the process had been killed: nothing tells of the end of the job.
  const run = onlyRun(join(folder, 'results'));
  const journal = join(run, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').split('\n');
  const accepted = lines.findIndex((line) => line.startsWith('{"event":"accepted"'));
  writeFileSync(journal, `${lines.slice(0, accepted + 1).join('\n')}\n`);
  state = 'done';
  server.seen.length = 0;
  const { code } = await retakeHere(['run', 'suite.yaml', '--resume', run], folder);
  expect([code, asked()]).toEqual([0, [`GET /jobs/${JOB}`, 'GET /files/1.png']]);
});
