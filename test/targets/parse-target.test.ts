import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { expectFaults } from '../fixtures/told-faults.ts';
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

const JUDGE = `target: 1
id: test/judge
kind: judge
base_url: https://h.example
submit:
  path: /chat
  body: { system: "\${judge.instructions}", user: "\${judge.content}", schema: "\${judge.schema}" }
result: { from: text, at: $.answer }
`;
const BASES: Readonly<Record<string, string>> = {
  images: HEAD,
  model: withLines(
    HEAD,
    '  body: { prompt: "${case.prompt}", model: "${const.model}" }\nconst: { model: a }\nconst_types: { model: { known: [a] } }',
  ),
  asks: withLines(
    HEAD,
    '  body: { prompt: "${case.prompt}", n: "${const.n}" }\nconst: { n: 2 }\nresult: { from: body, asks: "${const.n}" }',
  ),
  judge: JUDGE,
};

/** Each line in place of that with the same key; where there is none, in front of those of submit, or behind all. */
function withLines(base: string, lines: string): string {
  return lines.split('\n').reduce((text, line) => {
    const own = new RegExp(`^${/^ *\w+:/.exec(line)?.[0]}.*$`, 'm');
    if (own.test(text)) return text.replace(own, () => line);
    return line.startsWith(' ') ? text.replace('submit:\n', () => `submit:\n${line}\n`) : `${text}${line}\n`;
  }, base);
}

describe('what is wrong with a target is said at its place', () => {
  test('a wrong target is refused with place, cause and remedy', async () => {
    for (const base of Object.values(BASES)) expect(readTarget(base)).toHaveProperty('target');
    await expectFaults('targets', (lines, base) => {
      const read = readTarget(withLines(BASES[base] ?? '', lines));
      return 'wrong' in read ? read.wrong : [];
    });
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
        't.yaml:10:69: "a" is listed as success too; keep one of them',
        't.yaml:11:10: the header "Host" is set by Retake; remove it',
        't.yaml:11:10: a submit that is never sent again needs no key; add submit: idempotent, or remove it',
        't.yaml:8:23: from: body takes no "at"; remove at',
      ],
    });
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
