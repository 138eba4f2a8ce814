import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { filesBelow, onlyRun, retakeHere } from '../fixtures/retake-process.ts';

/* A server that sends back what proves who asks, in a way of its own, to a run of the built program. */

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]);
const KEYS = { SIGNING_KEY: 'sk-signing/0123+456789', PLAIN_KEY: 'sk-plain/0123+456789' };

const SIGNED = `auth: { in: header, name: Authorization, value: "Bearer \${run.jwt}" }
sign: { as: jwt-hs256, key: "\${secret.SIGNING_KEY}", claims: { iss: retake }, expires_in: 30m }`;
const PLAIN = 'auth: { in: header, name: Authorization, value: "Bearer ${secret.PLAIN_KEY}" }';

const page = (text: string) => Buffer.from(`<html>not for ${text}</html>`);
const image = (text: string) => Buffer.concat([PNG, Buffer.from(`tEXt${text}`), PNG]);

it.each([
  ['a signed token in a page', SIGNED, page],
  ['a signed token in an image', SIGNED, image],
  [
    'a key in a page, percent-encoded in small letters',
    PLAIN,
    (text: string) => page(encodeURIComponent(text).toLowerCase()),
  ],
  [
    'a key in a page, escaped for HTML',
    PLAIN,
    (text: string) => page([...text].map((one) => `&#${one.charCodeAt(0)};`).join('')),
  ],
  ['a key in an image, with JSON escapes', PLAIN, (text: string) => image(JSON.stringify(text).replaceAll('/', '\\/'))],
])('%s gets into no file of a run, and the output is not kept', async (_what, auth, answer) => {
  const seen: string[] = [];
  const echo = createServer((request, response) => {
    const credential = request.headers.authorization?.replace('Bearer ', '') ?? '';
    seen.push(credential);
    response.writeHead(200, { 'content-type': `image/${credential.slice(0, 50)}` }).end(answer(credential));
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void echo.close());
  const address = echo.address();
  const folder = freshFolder();
  writeFileSync(
    join(folder, 'target.yaml'),
    `target: 1
id: test/echo
kind: text-to-image
base_url: http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}
${auth}
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}" } }
result: { from: body, expect: image/* }
`,
  );
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1
name: echo
variants: { a: { target: ./target.yaml } }
prompts: [a fox]
load: { warmup: 0 }
`,
  );
  await retakeHere(['run', 'suite.yaml'], folder, KEYS);
  expect(seen.length).toBeGreaterThan(0);
  const samples = readFileSync(join(onlyRun(join(folder, 'results')), 'samples.csv'), 'utf8');
  expect(samples.match(/secret_in_output/g)?.length).toBe(3);
  const told = await retakeHere(['try', './target.yaml'], folder, KEYS);
  expect(told.stdout).toContain('secret_in_output');
  for (const credential of new Set(seen)) {
    for (const written of [credential, encodeURIComponent(credential).toLowerCase(), credential.slice(0, 40)]) {
      expect(told.stdout + told.stderr).not.toContain(written);
      for (const file of filesBelow(folder)) expect(readFileSync(file).includes(written), file).toBe(false);
    }
  }
});
