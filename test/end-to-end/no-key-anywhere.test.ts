import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, filesBelow, retake, retakeHere } from '../fixtures/retake-process.ts';
import { type Loopback, type Seen, serve } from '../targets/loopback.ts';

/*
 * Everything that Retake promises of keys ("Security" in the README), held against all that it writes, prints and
 * sends. A server sends back whatever proves who asks, in every form that is promised to be found; another origin gives
 * the media.
 */

/** Each with characters that encodings change. */
const KEYS = {
  HEADER_KEY: 'sk-header/Key+0123456789=',
  QUERY_KEY: 'sk-query/Key+0123456789&x',
  BASIC_KEY: Buffer.from('user:pass/word+0123456789').toString('base64'),
  SIGNING_KEY: 'sk-signing/Key+0123456789',
  BODY_KEY: 'sk-body/Key+"0123456789"',
  BEARER_KEY: 'sk-bearer/Key+0123456789',
  ISSUER_KEY: 'sk-issuer/Key+0123456789',
  TOKEN_KEY: 'sk-token/Key+0123456789',
  PATH_KEY: 'sk-path_Key+0123456789',
  LINK_KEY: 'sk-link/Key+0123456789&y',
  FORM_KEY: 'sk-form/Key+0123456789&z',
  PART_KEY: 'sk-part/Key+0123456789',
  RAW_KEY: 'sk-raw/Key+"0123456789"',
};
/** A prompt has the variable that is no key. */
const ENV = { ...KEYS, CUSTOMER: 'a-private-name' };
const SIGNATURE = 'c0ffee5161a7beef0123456789abcdef';

/** Every place of a target where a secret may stand, by the keys of the target and the keys of its submit. */
const JSON_BODY = 'encoding: json, body: { a: b }';
const SCHEMES = {
  header: { auth: 'auth: { in: header, name: x-key, value: "${secret.HEADER_KEY}" }', submit: JSON_BODY },
  bearer: {
    auth: 'auth: { in: header, name: Authorization, value: "Bearer ${secret.BEARER_KEY}" }',
    submit: JSON_BODY,
  },
  query: { auth: 'auth: { in: query, name: key, value: "${secret.QUERY_KEY}" }', submit: JSON_BODY },
  basic: { auth: 'auth: { in: header, name: Authorization, value: "Basic ${secret.BASIC_KEY}" }', submit: JSON_BODY },
  signed: {
    auth: `auth: { in: header, name: Authorization, value: "Bearer \${run.jwt}" }
sign: { as: jwt-hs256, key: "\${secret.SIGNING_KEY}", claims: { iss: "\${secret.ISSUER_KEY}" }, expires_in: 30m }`,
    submit: JSON_BODY,
  },
  'own-header': { auth: '', submit: `headers: { x-token: "\${secret.TOKEN_KEY}" }, ${JSON_BODY}` },
  'own-query': { auth: '', submit: `query: { key: "\${secret.LINK_KEY}" }, ${JSON_BODY}` },
  path: { auth: '', submit: `path: "/g/\${secret.PATH_KEY}", ${JSON_BODY}` },
  body: { auth: '', submit: 'encoding: json, body: { key: "${secret.BODY_KEY}" }' },
  form: { auth: '', submit: 'encoding: form, body: { key: "${secret.FORM_KEY}" }' },
  multipart: { auth: '', submit: 'encoding: multipart, body: { key: "${secret.PART_KEY}" }' },
  raw: { auth: '', submit: 'encoding: raw, body: "${secret.RAW_KEY}"' },
} as const;

/** What is tried beside the run: a scheme for each kind of answer. */
const TRIED: readonly (readonly [scheme: keyof typeof SCHEMES, prompt: string])[] = [
  ['signed', 'error'],
  ['query', 'page'],
  ['basic', 'image'],
  ['own-header', 'utf16'],
  ['form', 'moved'],
  ['multipart', 'wrong-type'],
];

/** What a request proved itself with. */
function credentialOf({ url, headers, body }: Seen): string {
  const asked = new URL(url, 'http://x');
  const inPath = asked.pathname.startsWith('/g/') ? decodeURIComponent(asked.pathname.slice(3)) : undefined;
  const inHead = headers['x-key'] ?? headers['x-token'] ?? headers.authorization?.replace(/^\w+ /, '');
  const given = inHead ?? asked.searchParams.get('key') ?? inPath ?? keyInBody(headers['content-type'] ?? '', body);
  return typeof given === 'string' ? given : '';
}

function keyInBody(type: string, body: string): unknown {
  if (type.startsWith('application/json')) return JSON.parse(body).key;
  if (type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(body).get('key');
  if (type.startsWith('multipart/')) return /name="key"(?:\r\n.+)*\r\n\r\n(.*)\r\n--/.exec(body)?.[1];
  return body;
}

/** The forms that a key is promised to be found in, in text; by name. */
const FORMS: Readonly<Record<string, (key: string) => string>> = {
  unchanged: (key) => key,
  'small letters': (key) => key.toLowerCase(),
  capitals: (key) => key.toUpperCase(),
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'JSON escapes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'JSON code points': (key) => [...key].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'HTML references': (key) => [...key].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  base64: (key) => Buffer.from(key).toString('base64'),
  base64url: (key) => Buffer.from(key).toString('base64url'),
  'base64 behind one byte': (key) => Buffer.from(`:${key}`).toString('base64'),
  'base64url behind two bytes': (key) => Buffer.from(`ab${key}`).toString('base64url'),
};

/** Those that are not looked for within media: letters or digits of the key are changed. */
const ONLY_IN_TEXT = ['small letters', 'capitals', 'JSON code points', 'HTML references'];

/** What of a form no file, text or foreign request may hold: behind other bytes, what the key alone decides. */
function trace(name: string, key: string): string {
  const whole = FORMS[name]?.(key) ?? key;
  return /behind/.test(name) ? whole.slice(3, -4) : whole.replace(/=+$/, '');
}

/** The keys that the server reads as they are: of a token it reads the whole. */
const ANSWERED = Object.entries(KEYS).flatMap(([name, key]) =>
  name === 'SIGNING_KEY' || name === 'ISSUER_KEY' ? [] : [key],
);

/** The prompts of the suite: with all schemes, those of a kind are as many as there are forms, and more. */
const PROMPTS = [
  ...['fine', 'moved', 'wrong-type', 'utf16', '{ id: dropped, text: "dropped, ${env.CUSTOMER}" }'],
  ...['error', 'page', 'image'].flatMap((kind) => [`${kind}-1`, `${kind}-2`]),
];

/** How the server answers, by the prompt, or what stands before its number. */
type Answer = (
  seen: Seen,
  foreign: string,
) => {
  status?: number;
  type?: string;
  body: string | Buffer;
  /** It is the media, and not the reply to the submit. */
  media?: boolean;
};

function pngWith(good: Buffer, text: Buffer): Buffer {
  return Buffer.concat([good.subarray(0, -12), Buffer.from('\0\0\0\0tEXt'), text, good.subarray(-12)]);
}

async function answers(): Promise<Readonly<Record<string, Answer>>> {
  const good = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'tomato' } })
    .png()
    .toBuffer();
  const media = (_seen: Seen, foreign: string) => ({
    type: 'application/json',
    body: JSON.stringify({ url: `${foreign}/m.png?sig=${SIGNATURE}` }),
  });
  return {
    fine: media,
    moved: (_seen) => ({ type: 'application/json', body: JSON.stringify({ url: `/moved?sig=${SIGNATURE}` }) }),
    'wrong-type': (seen) => ({
      type: `image/${encodeURIComponent(credentialOf(seen)).slice(0, 80)}`,
      body: 'no image',
    }),
    utf16: (seen) => ({
      type: 'image/png',
      media: true,
      body: pngWith(good, Buffer.from(credentialOf(seen), 'utf16le')),
    }),
    error: inTurn(Object.keys(FORMS), (credential, form) => ({
      status: 500,
      type: 'application/json',
      body: JSON.stringify({ code: 'e', message: `${form}: not for ${credential}!` }),
    })),
    page: inTurn(Object.keys(FORMS), (credential) => ({
      type: 'text/html',
      media: true,
      body: `<p>not for ${credential}</p>`,
    })),
    image: inTurn(
      Object.keys(FORMS).filter((form) => !ONLY_IN_TEXT.includes(form)),
      (credential) => ({ type: 'image/png', media: true, body: pngWith(good, Buffer.from(credential)) }),
    ),
  };
}

/** Answers with what each request proved itself with, in one form after the other. */
function inTurn(forms: readonly string[], answer: (credential: string, form: string) => ReturnType<Answer>): Answer {
  let count = 0;
  return (seen) => {
    const form = forms[count % forms.length] ?? '';
    count += 1;
    return answer(FORMS[form]?.(credentialOf(seen)) ?? '', form);
  };
}

interface World {
  readonly folder: string;
  readonly home: Loopback;
  readonly foreign: Loopback;
}

/**
 * A suite with a variant of each scheme and a prompt for each answer, its server, and the origin that gives its media.
 */
async function world(): Promise<World> {
  const byPrompt = await answers();
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const foreign = await serve(
    (_seen, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(image),
  );
  const kept: { readonly type: string; readonly body: string | Buffer }[] = [];
  const home = await serve((seen, response) => {
    const media = kept[Number(/^\/kept\/(\d+)/.exec(seen.url)?.[1])];
    if (media !== undefined) return void response.writeHead(200, { 'content-type': media.type }).end(media.body);
    if (seen.method !== 'POST') {
      return void response.writeHead(307, { location: `${foreign.url}/elsewhere.png?sig=${SIGNATURE}` }).end();
    }
    const answer = byPrompt[String(seen.headers['x-prompt']).replace(/-\d$/, '')]?.(seen, foreign.url);
    if (answer === undefined) return void response.destroy();
    const { status = 200, type = 'text/plain', body } = answer;
    const given = answer.media === true ? JSON.stringify({ url: `/kept/${kept.push({ type, body }) - 1}` }) : body;
    response.writeHead(status, { 'content-type': answer.media === true ? 'application/json' : type }).end(given);
  });
  const folder = freshFolder();
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  for (const [scheme, { auth, submit }] of Object.entries(SCHEMES)) {
    const path = submit.startsWith('path:') ? '' : 'path: /g, ';
    // The prompt is where no encoding of a body changes it.
    const asks = submit.startsWith('headers: { ')
      ? submit.replace('headers: { ', 'headers: { x-prompt: "${case.prompt}", ')
      : `headers: { x-prompt: "\${case.prompt}" }, ${submit}`;
    writeFileSync(
      join(folder, 'targets', 'own', `${scheme}.yaml`),
      `target: 1
id: own/${scheme}
kind: text-to-image
base_url: ${home.url}
${auth}
origins: { download: [base, "${foreign.url}"] }
submit: { ${path}${asks} }
result: { from: url, at: $.url, expect: image/* }
fail: [{ when: { status: 500 }, is: error, code: $.code, message: [$.message] }]
`,
    );
  }
  writeFileSync(
    join(folder, 'suite.yaml'),
    `suite: 1
name: keys
variants: { ${Object.keys(SCHEMES)
      .map((scheme) => `${scheme}: { target: own/${scheme} }`)
      .join(', ')} }
prompts: [${PROMPTS.join(', ')}]
repeats: 1
limits: { failures: 100% }
load: { warmup: 0, concurrency: 4 }
`,
  );
  return { folder, home, foreign };
}

/** Every place that may hold no key: files, what was printed, what the other origin was asked. */
function placesOf({ folder, foreign }: World, printed: readonly Ended[]): ReadonlyMap<string, Buffer> {
  return new Map([
    ...filesBelow(folder).map((file) => [file.slice(folder.length), readFileSync(file)] as const),
    ...printed.map(({ stdout, stderr }, at) => [`printed ${at}`, Buffer.from(stdout + stderr)] as const),
    [
      'asked of the other origin',
      Buffer.from(
        JSON.stringify(foreign.seen.map(({ url, headers, body }) => [url.replace(/sig=\w+/, ''), headers, body])),
      ),
    ],
  ]);
}

/** Where a key stands, in which form. */
function findings(places: ReadonlyMap<string, Buffer>, keys: readonly string[]): string[] {
  return [...places].flatMap(([place, content]) =>
    keys.flatMap((key) => [
      ...Object.keys(FORMS)
        .filter((name) => content.includes(trace(name, key)))
        .map((name) => `${place}: ${name}: ${key}`),
      ...(content.includes(Buffer.from(key, 'utf16le').subarray(0, -1)) ? [`${place}: UTF-16: ${key}`] : []),
    ]),
  );
}

it('a key, sent in any way and sent back in any form, is in no file, no output and no request to another origin', async () => {
  const made = await world();
  const { folder, home, foreign } = made;
  const ran = await retakeHere(['run', 'suite.yaml', '--json'], folder, ENV);
  expect(ran.stderr).not.toContain('internal error');
  // Of any variable only the name is kept.
  const kept = filesBelow(join(folder, 'results')).map((file) => readFileSync(file, 'latin1'));
  expect(kept.filter((content) => content.includes('a-private-name'))).toEqual([]);
  expect(kept.filter((content) => content.includes('dropped, ${env.CUSTOMER}')).length).toBeGreaterThan(0);
  const printed = [
    ran,
    await retakeHere(['plan', 'suite.yaml', '--bodies'], folder, ENV),
    await retakeHere(['report', 'results/keys', '--format', 'csv,html,json,markdown', '--out', 'again'], folder, ENV),
    ...(await Promise.all(
      TRIED.map(([scheme, prompt]) =>
        retakeHere(['try', `own/${scheme}`, '--bodies', '--prompt', prompt, '--out', `tried/${scheme}`], folder, ENV),
      ),
    )),
  ];
  for (const file of ['samples.csv', 'report.html', 'analysis.json', 'summary.md']) {
    expect(existsSync(join(folder, 'again', file)), file).toBe(true);
  }
  const submits = home.seen.filter(({ method }) => method === 'POST');
  const credentials = [...new Set(submits.map(credentialOf))];
  // The test would find nothing in requests that were not made, or that carried no key.
  expect(submits.length).toBeGreaterThanOrEqual(PROMPTS.length * Object.keys(SCHEMES).length);
  expect(credentials).not.toContain('');
  expect(credentials).toEqual(expect.arrayContaining(ANSWERED));
  expect(foreign.seen.map(({ url }) => url.split('?')[0])).toEqual(
    expect.arrayContaining(['/m.png', '/elsewhere.png']),
  );

  // An image that holds one is not kept.
  const refused = readFileSync(join(folder, 'again', 'samples.csv'), 'utf8').match(/secret_in_output/g);
  expect(refused?.length).toBeGreaterThanOrEqual(3 * Object.keys(SCHEMES).length);
  expect(printed.map(({ stdout }) => stdout).filter((text) => /secret_in_output/.test(text)).length).toBeGreaterThan(2);

  const places = placesOf(made, printed);
  expect(findings(places, [...Object.values(KEYS), ...credentials])).toEqual([]);
  expect([...places].filter(([, content]) => content.includes(SIGNATURE)).map(([place]) => place)).toEqual([]);
});

it('a defect whose text holds a key is printed, and kept, without it', async () => {
  const made = await world();
  const { folder, home } = made;
  // A fault of the main thread once the first request has come.
  const marker = join(folder, 'asked');
  writeFileSync(
    join(folder, 'crash.mjs'),
    `import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread && process.argv[1]?.endsWith('main.js')) setInterval(() => {
  if (existsSync(${JSON.stringify(marker)})) throw new TypeError('Invalid header value: ' + process.env.HEADER_KEY + '\\nat ' + encodeURIComponent(process.env.QUERY_KEY));
}, 5).unref();
`,
  );
  const waiting = setInterval(() => {
    if (home.seen.length > 0) writeFileSync(marker, '');
  }, 5);
  onTestFinished(() => clearInterval(waiting));
  const ended = await retake(['run', 'suite.yaml'], folder, {
    ...ENV,
    NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'crash.mjs')).href}`,
  });
  expect(ended.code).toBe(5);
  expect(ended.stderr).toContain(
    'internal error in Retake; please report it: TypeError: Invalid header value: [redacted]',
  );
  expect(findings(placesOf(made, [ended]), Object.values(KEYS))).toEqual([]);
});
