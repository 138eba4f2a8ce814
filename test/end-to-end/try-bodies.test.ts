import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { json } from '../targets/call/calling.ts';
import { serve } from '../targets/loopback.ts';

const KEY = 'sk-very-secret-0123456789';
const TARGET = `target: 1
id: own/job
kind: text-to-image
base_url: http://127.0.0.1:9
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
submit: { path: /jobs, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", dim: { width: "\${case.size | pick(width)}" } } }
inputs: { seed: { claim: exact }, size: { as: pixels } }
wait:
  capture: { id: $.id }
  poll: { path: "/jobs/\${job.id}", min_every: 1ms }
  state: { at: $.state, pending: [queued], success: [done] }
result: { from: url, at: $.media }
`;

test('retake try --bodies shows what was sent and what came back, without the key', async () => {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'tomato' } })
    .png()
    .toBuffer();
  const server = await serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { id: 'job-7', echo: `you sent Bearer ${KEY}`, key: [KEY] });
    if (seen.url === '/jobs/job-7') {
      return json(
        response,
        200,
        { state: 'done', media: `${server.url}/out.png?sig=s3cret-ticket` },
        { 'set-cookie': 'session=s3cret-cookie' },
      );
    }
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  });
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'own.yaml'), TARGET);
  const args = ['try', './own.yaml', '--prompt', 'A red fox', '--base-url', server.url];
  const { code, stdout } = await retakeHere([...args, '--bodies'], cwd, { OWN_KEY: KEY });
  expect(code).toBe(0);
  const shown = stdout.split('\n');
  expect(shown).toEqual(
    expect.arrayContaining([
      `    > POST ${server.url}/jobs`,
      '    > authorization: Bearer ${secret.OWN_KEY}',
      '    > content-type: application/json',
      '    >   "prompt": "A red fox",',
      '    >   "seed": 1,',
      '    >   "dim": {}',
      '    < HTTP 200',
      '    <   "id": "job-7",',
      '    <   "echo": "you sent Bearer [redacted]",',
      `    > GET ${server.url}/jobs/job-7`,
      '    < set-cookie: [redacted]',
      '    < content-type: image/png',
    ]),
  );
  expect(stdout).toMatch(/^ {4}< \(image\/png, [\d.]+ \w+\)$/m);
  expect(stdout).not.toContain(KEY);
  expect(stdout).not.toContain('s3cret-cookie');

  const plain = await retakeHere(args, cwd, { OWN_KEY: KEY });
  expect(plain.stdout).not.toMatch(/^ {4}[<>] /m);
});
