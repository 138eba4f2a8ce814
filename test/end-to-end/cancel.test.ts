import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { journalOf, onlyRun, retakeHere, startHere } from '../fixtures/retake-process.ts';
import { json } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';

/* Jobs that a run abandons end at the service. It has one worker. */

const CANCEL = '  cancel: { method: DELETE, path: "/jobs/${job.id}" }\n';

/** A service whose first two jobs never end, and a later one only once they were cancelled; a suite that measures it. */
async function prepare(timeout: string, count: number, cancel = CANCEL) {
  const { bytes } = await smallImage('any');
  const cancelled: string[] = [];
  const polled = new Set<string>();
  let jobs = 0;
  const { url } = await serve(({ method, url: path }, response) => {
    const id = path.split('/').at(-1) ?? '';
    if (method === 'POST') {
      jobs += 1;
      return json(response, 202, { id: `job-${jobs}` });
    }
    if (method === 'DELETE') {
      cancelled.push(id);
      return json(response, 200, {});
    }
    if (path === '/image') return void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    polled.add(id);
    const isDone = id === 'job-3' && cancelled.length === 2;
    return json(response, 200, isDone ? { state: 'done', url: '/image' } : { state: 'working' });
  });
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'own.yaml'),
    `target: 1
id: own/jobs
kind: text-to-image
base_url: ${url}
submit: { path: /jobs, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
wait:
  capture: { id: $.id }
  poll: { path: "/jobs/\${job.id}", min_every: 20ms }
  state: { at: $.state, running: [working], success: [done] }
${cancel}result: { from: url, at: $.url }
`,
  );
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1
name: abandoned
variants: { own: { target: ./own.yaml } }
prompts: [A red fox in the snow]
seeds: { first: 1, count: ${count} }
repeats: 1
load: { warmup: 0, concurrency: 2 }
limits: { timeout: ${timeout} }
reports: [json]
`,
  );
  return { folder, cancelled, polled };
}

const cancelsOf = (run: string) => journalOf(run).events.flatMap((event) => (event.event === 'cancel' ? [event] : []));

function orphansOf(run: string): number | null {
  const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
  return analysis.run.orphans;
}

it('abandoned jobs end at the service at their time limit: no orphan is left, and the next does not wait for them', async () => {
  const { folder, cancelled } = await prepare('4s', 3);
  const ended = await retakeHere(['run', 'suite.yaml'], folder);
  const run = onlyRun(join(folder, 'results'));
  const { samples } = journalOf(run);
  expect(samples.map(({ outcome }) => outcome)).toEqual(['timed_out', 'timed_out', 'ok']);
  expect(samples.flatMap(({ flags }) => flags)).not.toContain('orphans');
  const given = samples.filter(({ outcome }) => outcome === 'timed_out').map(({ trial }) => trial.id);
  const cancels = cancelsOf(run);
  expect(cancels.map(({ trial }) => trial).toSorted()).toEqual(given.toSorted());
  for (const cancel of cancels) expect(cancel).toMatchObject({ cancelled: true, httpStatus: 200, code: null });
  expect(orphansOf(run)).toBe(0);
  expect(ended.stdout).not.toContain('may still have run at the service');
  expect(cancelled.toSorted()).toEqual(['job-1', 'job-2']);
});

it('abandoned jobs without wait.cancel are reported as possibly running, with what would end them', async () => {
  const { folder, cancelled } = await prepare('1s', 2, '');
  await retakeHere(['run', 'suite.yaml'], folder);
  const run = onlyRun(join(folder, 'results'));
  expect(cancelsOf(run)).toEqual([]);
  expect(orphansOf(run)).toBe(2);
  // The terminal shows fewer warnings where this machine has too much to do.
  await retakeHere(['report', run, '--format', 'html'], folder);
  expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain('declare it in wait.cancel of the target of own');
  expect(cancelled).toEqual([]);
});

it('a run that is aborted by Ctrl-C twice cancels the jobs in flight before it ends', async () => {
  const { folder, cancelled, polled } = await prepare('5m', 2);
  const started = startHere(['run', 'suite.yaml'], folder);
  await expect.poll(() => polled.size).toBe(2);
  started.kill('SIGINT');
  await started.saysOnError('stopping: waits for 2 in flight; press Ctrl-C again to abort them');
  started.kill('SIGINT');
  const ended = await started.ended;
  expect(ended.code).toBe(3);
  const run = onlyRun(join(folder, 'results'));
  expect(journalOf(run).samples.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
  expect(cancelsOf(run)).toMatchObject([{ cancelled: true }, { cancelled: true }]);
  expect(orphansOf(run)).toBe(0);
  expect(ended.stdout).not.toContain('may still have run at the service');
  expect(cancelled.toSorted()).toEqual(['job-1', 'job-2']);
});
