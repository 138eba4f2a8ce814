import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTarget, SMALLEST } from './target-fixture.ts';

function presetFile(name: string): string {
  return fileURLToPath(new URL(`../../suites/targets/reference/${name}.yaml`, import.meta.url));
}

test.each([
  ['text-to-image', '/v2/image/generations'],
  ['anime-image', '/v2/anime/generations'],
])('the preset reference/%s', async (name, path) => {
  const text = await readFile(presetFile(name), 'utf8');
  const read = readTarget(text);
  expect(read).toMatchObject({
    target: {
      id: `reference/${name}`,
      kind: name,
      baseUrl: 'embedded:',
      submit: { method: 'POST', path: [{ text: path }] },
      inputs: { seed: { min: 0, max: 4294967295, claim: 'exact' } },
      secrets: ['RETAKE_API_KEY'],
    },
  });
  expect(readTarget(text, { RETAKE_BASE_URL: 'https://images.example.com/' })).toMatchObject({
    target: {
      baseUrl: 'https://images.example.com',
      environment: { RETAKE_BASE_URL: expect.stringMatching(/^[0-9a-f]{64}$/) },
      declared: { base_url: '${env.RETAKE_BASE_URL:-embedded:}' },
    },
  });
});

test('a target is plain data', async () => {
  const read = readTarget(await readFile(presetFile('text-to-image'), 'utf8'));
  const target = 'target' in read ? read.target : null;
  expect(target).not.toBeNull();
  expect(structuredClone(target)).toEqual(target);
});

const HEAD = `target: 1
id: test/images
kind: text-to-image
base_url: https://h.example
submit:
  path: /generate
  body: { prompt: "\${case.prompt}" }
result: { from: body }
`;

/** Asks for as many outputs. */
const asking = (asks: string) =>
  `${HEAD}const: { n: 2 }\n`
    .replace('from: body', `from: body, asks: "${asks}"`)
    .replace('"${case.prompt}"', '"${case.prompt}", n: "${const.n}"');

const with39 = (keys: string) =>
  `${HEAD}const: { model: a }
const_types: { model: { known: [a] } }
${keys}
`.replace('{ prompt: "${case.prompt}" }', '{ prompt: "${case.prompt}", model: "${const.model}" }');
const retiring = (retires: string) => with39('').replace('{ known: [a] }', `{ known: [a], retires: ${retires} }`);

describe('what is wrong with the end of a model, a cost or what a server says is said at its place', () => {
  test.each([
    [retiring('{ b: 2026-12-01 }'), 't.yaml:10:'],
    [retiring('{ b: { on: tomorrow } }'), 'must be a day; write 2026-10-29'],
    [retiring('{ b: { on: 2026-13-01 } }'), 'must be a day; write 2026-10-29'],
    [retiring('{ b: { on: 2026-12-01T00:00:00Z } }'), 'must be a day; write 2026-10-29'],
    [retiring('{ b: { on: 20261201 } }'), 't.yaml:10:'],
    [retiring('{ b: { to: [a] } }'), 't.yaml:10:'],
    [retiring('{ b: { on: 2026-12-01, to: aa } }'), '"aa" is not listed for the constant model; did you mean "a"?'],
    [retiring('{ b: { on: 2026-12-01, at: x } }'), 'unknown key "at"'],
    [retiring('[b]'), 't.yaml:10:'],
    [
      with39('').replace('{ known: [a] }', '{ type: int, retires: { b: {} } }').replace('{ model: a }', '{ model: 1 }'),
      'unknown key "retires"',
    ],
    [with39('').replace('{ known: [a] }', '{ retires: { b: {} } }'), 't.yaml:10:'],
    [with39('seen: 2026-11-26'), 't.yaml:11:7: '],
    [with39('seen: { on: 2026-11-26 }'), 'at'],
    [with39('seen: { at: "https://h.test" }'), 'on'],
    [with39('seen: { on: 26.11.2026, at: "https://h.test" }'), 'must be a day; write 2026-11-26'],
    [with39('seen: { on: 2026-11-26, at: my desk }'), 'must be a URL; write https://...'],
    [with39('seen: { on: 2026-11-26, at: "ftp://h.test/x" }'), 'must be a URL; write https://...'],
    [with39('seen: { on: 2026-11-26, at: "https://h.test", by: me }'), 'unknown key "by"'],
    [with39('meta: { model: modelVersion }'), '"modelVersion" is not a valid locator'],
    [with39('meta: { model: [] }'), 't.yaml:11:'],
    [with39('meta: { modle: $.m }'), 'unknown key "modle"; did you mean "model"?'],
    [with39('meta: { prompt: "$.a[" }'), 'is not a valid JSONPath'],
    [with39('meta: { stages: $.stages }'), 't.yaml:11:'],
    [with39('meta: { stages: { "VAE decode": $.d } }'), 'must be a name such as vae_decode'],
    [with39('meta: { stages: { decode: { at: $.d, unit: m } } }'), 't.yaml:11:'],
    [with39('meta: { stages: { decode: { at: $.d, unit: ms, of: 1 } } }'), 't.yaml:11:'],
    [with39('meta: { memory_mb: 512 }'), 't.yaml:11:'],
    [with39('meta: { usage: [$.a] }'), 't.yaml:11:'],
    [with39('meta: { usage: { 1st: $.a } }'), 'must be a name such as vae_decode'],
    [with39('meta: { cost_usd: { sum: [] } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: { sum: [$.a] } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: { sum: [{ at: $.a }] } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: { sum: [{ at: $.a, each: 0 }] } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: { sum: [{ at: $.a, each: -1 }] } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: { at: $.a, each: 1, optional: true } }'), 't.yaml:11:'],
    [with39('meta: { cost_usd: [{ when: { mode: x }, at: $.a, each: 1 }] }'), 'the cost 1 names the constant "mode"'],
    [with39('meta: { cost_usd: { sum: [{ at: a, each: 1 }] } }'), '"a" is not a valid locator'],
  ])('a target %j: %s', (text, expected) => {
    const read = readTarget(text);
    expect(read).toMatchObject({ wrong: [expect.stringContaining(expected)] });
  });
});

describe('what is wrong with a target is said at its place', () => {
  test.each([
    [HEAD.replace('kind:', 'knid:'), 't.yaml:3:1: unknown key "knid"; did you mean "kind"?'],
    [HEAD.replace('text-to-image', 'text-to-imgae'), 'did you mean "text-to-image"?'],
    [
      HEAD.replace('${case.prompt}', '${cas.prompt}'),
      't.yaml:7:19: unknown namespace "cas" in "${cas.prompt}" at character 1; did you mean "case"?',
    ],
    [
      HEAD.replace('${case.prompt}', 'a ${case.prompt | strr}'),
      't.yaml:7:19: unknown filter "strr" at character 3; did you mean "str"?',
    ],
    [
      HEAD.replace('${case.prompt}', '${job.id}'),
      't.yaml:7:19: "job.id" is not known here; use it in a request after the submit, whose reply gives it',
    ],
    [
      HEAD.replace('${case.prompt}', '${run.id}'),
      't.yaml:7:19: "run.id" cannot be used here; use run.jwt in auth.value with sign, and run.unique in submit',
    ],
    [HEAD.replace('/generate', 'generate'), 't.yaml:6:9: the path "generate" is not below base_url; begin it with "/"'],
    [
      HEAD.replace('https://h.example', 'ftp://h.example'),
      't.yaml:4:11: "ftp://h.example" is not an absolute http or https URL; write https://host/path',
    ],
    [
      HEAD.replace('https://h.example', 'https://me:pw@h.example'),
      't.yaml:4:11: the base URL holds a user or password; put credentials into auth of the target, from ${secret.NAME}',
    ],
    [
      HEAD.replace('https://h.example', '${env.NOT_SET_HERE}'),
      't.yaml:4:11: the environment variable NOT_SET_HERE is not set',
    ],
    [
      HEAD.replace('{ from: body }', '{ from: url }'),
      't.yaml:8:17: from: url needs "at", the location of the URL; add at: a locator',
    ],
    [HEAD.replace('{ from: body }', '{ from: url, at: data.url }'), 't.yaml:8:26: "data.url" is not a valid locator'],
    [
      asking('${const.m}'),
      't.yaml:8:23: the number of outputs names the constant "m", which no template uses; name a constant of submit',
    ],
    [asking('${case.seed}'), 't.yaml:8:29: "case.seed" cannot be used here; use const'],
    [asking('${const.n'), 't.yaml:8:29: '],
    [asking('x${const.n}'), 't.yaml:8:29: result.asks is "x2"; make it a whole number from 1'],
    [asking('${const.n}').replace('n: 2', 'n: 0'), 't.yaml:8:29: result.asks is 0; make it a whole number from 1'],
    [asking('${const.n}').replace('n: 2', 'n: 1.5'), 't.yaml:8:29: result.asks is 1.5; make it a whole number from 1'],
    [asking('2').replace('"2"', '0'), 't.yaml:8:29: '],
    [`${HEAD}fail: [{ when: { at: "$.a[" }, is: error }]\n`, 't.yaml:9:22: "$.a[" is not a valid JSONPath'],
    [`${HEAD}fail: [{ when: {}, is: error }]\n`, 't.yaml:9:16: this rule would match every reply; add status or at'],
    [
      `${HEAD}fail: [{ when: { status: 500 }, is: error, after: ["header:retry-after"] }]\n`,
      '"after" is only for throttled replies',
    ],
    [
      `${HEAD}fail: [{ when: { status: [400, 4xx] }, is: rejected }, { when: { status: 429, at: $.x }, is: throttled }]\n`,
      't.yaml:9:56: this rule can never match: rule 1 matches all of its statuses; put it before that rule',
    ],
    [
      `${HEAD}wait: { capture: { id: $.id }, poll: { path: "/\${job.id}", min_every: 0ms }, state: { at: $.s } }\n`,
      't.yaml:9:71: "min_every" must be more than 0, at most 1e15 ms; write for example 10s',
    ],
    [
      `${HEAD}wait: { capture: { id: $.id }, poll: { path: "/\${job.id}", min_every: 99999999999999s }, state: { at: $.s } }\n`,
      't.yaml:9:71: "min_every" must be more than 0, at most 1e15 ms; write for example 10s',
    ],
    [`${HEAD}fail: [{ when: { status: 9xx }, is: error }]\n`, 'must be a status; write 429 or 4xx'],
    [
      `${HEAD}const: { model: a }\n`,
      't.yaml:9:10: no template uses "model"; put ${const.model} into submit, or remove it',
    ],
    [
      `${HEAD}inputs: { size: { as: ratio } }\n`,
      't.yaml:9:11: no template uses "size"; put ${case.size} into submit, or remove it',
    ],
    [
      `${HEAD}origins: { auth: ["*"] }\n`,
      't.yaml:9:19: credentials cannot go to every host; name the origins that need them',
    ],
    [
      HEAD.replace('body:', 'encoding: multipart\n  headers: { Content-Type: text/plain }\n  body:'),
      't.yaml:8:14: the content type of multipart',
    ],
    [`${HEAD}origins: { download: [cdn] }\n`, '"cdn" is not a valid origin'],
    [
      `${HEAD}auth: { in: header, name: Host, value: "\${secret.KEY}" }\n`,
      't.yaml:9:21: the header "Host" is set by Retake; remove it',
    ],
    [
      `${HEAD}auth: { in: header, name: Authorization, value: "\${case.prompt}" }\n`,
      '"case.prompt" cannot be used here; use secret, const',
    ],
  ])('a wrong target is refused at its place: %#', (text, wrong) => {
    expect(readTarget(text)).toEqual({ wrong: [expect.stringContaining(wrong)] });
  });

  const auth = (value: string) => `auth: { in: header, name: Authorization, value: "${value}" }\n`;
  const sign = 'sign: { as: jwt-hs256, key: "${secret.SK}", claims: { iss: "${secret.AK}" } }\n';
  test.each([
    [`${HEAD}${sign}`, 't.yaml:9:1: no template uses the token; add auth with "${run.jwt}"'],
    [HEAD + sign + auth('Bearer x'), 'sign needs the token exactly once'],
    [HEAD + sign + auth('${run.jwt} ${run.jwt}'), 'sign needs the token exactly once'],
    [HEAD + sign + auth('${run.jwt | b64}'), 'sign needs the token exactly once'],
    [HEAD + auth('${run.jwt}'), '"run.jwt" cannot be used here'],
    [`${HEAD}retry: { submit: idempotent }\n`, 't.yaml:9:18: without a key'],
    [`${HEAD}retry: { key_header: x-key }\n`, 't.yaml:9:10: a submit that is never sent'],
    [`${HEAD}retry: { submit: idempotent, key_header: "a b" }\n`, '"a b" is not a valid header name'],
    [
      HEAD.replace('body: { prompt: "${case.prompt}" }', 'set: { /a: 1 }'),
      't.yaml:7:3: "set" needs body_file; add body_file',
    ],
  ])('a target is told what is wrong with signatures, keys and stored bodies: %#', (text, wrong) => {
    expect(readTarget(text)).toEqual({ wrong: [expect.stringContaining(wrong)] });
  });

  const job = (poll: string, state = '{ at: $.s, success: [done] }', more = '') =>
    `${HEAD}wait: { capture: { id: $.id }, poll: ${poll}, state: ${state} }\n${more}`;
  const path = '{ path: "/j/${job.id}" }';
  test.each([
    [
      job('{ path: "/j/${job.di}" }'),
      't.yaml:9:46: "job.di" is not captured by an earlier request; did you mean "id"?',
    ],
    [job('{ path: "/j/${case.prompt}" }'), 'use job, const'],
    [job('{ path: "/j/${secret.KEY}" }'), 'use job, const'],
    [job('{ path: "j" }'), 'the path "j" is not below base_url'],
    [job('{ min_every: 1s }'), 'needs exactly one of `path` and `url`; write either path or url'],
    [job('{ path: /a, url: /b }'), 'write either path or url'],
    [job('{ path: /a, headers: { Host: x } }'), '"Host" is set by Retake'],
    [
      job('{ url: "https://queue.example/j/${job.id}" }'),
      't.yaml:9:45: https://queue.example is not one of the origins; add it to origins.auth or origins.download',
    ],
    [job(path, '{ at: $.s, running: [a] }'), 'nothing says that a job is done'],
    [job(path, '{ at: $.s, success: [a], running: [a] }'), '"a" is listed as success too; keep one of them'],
    [job(path, '{ at: $.s, success: { not: [a] }, running: { not: [b] } }'), 'only one state can be declared with not'],
    [job(path, '{ at: s, success: [a] }'), '"s" is not a valid locator'],
    [`${HEAD}wait: { poll: { path: /x } }\n`, 't.yaml:9:1: "wait" has no state; add poll and state'],
    [
      `${HEAD}wait: { events: { done: [] } }\n`,
      't.yaml:9:9: nothing says that a job is done; add done: a list of values',
    ],
    [
      job(path).replace('poll:', 'events: { done: [d] }, poll:'),
      'events and polls exclude each other; keep events, or poll and state',
    ],
    [`${HEAD}wait: {}\n`, 't.yaml:9:1: "wait" is empty; add capture, poll and state'],
    [
      job(path, undefined, 'fetch: [{ path: "/f/${job.file}" }, { path: "/g", capture: { file: $.f } }]\n'),
      '"job.file" is not captured by an earlier request',
    ],
    [`${HEAD}wait: { capture: { "a.b": $.id } }\n`, '"a.b" cannot be named in a template'],
  ])('a target is told what is wrong with a job: %#', (text, wrong) => {
    expect(readTarget(text)).toEqual({ wrong: [expect.stringContaining(wrong)] });
  });

  const judge = `target: 1
id: test/judge
kind: judge
base_url: https://h.example
submit:
  path: /chat
  body: { system: "\${judge.instructions}", user: "\${judge.content}", schema: "\${judge.schema}" }
result: { from: text, at: $.answer }
`;
  test.each([
    [judge.replace('text, at: $.answer', 'body'), 't.yaml:8:17: a judge answers with text; write from: text'],
    [judge.replace('text', 'url'), 't.yaml:8:17: a judge answers with text; write from: text'],
    [
      judge.replace(', at: $.answer', ''),
      't.yaml:8:17: from: text needs "at", the location of the text; add at: a locator',
    ],
    [
      HEAD.replace('body }', 'text, at: $.answer }'),
      't.yaml:8:17: only a judge answers with text; write body, url, b64 or data_uri, or kind: judge',
    ],
    [`${judge}inputs: { size: { as: ratio } }\n`, 't.yaml:9:11: a judge takes no inputs; remove inputs'],
    [
      judge.replace('judge.schema', 'judge.shcema'),
      't.yaml:5:1: a template names "judge.shcema"; did you mean "schema"?',
    ],
    [
      judge.replace('judge.content', 'judge.contnet'),
      't.yaml:5:1: a template names "judge.contnet"; did you mean "content"?',
    ],
    [
      judge.replace('judge.content', 'judge.schema'),
      't.yaml:5:1: a judge must be shown the outputs; put ${judge.content} into submit.body',
    ],
    [`${judge}price: { per: output, usd: 0.01 }\n`, 't.yaml:9:1: a judge has a price per request; write per: request'],
    [
      `${judge}price: [{ per: request, usd: 1 }, { per: second, usd: 1 }]\n`,
      't.yaml:9:1: a judge has a price per request; write per: request',
    ],
    [
      HEAD.replace('case.prompt', 'judge.content'),
      't.yaml:7:19: "judge.content" cannot be used here; use case, const, secret, run.unique',
    ],
    [
      judge.replace('judge.instructions', 'case.prompt'),
      't.yaml:7:19: "case.prompt" cannot be used here; use judge, const, secret, run.unique',
    ],
    [judge.replace('kind: judge', 'kind: jugde'), 't.yaml:3:7: "kind" must not be "jugde"; did you mean "judge"?'],
  ])('a target is told what is wrong with a judge: %#', (text, wrong) => {
    expect(readTarget(judge)).toMatchObject({ target: { kind: 'judge', result: { from: 'text' } } });
    expect(readTarget(text)).toEqual({ wrong: [wrong] });
  });

  test('every fault is named, not only the first', () => {
    const read = readTarget(`${HEAD.replace('${case.prompt}', '${cas.a}')}const: { a: 1, b: 2 }\n`);
    expect('wrong' in read ? read.wrong.length : 0).toBe(3);
  });

  test('beside the faults of single fields those that fields make together are named, but none that only follows', () => {
    const text = HEAD.replace('body:', 'bodi:').replace('{ from: body }', '{ from: body, at: $.x }');
    const more = 'const: { model: a }\nwait: { poll: { path: j }, state: { at: $.s, success: [a], running: [a] } }\n';
    expect(readTarget(`${text}${more}retry: { key_header: Host }\n`)).toEqual({
      wrong: [
        't.yaml:7:3: unknown key "bodi"; did you mean "body"?',
        't.yaml:10:23: the path "j" is not below base_url; begin it with "/", or write url',
        't.yaml:11:10: the header "Host" is set by Retake; remove it',
        't.yaml:11:10: a submit that is never sent again needs no key; add submit: idempotent, or remove it',
        't.yaml:10:69: "a" is listed as success too; keep one of them',
        't.yaml:8:23: from: body takes no "at"; remove at',
      ],
    });
  });

  test('any document is a target or has diagnostics', () => {
    const keys = fc.constantFrom(
      'submit',
      'result',
      'auth',
      'inputs',
      'fail',
      'meta',
      'origins',
      'const',
      'wait',
      'retry',
    );
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 })), (changes) => {
        const read = readTarget(JSON.stringify({ ...SMALLEST, ...changes }));
        if ('wrong' in read) expect(read.wrong.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a key that takes locators', () => {
  test('a key that takes locators takes one as it takes a list of them, for times too', () => {
    const rule = (after: unknown) => ({
      when: { status: 429 },
      is: 'throttled',
      after,
      code: '$.code',
      message: '$.message',
    });
    const read = (after: unknown, inference: unknown) =>
      readTarget(JSON.stringify({ ...SMALLEST, fail: [rule(after)], meta: { inference, seed: 'header:x-seed' } }));
    const one = read('header:retry-after', { at: '$.ms', unit: 'ms' });
    const many = read(['header:retry-after'], [{ at: ['$.ms'], unit: 'ms' }]);
    const { fail, meta } = 'target' in one ? one.target : { fail: one.wrong, meta: null };
    expect({ fail, meta }).toMatchObject({
      fail: [{ after: [{ locators: [{ at: 'header', name: 'retry-after' }] }] }],
    });
    expect('target' in many ? { fail: many.target.fail, meta: many.target.meta } : many.wrong).toEqual({ fail, meta });
    expect(read('headr:retry-after', '$.ms')).toEqual({ wrong: [expect.stringMatching(/^t\.yaml:1:\d+: /)] });
  });
});
