import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import { MEDIA } from '../fixtures/recorded-provider.ts';
import { filesBelow, retakeHere, serveHere } from '../fixtures/retake-process.ts';
import { json } from '../targets/call/calling.ts';
import { closedUrl, serve } from '../targets/loopback.ts';

/* `retake try` as its user sees it: every request of the call, its marks and timings, and what came back. */

const KEY = 'sk-very-secret-0123456789';
const ENV = { OWN_KEY: KEY };

/** A job whose media stand on another host. */
const job = (mediaAt: string) => `target: 1
id: own/job
kind: text-to-image
base_url: http://127.0.0.1:9
auth: { in: header, name: Authorization, value: "Bearer \${secret.OWN_KEY}" }
origins: { download: [base, "${mediaAt}"] }
submit: { path: /jobs, body: { prompt: "\${case.prompt}" } }
wait:
  capture: { id: $.id, link: $.link }
  poll: { url: "\${job.link}", min_every: 1ms, capture: { file: $.file } }
  state: { at: $.state, pending: [queued], running: [working], success: [done], failure: [failed] }
fetch: [{ url: "\${job.file}" }]
result: { from: url, at: $.media }
fail: [{ when: { status: 429 }, is: throttled, after: ["header:retry-after-ms"] }]
`;

const image = (colour: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: colour } })
    .png()
    .toBuffer();

function folderWith(target: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'own.yaml'), target);
  return folder;
}

/** The lines of requests: step, what came, method, URL, what went over the line. */
function requestLines(stdout: string) {
  return [...stdout.matchAll(/^ +[\d.]+ +[\d.]+ {2}(\w+) +([^:]+): (\w+) (\S+) \((.*)\)$/gm)].map(
    ([, step = '', came = '', method = '', url = '', transfer = '']) => ({ step, came, method, url, transfer }),
  );
}

describe('a job', () => {
  test('a tried job is shown request by request, as its servers saw it, without a secret', async () => {
    const bytes = await image('tomato');
    const there = await serve((_seen, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
    let submits = 0;
    let polls = 0;
    const here = await serve((seen, response) => {
      if (seen.method === 'POST') {
        submits += 1;
        if (submits === 1) return json(response, 429, { error: 'slow down' }, { 'retry-after-ms': '5' });
        return json(response, 200, { id: 'job-7', link: `/jobs/7?ticket=s3cret-ticket` });
      }
      if (seen.url.startsWith('/jobs/7')) {
        polls += 1;
        const state = polls <= 2 ? 'queued' : polls <= 12 ? 'working' : 'done';
        return json(response, 200, { state, file: '/files/7' });
      }
      if (seen.url === '/files/7') return response.writeHead(302, { location: '/moved/7' }).end();
      json(response, 200, { media: `${there.url}/x.png?X-Sig=s3cret-signature`, echo: KEY });
    });
    const folder = folderWith(job(there.url));
    const { code, stdout, stderr } = await retakeHere(['try', 'own.yaml', '--base-url', here.url], folder, ENV);
    expect(stderr).toBe('');
    expect(code).toBe(0);

    const lines = requestLines(stdout);
    expect(lines.map(({ step, came, method, url }) => `${step}: ${came}: ${method} ${url}`)).toEqual([
      'submit: HTTP 429, throttled, sent again after 5.00 ms: POST /jobs',
      'submit: HTTP 200: POST /jobs',
      'poll: HTTP 200, pending: GET /jobs/7?ticket=…',
      'poll: HTTP 200, pending: GET /jobs/7?ticket=…',
      ...Array(3).fill('poll: HTTP 200, running: GET /jobs/7?ticket=…'),
      'poll: HTTP 200, success: GET /jobs/7?ticket=…',
      'fetch: HTTP 302: GET /files/7',
      'redirect: HTTP 200: GET /moved/7',
      `download: HTTP 200: GET ${there.url}/x.png?X-Sig=…`,
    ]);
    expect(stdout).toMatch(/^ +poll +… 7 more polls with the same reply, to [\d.]+ ms$/m);
    // What was not shown was counted: nothing that the servers saw is missing.
    expect(lines.length + 7).toBe(here.seen.length + there.seen.length);
    for (const { step, transfer } of lines) {
      expect(transfer).toMatch(step === 'download' ? /^no credential/ : /^with credential/);
    }
    expect(lines.at(-1)?.transfer).toContain(`${bytes.length} B received`);
    expect(stdout).toMatch(/^ +captured +id: job-7\n +captured +link: \/jobs\/7\?ticket=…$/m);
    expect(stdout).toMatch(/^ok, HTTP 200 in .+$/m);
    expect(stdout).toMatch(/^ +running +[\d.]+ ms\n +last pending +[\d.]+ ms\n +ready +[\d.]+ ms$/m);
    const [, sum = '', total] = /^ {2}(submit .+) = total ([\d.]+) ms$/m.exec(stdout) ?? [];
    expect(sum.replace(/[\d.]+/g, '#')).toBe('submit # + queue # + run # + detect # + download #');
    const timings = [...sum.matchAll(/[\d.]+/g)].map(Number);
    expect(Math.abs(timings.reduce((all, ms) => all + ms, 0) - Number(total))).toBeLessThan(0.4);
    expect(stdout).toContain('2 attempts');
    expect(stdout).toContain(`image/png, ${bytes.length} B, 64 x 48, blank: only one colour is visible\n`);
    expect(stdout).toMatch(/^ {2}sha256 [0-9a-f]{16}, of pixels [0-9a-f]{16}, saved as .+\.png$/m);

    // Bodies are shown where they are asked for.
    expect(stdout).not.toMatch(/^ {4}[<>] /m);
    for (const secret of [KEY, 's3cret']) {
      expect(stdout).not.toContain(secret);
      for (const file of filesBelow(folder)) expect(readFileSync(file, 'latin1'), file).not.toContain(secret);
    }
  });

  test('a tried job whose polls are far apart is told a gap that is short enough', async () => {
    const bytes = await image('tomato');
    let polls = 0;
    const here = await serve((seen, response) => {
      if (seen.method === 'POST') return json(response, 200, { id: 'job-7', link: '/jobs/7' });
      if (seen.url === '/files/7') return json(response, 200, { media: '/x.png' });
      if (seen.url === '/x.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
      polls += 1;
      json(response, 200, { state: polls < 4 ? 'working' : 'done', file: '/files/7' });
    });
    const folder = folderWith(job(here.url).replace('min_every: 1ms', 'min_every: 800ms'));
    const { stdout } = await retakeHere(['try', 'own.yaml', '--base-url', here.url], folder, ENV);
    expect(stdout).toMatch(
      /^ {2}the last polls were [\d.]+ m?s apart, [\d.]+ % of this call: set wait\.poll\.min_every to \S+ in the target$/m,
    );
  });

  test('a tried job that no server accepts is one line and a reason', async () => {
    const folder = folderWith(job('http://127.0.0.1:9'));
    const { code, stdout } = await retakeHere(['try', 'own.yaml', '--base-url', await closedUrl()], folder, ENV);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ +0\.0 +[\d.]+ {2}submit +connect_refused, nothing was sent, error: POST \/jobs$/m);
    expect(stdout).toMatch(
      /^ {2}connect_refused: .*ECONNREFUSED.*\n {2}start the server, or name another server with --base-url$/m,
    );
  });
});

const PLAIN = `target: 1
id: own/images
kind: text-to-image
base_url: http://127.0.0.1:9
submit: { path: /g, body: { prompt: "\${case.prompt}" } }
result: { from: body }
`;

describe('what came back', () => {
  test('an output overwrites nothing; --out with the name of an image is the file, under its real type, and no folder', async () => {
    const images = [await image('tomato'), await image('teal')];
    const server = await serve((_seen, response, count) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(images[(count - 1) % 2]);
    });
    const folder = folderWith(PLAIN);
    mkdirSync(join(folder, 'got'));
    const call = (out: string) => retakeHere(['try', 'own.yaml', '--base-url', server.url, '--out', out], folder);
    const calls = [await call('got'), await call('got'), await call('made/fox.jpg')];
    expect(calls.map(({ code }) => code)).toEqual([0, 0, 0]);
    const saved = calls.map(({ stdout }) => /saved as (.+)$/m.exec(stdout)?.[1] ?? '');
    expect(saved.map((path) => readFileSync(path))).toEqual([...images, images[0]]);
    expect(filesBelow(join(folder, 'got')).length).toBe(2);
    expect(readFileSync(join(folder, 'made', 'fox.png'))).toEqual(images[0]);
  });

  test('a JSON reply where the target expects the body as output: names the line of the target that reads it', async () => {
    const data = [{ b64_json: MEDIA.png.bytes.toString('base64') }];
    const server = await serve((_seen, response) => json(response, 200, { data }));
    const folder = folderWith(PLAIN);
    const tried = () => retakeHere(['try', 'own.yaml', '--base-url', server.url], folder);
    const [, line = ''] = /write (result: \{.+\}) in the target/.exec((await tried()).stdout) ?? [];
    writeFileSync(join(folder, 'own.yaml'), PLAIN.replace('result: { from: body }', line));
    expect(await tried()).toMatchObject({ code: 0, stdout: expect.stringContaining('image/png, ') });
  });

  test('a tried output that does not decode is reported, and is no success', async () => {
    const bytes = (await image('tomato')).subarray(0, 90);
    const server = await serve((_seen, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    });
    const folder = folderWith(PLAIN);
    const { code, stdout, stderr } = await retakeHere(['try', 'own.yaml', '--base-url', server.url], folder);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ {2}image\/png, 90 B, does not decode: .+$/m);
    expect(stderr).toBe('');
  });
});

test.skipIf(NO_NODE_AV)(
  'videos that were tried are described',
  async () => {
    const folder = freshFolder();
    const args = ['try', 'reference/text-to-video', '--set', 'model=fast-lcm', '--set', 'seconds=1'];
    const { code, stdout } = await retakeHere(args, folder);
    expect(code).toBe(0);
    const video =
      /^ {2}video\/mp4, [\d.]+ kB, 144 x 96, 24 frames, 24\.0 frames per second, 1\.00 s long, h264 yuv420p\n {2}sha256 [0-9a-f]{16}, of pixels [0-9a-f]{16}, saved as .+\.mp4$/m;
    expect(stdout).toMatch(video);
  },
  60_000,
);

describe('--base-url', () => {
  test('--base-url takes the place of the embedded service, with the key of the environment', async () => {
    const service = await serveHere();
    const folder = freshFolder();
    const args = ['try', 'reference/text-to-image', '--set', 'model=fast-lcm', '--base-url', service.url];
    const without = await retakeHere(args, folder);
    // A server on this machine may need no key, so it is asked.
    expect(without.code).toBe(3);
    expect(without.stdout).toContain('HTTP 401, rejected (missing_key): POST /v2/image/generations (no credential');
    expect(without.stdout).toContain('  set RETAKE_API_KEY: it is not set, so the request had no key\n');
    const { code } = await retakeHere(args, folder, { RETAKE_API_KEY: service.key });
    const asked = (await service.stats()).requests.filter(({ route }) => route.startsWith('POST'));
    await service.close();
    expect(code).toBe(0);
    expect(asked.length).toBe(2);
  });
});

test('retake try --bodies shows what was sent and what came back, without the key', async () => {
  const server = await serve((seen, response) => {
    if (seen.method === 'POST') return json(response, 200, { id: 'job-7', link: '/jobs/7', echo: `Bearer ${KEY}` });
    if (seen.url === '/x.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(MEDIA.png.bytes);
    const reply = { state: 'done', file: '/files/7', media: '/x.png' };
    json(response, 200, reply, { 'set-cookie': 'session=s3cret-cookie' });
  });
  const args = ['try', 'own.yaml', '--prompt', 'A red fox', '--base-url', server.url, '--bodies'];
  const { code, stdout } = await retakeHere(args, folderWith(job(server.url)), ENV);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `    > POST ${server.url}/jobs`,
      '    > authorization: Bearer ${secret.OWN_KEY}',
      '    > content-type: application/json',
      '    >   "prompt": "A red fox"',
      '    < HTTP 200',
      '    <   "id": "job-7",',
      '    <   "echo": "Bearer [redacted]"',
      `    > GET ${server.url}/jobs/7`,
      '    < set-cookie: [redacted]',
      '    < content-type: image/png',
    ]),
  );
  expect(stdout).toMatch(/^ {4}< \(image\/png, [\d.]+ \w+\)$/m);
  expect(stdout).not.toContain(KEY);
  expect(stdout).not.toContain('s3cret-cookie');
});

test('a tried call shows what Server-Timing has, as locators', async () => {
  const server = await serve((_seen, response) => {
    const timing = ['queue;dur=12.5;desc="before, decode;dur=1", cache;desc="miss"', 'decode;dur="7.25", total;dur=40'];
    response.setHeader('server-timing', timing).end(MEDIA.png.bytes);
  });
  const folder = folderWith(`${PLAIN}meta: { inference: "timing:total" }\n`);
  const { stdout } = await retakeHere(['try', 'own.yaml', '--base-url', server.url], folder);
  expect(stdout).toMatch(
    /^ +timings +timing:queue = 12\.5 ms, timing:cache without a time, timing:decode = 7\.25 ms, timing:total = 40\.0 ms$/m,
  );
  expect(stdout).toContain('the server reports that it took 40.0 ms');
});

test('retake try says how to let media come from where they are, and then gets them without the credential', async () => {
  const media = await serve((_seen, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(MEDIA.png.bytes);
  });
  const api = await serve((_seen, response) => json(response, 200, { url: `${media.url}/a.png` }));
  const auth = 'auth: { in: header, name: Authorization, value: "Bearer ${secret.OWN_KEY}" }\n';
  const folder = folderWith(`${PLAIN.replace('{ from: body }', '{ from: url, at: $.url }')}${auth}`);
  const args = ['try', 'own.yaml', '--base-url', api.url];
  const refused = await retakeHere(args, folder, ENV);
  expect(refused.code).toBe(3);
  expect(refused.stdout).toMatch(/^ +download +not sent: http:\S+ is not among origins\.download; /m);
  expect(refused.stdout).toContain(`--download-origin ${media.url}`);
  expect(media.seen).toEqual([]);
  expect(await retakeHere([...args, '--download-origin', media.url], folder, ENV)).toMatchObject({ code: 0 });
  expect(media.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});
