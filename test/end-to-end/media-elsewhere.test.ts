import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { json } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';

/** A target of a provider whose media, here, come from a server that it does not name. */
async function mediaElsewhere() {
  const media = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(MEDIA.png.bytes);
  });
  const api = await serve((_seen, response) => json(response, 200, { url: `${media.url}/a.png` }));
  const folder = freshFolder();
  const target = {
    target: 1,
    id: 'test/images',
    kind: 'text-to-image',
    base_url: api.url,
    auth: { in: 'header', name: 'Authorization', value: 'Bearer ${secret.MY_KEY}' },
    submit: { path: '/generate', body: { prompt: '${case.prompt}' } },
    result: { from: 'url', at: '$.url' },
  };
  writeFileSync(join(folder, 'target.yaml'), JSON.stringify(target));
  return { media, folder, env: { MY_KEY: 'sk-0123456789abcdef' } };
}

test('retake try says how to let media come from where they are, and then gets them without the credential', async () => {
  const { media, folder, env } = await mediaElsewhere();
  const refused = await retakeHere(['try', 'target.yaml'], folder, env);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain(`--download-origin ${media.url}`);
  expect(media.seen).toEqual([]);
  const trusted = await retakeHere(['try', 'target.yaml', '--download-origin', media.url], folder, env);
  expect(trusted.code).toBe(0);
  expect(media.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('a variant lets media come from where its suite says, and a text that is not a valid origin is refused there', async () => {
  const { media, folder, env } = await mediaElsewhere();
  const suite = (origin: string) => ({
    suite: 1,
    name: 'elsewhere',
    variants: { one: { target: './target.yaml', origins: { download: [origin] } } },
    prompts: ['a fox'],
    repeats: 1,
    probes: [],
    load: { warmup: 0 },
    reports: ['csv'],
  });
  writeFileSync(join(folder, 'wrong.yaml'), JSON.stringify(suite('media')));
  const wrong = await retakeHere(['validate', 'wrong.yaml'], folder, env);
  expect(wrong.code).toBe(2);
  expect(wrong.stdout + wrong.stderr).toMatch(/wrong\.yaml:1:\d+: "media" is not a valid origin/);
  writeFileSync(join(folder, 'suite.yaml'), JSON.stringify(suite(media.url)));
  expect((await retakeHere(['run', 'suite.yaml', '--quiet'], folder, env)).code).toBe(0);
  expect(media.seen.length).toBe(1);
});
