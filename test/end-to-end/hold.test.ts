import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { journalOf, onlyRun, retakeHere, startRetake } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

const PNG = (await smallImage('any')).bytes;

/** A service of four slots, and what it answers to a call above them. */
async function ofFourSlots(above: { readonly status: number; readonly headers?: Record<string, string> }) {
  let busy = 0;
  const { url } = await serve((_seen, response) => {
    if (busy >= 4) {
      response.writeHead(above.status, above.headers);
      response.end('{}');
      return;
    }
    busy += 1;
    setTimeout(() => {
      busy -= 1;
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(PNG);
    }, 20);
  });
  return url;
}

/** A suite of 100 takes a load, at a service with this address. */
function folderOf(url: string, load: string): string {
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'own.yaml'),
    `target: 1
id: own/slots
kind: text-to-image
base_url: ${url}
inputs: { seed: { claim: exact } }
submit: { path: /g, body: { prompt: "\${case.prompt}", seed: "\${case.seed}" } }
result: { from: body }
fail:
  - { when: { status: 429 }, is: throttled, after: ["header:retry-after-ms"] }
  - { when: { status: 5xx }, is: error }
`,
  );
  writeFileSync(
    join(folder, 'load.yaml'),
    `suite: 1
name: load
variants: { own: { target: ./own.yaml } }
prompts: [a fox, a cat, a hen, an owl]
repeats: 25
load: ${load}
limits: { failures: 20% }
`,
  );
  return folder;
}

it.each([
  ['refuses for their rate', '[2, 8]', { status: 429, headers: { 'retry-after-ms': '30' } }, /\(429\)|too busy/],
  // Most takes of the whole run fail, which is an answer and no incomplete run.
  ['fails fast', '[16]', { status: 500 }, /the only load tried|too busy/],
])(
  'a default suite does not say that a service holds more than 4 in flight, which %s above (%s)',
  async (_, loads, above, says) => {
    const folder = folderOf(await ofFourSlots(above), `{ concurrency: ${loads}, hold: { p95: 2s } }`);
    const { code, stdout } = await retakeHere(['run', 'load.yaml'], folder);
    // A sentence may wrap anywhere.
    const said = stdout.replaceAll(/\s+/g, ' ');
    expect([code, said]).toEqual([0, expect.stringMatching(says)]);
    expect(said).not.toMatch(/holds p95 <= 2 s (at|up to) (8|16)/);
    const run = onlyRun(join(folder, 'results'));
    const { events, samples } = journalOf(run);
    // Overload ends a load, not the run.
    const overloaded = samples.filter(({ trial }) => (trial.step ?? 0) > 4);
    if (above.status === 500) {
      expect(events.some(({ event }) => event === 'load_ended')).toBe(true);
      expect(overloaded.length).toBeLessThan(100);
    } else expect(overloaded).toHaveLength(100);
    expect(JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8'))).toMatchObject({
      question: 'load',
      complete: true,
    });
  },
);

test('a take whose process was killed is not beyond the limit of a load, and the same record says the same', async () => {
  let killed = () => {};
  let seen = 0;
  const { url } = await serve((_seen, response) => {
    seen += 1;
    if (seen === 30) killed();
    setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG), 40);
  });
  const folder = folderOf(url, '{ concurrency: [12], warmup: 0, hold: { p95: 2s } }');
  const first = startRetake(['run', 'load.yaml', '--quiet'], folder);
  killed = () => first.kill('SIGKILL');
  await first.ended;
  const run = onlyRun(join(folder, 'results'));
  expect((await retakeHere(['run', 'load.yaml', '--resume', run], folder)).code).toBe(0);
  expect(journalOf(run).samples.filter(({ outcome }) => outcome === 'unknown_charged').length).toBeGreaterThan(0);
  const tables = ['a', 'b'].map(async (out) => {
    expect((await retakeHere(['report', run, '--format', 'csv', '--out', out], folder)).code).toBe(0);
    return readFileSync(join(folder, out, 'measures.csv'), 'utf8');
  });
  const [table = '', again] = await Promise.all(tables);
  expect(again).toBe(table);
  expect(readTable(table).find(({ statistic }) => statistic === 'beyond_p95')).toMatchObject({ value: '0' });
});

test('a run that can show of no load that it holds says so before it sends', async () => {
  const folder = folderOf(await ofFourSlots({ status: 500 }), '{ concurrency: [2], warmup: 0, hold: { p95: 2s } }');
  const { stderr } = await retakeHere(['run', 'load.yaml', '--set', 'repeats=2'], folder);
  expect(stderr).toMatch(
    /no load can be shown to hold with \d takes that count; add --set repeats=\d+\nrun \S+: 8 requests/,
  );
});
