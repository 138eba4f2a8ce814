import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatDiagnostic, type Source } from '../../src/kit/diagnostic.ts';
import type { Json } from '../../src/kit/json.ts';
import { DEFAULT_LIMITS } from '../../src/media/level.ts';
import type { Case, DeclaredVariant } from '../../src/suite/suite.ts';
import { type ResolvableSuite, resolveVariants } from '../../src/targets/resolve.ts';
import { readSecrets } from '../../src/targets/secrets.ts';
import type { Target } from '../../src/targets/target.ts';
import { expectFaults } from '../fixtures/told-faults.ts';
import { caseWith, targetWith, variantOf } from './target-fixture.ts';

const IMAGES = targetWith({
  const: { model: 'standard', steps: null },
  inputs: {
    seed: { max: 100, claim: 'exact' },
    size: { as: 'ratio', map: { '1:1': 'square', '16:9': 'wide' } },
    pixels: { as: 'pixels', map: { '1:1': '512x512' } },
    style: { as: 'enum', values: ['photo', 'ink'] },
    seconds: { as: 'number', min: 1, max: 10, whole: true },
    negative: { as: 'text' },
  },
  submit: {
    path: '/g',
    body: {
      prompt: '${case.prompt}',
      seed: '${case.seed}',
      model: '${const.model}',
      steps: '${const.steps}',
      size: '${case.size}',
      pixels: "${case.pixels | wxh('x')}",
      style: '${case.style}',
      seconds: '${case.seconds}',
      negative: '${case.negative}',
    },
  },
  price: { per: 'request', usd: 0.01 },
});
const ANIME = targetWith({ kind: 'anime-image', id: 'test/anime' });
const VIDEO = targetWith({
  kind: 'image-to-video',
  id: 'test/video',
  submit: { path: '/v', body: { image: '${case.image | b64}' } },
});
const NAMED = targetWith({ id: 'test/named', submit: { path: '/g', body: { prompt: 'a ${case.style} image' } } });
const TARGETS = new Map<string, Target>([
  ['images', IMAGES],
  ['anime', ANIME],
  ['video', VIDEO],
  ['named', NAMED],
]);

function variant(name: string, target: string, keys: Partial<DeclaredVariant> = {}, line = 1): DeclaredVariant {
  const place = { file: 's.yaml', line, column: 3 };
  const levels = DEFAULT_LIMITS;
  const none = { constants: {}, optional: false, constantSources: {}, baseline: false, price: null, baseUrl: null };
  return { name, target, targetSource: { place, setBy: null, filled: false }, place, ...none, levels, ...keys };
}

function writtenAt(line: number, column: number): Source {
  return { place: { file: 's.yaml', line, column }, setBy: null, filled: false };
}

function suite(variants: readonly DeclaredVariant[], keys: Partial<ResolvableSuite> = {}): ResolvableSuite {
  const limits = { timeoutMs: null, requests: null, usd: null, failures: 0.5 };
  return { variants, cases: [prompt({})], inputSources: {}, seeds: [1], limits, ...keys };
}

function prompt(keys: Partial<Case>): Case {
  const place = { file: 's.yaml', line: 20, column: 5 };
  return caseWith({ kinds: ['text-to-image', 'anime-image', 'text-to-video'], place, ...keys });
}

function wrong(given: ResolvableSuite): readonly string[] {
  const resolved = resolveVariants(given, TARGETS, '2026-11-28');
  return resolved.ok ? [] : resolved.diagnostics.map(formatDiagnostic);
}

test('a variant is its target with constants, a baseline in its kind, price and time limit', () => {
  const resolved = resolveVariants(
    suite([
      variant('a', 'images', { constants: { steps: 4 } }),
      variant('b', 'images', { baseline: true, constants: { model: 'fast' }, price: { per: 'request', usd: 0.5 } }),
      variant('c', 'anime'),
      variant('d', 'anime', { levels: { ...DEFAULT_LIMITS, related: { pdqDistance: 40 } } }),
    ]),
    TARGETS,
    '2026-11-28',
  );
  expect(resolved).toMatchObject({
    ok: true,
    value: [
      {
        name: 'a',
        kind: 'text-to-image',
        baseline: false,
        constants: { model: 'standard', steps: 4 },
        price: { usd: 0.01 },
      },
      { name: 'b', baseline: true, constants: { model: 'fast', steps: null }, price: { usd: 0.5 }, timeoutMs: 120_000 },
      { name: 'c', kind: 'anime-image', baseline: true, price: null, seedRange: { min: 0, max: 4294967295 } },
      { name: 'd', baseline: false, baseUrl: 'http://127.0.0.1:9', levels: { related: { pdqDistance: 40 } } },
    ],
  });
});

test('a variant may be sent to another server with the interface of its target', () => {
  const source = writtenAt(1, 9);
  const own = { baseUrl: { text: 'http://gpu-box:8188/sub/', source } };
  const reference = { baseUrl: { text: 'embedded:', source } };
  const resolved = resolveVariants(
    suite([variant('a', 'images', own), variant('b', 'images', reference)]),
    TARGETS,
    '2026-11-28',
  );
  expect(resolved).toMatchObject({ value: [{ baseUrl: 'http://gpu-box:8188/sub' }, { baseUrl: 'embedded:' }] });
});

describe('a model that ends', () => {
  const target = targetWith({
    id: 'test/ending',
    const: { model: 'old' },
    const_types: {
      model: { known: ['new', 'old'], retires: { old: { on: '2026-12-20', to: 'new' }, older: { on: '2026-10-29' } } },
    },
    submit: { path: '/g', body: { prompt: '${case.prompt}', model: '${const.model}' } },
  });
  const warned = (today: string, constants: Record<string, string> = {}) => {
    const resolved = resolveVariants(
      suite([variant('a', 'ending', { constants })]),
      new Map([['ending', target]]),
      today,
    );
    return resolved.ok ? (resolved.warnings ?? []).map(({ cause, remedy }) => `${cause}; ${remedy}`) : resolved;
  };

  test.each<[string, Record<string, string>, readonly string[]]>([
    ['2026-11-19', {}, []],
    ['2026-11-20', {}, ['"a": its model old ends on 2026-12-20; use new']],
    ['2026-12-20', {}, ['"a": its model old ends on 2026-12-20; use new']],
    ['2026-12-21', {}, ['"a": its model old ended on 2026-12-20; use new']],
    ['2026-12-21', { model: 'new' }, []],
    [
      '2026-11-19',
      { model: 'older' },
      ['"a": its model older ended on 2026-10-29; see which model its provider names in its place'],
    ],
  ])(
    'a model that ends is warned of from 30 days before, never refused: on %s with %j',
    (today, constants, warnings) => {
      expect(warned(today, constants)).toEqual(warnings);
    },
  );
});

test('a price holds for the constants it names; for others it is not known', () => {
  const target = targetWith({
    id: 'test/priced',
    const: { model: 'large' },
    submit: { path: '/g', body: { prompt: '${case.prompt}', model: '${const.model}' } },
    price: [
      { per: 'request', usd: 0.065, when: { model: 'large' } },
      { per: 'request', usd: 0.025, when: { model: ['flash', 'tiny'] } },
    ],
  });
  const asked = ['large', 'tiny', 'other'].map((model) => variant(model, 'priced', { constants: { model } }));
  const own = variant('own', 'priced', { constants: { model: 'other' }, price: { per: 'output', usd: 1 } });
  const resolved = resolveVariants(suite([...asked, own]), new Map([['priced', target]]), '2026-11-28');
  expect(resolved.ok ? resolved.value.map(({ price }) => price) : resolved).toEqual([
    { per: 'request', usd: 0.065 },
    { per: 'request', usd: 0.025 },
    null,
    { per: 'output', usd: 1 },
  ]);
});

test('a variant asks for the outputs that its target makes of its constants, and for a wrong number of them is refused', () => {
  const target = targetWith({
    const: { n: null },
    submit: { path: '/g', body: { prompt: '${case.prompt}', n: '${const.n}' } },
    result: { from: 'body', asks: '${const.n}' },
  });
  const asked = (n: Json) => {
    const constantSources = { n: writtenAt(3, 7) };
    const declared = variant('a', 'asking', { constants: { n }, constantSources });
    const resolved = resolveVariants(suite([declared]), new Map([['asking', target]]), '2026-11-28');
    return resolved.ok ? resolved.value.map(({ asks }) => asks) : resolved.diagnostics.map(formatDiagnostic);
  };
  expect([asked(4), asked('2'), asked(null)]).toEqual([[4], [2], [undefined]]);
  const wrong = (is: string) => [
    `s.yaml:3:7: "a": result.asks is ${is}; set it to the number of outputs that a request asks for: 1 or more`,
  ];
  expect([asked(0), asked('two'), asked(true)]).toEqual([wrong('0'), wrong('"two"'), wrong('true')]);
});

test('a size may be one of the map or written out, and a text is any text', () => {
  const taken = (inputs: Case['inputs']) => wrong(suite([variant('a', 'images')], { cases: [prompt({ inputs })] }));
  expect(taken({ pixels: '1:1', negative: 'blurred' })).toEqual([]);
  expect(taken({ pixels: '640x480', negative: 7 })).toEqual([]);
  expect(taken({ pixels: '16:9' })).toEqual([
    's.yaml:20:5: prompt "fox" for test/images: the input "pixels" may not be "16:9"; the target takes 1:1',
  ]);
});

describe('what does not fit', () => {
  test('a suite whose variants, prompts or seeds do not fit is refused', async () => {
    await expectFaults('variants', (line) => {
      const { seeds = [1], inputs = {}, ...variants } = parse(line);
      const declared = Object.entries<[string, Partial<DeclaredVariant>?]>(variants);
      return wrong(
        suite(
          declared.map(([name, [target, keys]], at) => variant(name, target, keys, at + 1)),
          { seeds, cases: [prompt({ inputs })] },
        ),
      );
    });
  });

  test('an input for one kind may be left out by another, and a null takes it back', () => {
    const inputs = { size: '1:1', seconds: '3', style: null };
    expect(wrong(suite([variant('a', 'images'), variant('c', 'anime')], { cases: [prompt({ inputs })] }))).toEqual([]);
  });
});

describe('secrets', () => {
  const auth = { in: 'header', name: 'Authorization', value: 'Bearer ${secret.API_KEY}' };
  const hosted = variantOf(targetWith({ auth, base_url: 'https://api.example.com' }));

  test('secrets come from the environment and nowhere else', () => {
    expect(readSecrets([hosted, hosted], { API_KEY: 'sk-0123456789', OTHER: 'o' })).toEqual({
      ok: true,
      value: { API_KEY: 'sk-0123456789' },
      warnings: [],
    });
    const cause = 'the environment variable API_KEY has fewer than 8 characters, so it is not a real key';
    expect(readSecrets([hosted], { API_KEY: 'k' })).toMatchObject({ ok: true, warnings: [{ place: null, cause }] });
  });

  test.each([[{}], [{ API_KEY: '' }], [{ API_KEY: 'k\n' }]])(
    'the secret %j gets a diagnostic that does not show the value',
    (env) => {
      const read = readSecrets([hosted, hosted], env);
      expect(read.ok ? [] : read.diagnostics.map(({ cause }) => cause)).toEqual([expect.stringContaining('API_KEY')]);
    },
  );

  const SHORTENED = 'holds a shortened key, with dots or stars for the rest; copy the whole key';
  test.each([
    ['sk-abc…123', SHORTENED],
    ['sk-abc...123', SHORTENED],
    ['sk-abc****123', SHORTENED],
    ['"sk-0123456789"', 'holds quotes around the key; set it to the key alone'],
    ["'sk-0123456789'", 'holds quotes around the key; set it to the key alone'],
    ['“sk-0123456789”', 'holds quotes around the key; set it to the key alone'],
    ['Bearer sk-0123456789', 'begins with "bearer", which the target writes itself; set it to the key alone'],
    ['sk-01234ключ', 'holds a letter or sign that no key has; set it to the key alone'],
    ['sk-0123456789\n', 'holds a line break, spaces around it or control characters; set it to the key alone'],
  ])('the secret %j is refused with what is wrong with it', (value, said) => {
    const read = readSecrets([hosted], { API_KEY: value });
    const lines = read.ok ? [] : read.diagnostics.map(({ cause, remedy }) => `${cause}; ${remedy}`);
    expect(lines).toEqual([`the environment variable API_KEY ${said}`]);
  });

  test('a secret with "Bearer" is taken where the target does not write it', () => {
    const plain = variantOf(
      targetWith({ auth: { ...auth, value: '${secret.API_KEY}' }, base_url: 'https://api.example.com' }),
    );
    expect(readSecrets([plain], { API_KEY: 'Bearer sk-0123456789' }).ok).toBe(true);
  });

  test('a secret that is not set is not asked for by a server on this machine', () => {
    const local = variantOf(targetWith({ auth, base_url: 'http://127.0.0.1:8000' }));
    expect(readSecrets([local], {})).toMatchObject({ ok: true, value: {} });
    expect(readSecrets([local], { API_KEY: 'k' })).toMatchObject({ ok: true, value: { API_KEY: 'k' } });
    expect(readSecrets([local, hosted], {}).ok).toBe(false);
  });

  test('secrets are not asked for by the reference service of the run', () => {
    const embedded = variantOf(targetWith({ auth, base_url: 'embedded:' }));
    expect(readSecrets([embedded], {})).toEqual({ ok: true, value: {}, warnings: [] });
  });
});
