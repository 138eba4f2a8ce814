import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { foundIn } from '../fixtures/build-warning.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { smallImage } from '../fixtures/image-server.ts';
import { filesBelow, onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { type Loopback, serve } from '../targets/loopback.ts';

const KEY = 'sk-provider/Key+0123456789';
const [PROMPTS, TAKES] = [20, 40];

/** A provider that says when it ends, hands over to another model from the 20th take on, and rewrites each prompt. */
async function changedProvider(): Promise<Loopback> {
  return serve(async (seen, response, count) => {
    const { prompt, model } = JSON.parse(seen.body);
    const tokens = prompt.length;
    response.writeHead(200, {
      'content-type': 'application/json',
      sunset: 'Sun, 20 Dec 2026 00:00:00 GMT',
      link: '</v2>; rel="successor-version"',
    });
    response.end(
      JSON.stringify({
        image: Buffer.from((await smallImage(prompt)).bytes).toString('base64'),
        // The first is the warm-up.
        model: count <= 20 ? model : 'model-2',
        revised_prompt: `${prompt}, by request of ${seen.headers['x-key']}`,
        usage: { input: tokens, output: 1000, ...(count % 2 === 0 ? { cached: 10 } : {}) },
      }),
    );
  });
}

function suiteIn(folder: string, { url }: Loopback): void {
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(
    join(folder, 'targets', 'own', 'images.yaml'),
    `target: 1
id: own/images
kind: text-to-image
base_url: ${url}
auth: { in: header, name: x-key, value: "\${secret.OWN_KEY}" }
const: { model: model-1 }
const_types: { model: { known: [model-1, model-9] } }
submit: { path: /g, body: { prompt: "\${case.prompt}", model: "\${const.model}" } }
result: { from: b64, at: $.image, expect: image/* }
meta:
  model: $.model
  prompt: $.revised_prompt
  usage: { output: $.usage.output }
  cost_usd:
    - { when: { model: model-9 }, at: $.usage.output, each: 1 }
    - when: { model: [model-0, model-1] }
      sum:
        - { at: $.usage.input, each: 0.000005 }
        - { at: $.usage.output, each: 0.00003 }
        - { at: $.usage.cached, each: 0.0000004, optional: true }
`,
  );
  const prompts = Array.from({ length: PROMPTS }, (_, at) => `a scene of number ${at}`);
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1
name: changed
variants: { only: { target: own/images } }
prompts: ${JSON.stringify(prompts)}
repeats: 2
load: { warmup: 1, concurrency: 4 }
reports: [html, json, csv]
`,
  );
}

it('a provider that ends, changes its model and rewrites prompts is told by three warnings, and its echo of the key by none', async () => {
  const folder = freshFolder();
  const home = await changedProvider();
  suiteIn(folder, home);
  const ran = await retakeHere(['run', 'suite.yaml'], folder, { OWN_KEY: KEY });
  expect(ran).toMatchObject({ code: 0 });
  const run = onlyRun(join(folder, 'results'));
  const analysis: Analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
  const OF_MACHINE = ['unfit_machine', 'contended', 'flagged_samples', 'dependent_takes', 'too_many_late_stamps'];
  const warnings = analysis.warnings.filter(({ code }) => !OF_MACHINE.includes(code));
  expect(warnings.map(({ code }) => code)).toEqual(['other_model_answered', 'prompt_rewritten', 'end_announced']);
  expect(warnings.map(foundIn)).toMatchObject([
    { asked: 'model-1', models: [{ model: 'model-2', takes: 21 }], ofTakes: TAKES, unfit: 'comparison' },
    { takes: TAKES, ofTakes: TAKES, mostTexts: 1, differing: 0 },
    { endsOn: '2026-12-20', deprecatedOn: null, successor: '/v2' },
  ]);
  expect(ran.stdout).toContain('another model answered for only: model-2 in 21 of 40 takes');

  const files = filesBelow(folder).filter((file) => readFileSync(file).includes(KEY));
  expect([...files, ran.stdout.includes(KEY), ran.stderr.includes(KEY)]).toEqual([false, false]);
  expect(existsSync(join(run, 'report.html'))).toBe(true);

  // What it counted is what it cost, to a billionth of a dollar.
  const rows = readTable(readFileSync(join(run, 'samples.csv'), 'utf8'));
  expect(rows[0]).toMatchObject({ usage: 'output=1000', rewritten_prompt: expect.stringContaining('[redacted]') });
  const owed = home.seen.reduce((sum, { body }, at) => {
    return sum + JSON.parse(body).prompt.length * 5e-6 + 0.03 + ((at + 1) % 2 === 0 ? 4e-6 : 0);
  }, 0);
  expect(Math.abs(rows.reduce((sum, row) => sum + Number(row.cost_usd), 0) - owed)).toBeLessThan(1e-9);
});

it('a provider is asked for its models once, with the key, and a default that it no longer has fails', async () => {
  const folder = freshFolder();
  const listed = [
    { id: 'model-1', shutdown_date: '2026-12-01' },
    { id: 'model-3', shutdown_date: null },
  ];
  const home = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: listed }));
  });
  suiteIn(folder, home);
  const file = join(folder, 'targets', 'own', 'images.yaml');
  const models = 'models: { path: /models, query: { all: "true" }, list: "$.data[*]", ends: shutdown_date }';
  writeFileSync(file, `${readFileSync(file, 'utf8')}${models}\n`);
  const check = () => retakeHere(['targets', 'own/images', '--check'], folder, { OWN_KEY: KEY });
  expect(await check()).toMatchObject({
    code: 0,
    stdout: 'model-1 (default) ends on 2026-12-01\nmodel-9 is not in the list\n',
  });
  expect(home.seen).toMatchObject([{ method: 'GET', url: '/models?all=true', headers: { 'x-key': KEY } }]);
  listed.shift();
  expect(await check()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^model-1 .* is not in the list$/m) });
  listed.length = 0;
  expect(await check()).toMatchObject({ code: 3, stdout: expect.stringContaining('has no list of models') });
});
