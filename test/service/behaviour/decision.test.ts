import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accepted } from '../../../src/kit/diagnostic.ts';
import {
  type AskedRequest,
  type BehaviourDecision,
  decide,
  NO_MEMORY,
} from '../../../src/service/behaviour/decision.ts';
import { type Behaviour, parseBehaviour } from '../../../src/service/parse-behaviour.ts';

function behaviourOf(...rules: string[]): Behaviour {
  return accepted(
    parseBehaviour(`behaviour: 1\nseed: 3\nrules:\n${rules.map((rule) => `  - { ${rule} }\n`).join('')}`, 'b'),
  );
}

type Change = Partial<AskedRequest['generation']> & { readonly route?: AskedRequest['route']; readonly nowMs?: number };

function ask({ route = 'image', nowMs = 0, ...change }: Change = {}): AskedRequest {
  return {
    generation: { prompt: 'A red fox', style: 'realistic', ratio: '1:1', model: 'standard', seed: 1, ...change },
    route,
    nowMs,
  };
}

/** The plans of requests that come one after the other. */
function plans(behaviour: Behaviour, requests: readonly AskedRequest[]): BehaviourDecision[] {
  let memory = NO_MEMORY;
  return requests.map((request) => {
    const decided = decide(behaviour, memory, request);
    memory = decided.memory;
    return decided.plan;
  });
}

const many = (count: number) => Array.from({ length: count }, () => ask());

function only(rule: string, change: Change = {}): BehaviourDecision {
  const [plan] = plans(behaviourOf(rule), [ask(change)]);
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

test('an honest service does what it was asked', () => {
  const { plan } = decide({ seed: 1, rules: [] }, NO_MEMORY, ask());
  expect(plan).toMatchObject({
    fired: [],
    refusal: null,
    delayMs: 0,
    seed: 1,
    echo: 'used',
    changes: {},
    neverEnds: null,
  });
  expect(decide({ seed: 1, rules: [] }, NO_MEMORY, ask({ seed: null })).plan.seed).toBe('random');
});

describe('which requests a rule is for', () => {
  test.each<[string, Change, boolean]>([
    ['model: fast', { model: 'fast' }, true],
    ['model: fast', { model: 'standard' }, false],
    ['route: anime', { route: 'anime' }, true],
    ['route: anime', {}, false],
    ['prompt: RED', {}, true],
    ['prompt: cat', {}, false],
    ['model: standard, prompt: cat', {}, false],
    ['probability: 0', {}, false],
    ['probability: 1', {}, true],
  ])('when: { %s } and %o: %s', (when, change, expected) => {
    expect(only(`one_bit: {}, when: { ${when} }`, change).fired).toEqual(expected ? ['one_bit'] : []);
  });

  test.each([
    ['every: 3', '..x..x..x.'],
    ['after: 4', '....xxxxxx'],
    ['first: 2', 'xx........'],
    ['after: 2, first: 3', '..xxx.....'],
    ['after: 1, every: 2', '..x.x.x.x.'],
    ['after: 1, first: 4, every: 2', '..x.x.....'],
  ])('a rule with when: { %s } fires over ten requests: %s', (when, expected) => {
    const made = plans(behaviourOf(`one_bit: {}, when: { ${when} }`), many(10));
    expect(made.map((plan) => (plan.fired.length > 0 ? 'x' : '.')).join('')).toBe(expected);
  });

  test('only requests that a rule is for are counted by it', () => {
    const asked = [ask({ model: 'fast' }), ask(), ask({ model: 'fast' }), ask()];
    const made = plans(behaviourOf('one_bit: {}, when: { model: fast, every: 2 }'), asked);
    expect(made.map((plan) => plan.fired.length)).toEqual([0, 0, 1, 0]);
  });

  test('the chance of a rule has the declared share, and is the same again', () => {
    const behaviour = behaviourOf('one_bit: {}, when: { probability: 0.3 }');
    const fired = () => plans(behaviour, many(2000)).map((plan) => plan.fired.length);
    const count = fired().reduce((sum, n) => sum + n, 0);
    expect(Math.abs(count - 600)).toBeLessThan(4 * 20.5);
    expect(fired()).toEqual(fired());
  });

  test('whether one rule fires does not depend on the rules behind a refusal', () => {
    const seldom = 'one_bit: {}, when: { probability: 0.5 }';
    const first = plans(behaviourOf('latency: { constant: 1s }', seldom), many(50));
    const refused = plans(behaviourOf('error: { status: 500 }, when: { every: 2 }', seldom), many(50));
    for (const [i, { refusal, fired }] of refused.entries()) {
      if (refusal === null) expect(fired.includes('one_bit')).toBe(first[i]?.fired.includes('one_bit'));
      else expect(fired).toEqual(['error']);
    }
  });
});

describe('what a rule does', () => {
  test.each<[string, Change, Partial<BehaviourDecision>]>([
    ['latency: { constant: 250ms }', {}, { delayMs: 250, fired: ['latency'] }],
    ['latency: { stall: { probability: 1, for: 5s } }', {}, { delayMs: 5000 }],
    ['latency: { lognormal: { median: 2s, sigma: 0 } }', {}, { delayMs: 2000 }],
    ['stall: { at: 2s, for: 3s }', {}, { stalls: [{ name: 'stall', fromMs: 2000, untilMs: 5000 }], fired: [] }],
    ['moderation: { answer: blank }', {}, { changes: { blank: true }, refusal: null, fired: ['moderation'] }],
    ['moderation: { answer: blank }', { route: 'text-to-video' }, { changes: {}, fired: ['moderation'] }],
    ['seed_ignored: {}', {}, { seed: 'random', echo: 1 }],
    ['seed_ignored: { echo: used }', {}, { seed: 'random', echo: 'used' }],
    ['seed_ignored: { echo: none }', {}, { seed: 'random', echo: 'none' }],
    ['seed_ignored: {}', { seed: null }, { seed: 'random', echo: 'used' }],
    ['seed_omitted: { seed: 42 }', { seed: null }, { seed: 42, echo: 'used', fired: ['seed_omitted'] }],
    ['seed_omitted: { seed: 42 }', { seed: 7 }, { seed: 7, fired: [] }],
    ['mismatch: {}', {}, { echo: 1, fired: ['mismatch'] }],
    ['mismatch: {}', { seed: null }, { seed: 'random', fired: [] }],
    ['cached: {}', {}, { cache: { name: 'cached', header: null }, fired: [] }],
    ['cached: { header: x-cache }', {}, { cache: { name: 'cached', header: 'x-cache' } }],
    ['batch_dependent: {}', {}, { changes: { batchDependent: true }, batchRule: 'batch_dependent', fired: [] }],
    ['one_bit: {}', {}, { changes: { oneBit: true }, fired: ['one_bit'] }],
    ['blurred: {}', {}, { changes: { blurRadius: 2 }, fired: ['blurred'] }],
    ['mirrored: {}', {}, { changes: { mirrored: true }, fired: ['mirrored'] }],
    ['small: {}', {}, { small: true, fired: ['small'] }],
    ['small: {}', { route: 'text-to-video' }, { small: false, fired: [] }],
    ['stages: {}', {}, { stages: true, fired: ['stages'] }],
    ['metadata_noise: {}', {}, { metadataNoise: true, fired: ['metadata_noise'] }],
    ['slow_worker: { factor: 1.2 }', {}, { slowdown: 1.2, fired: ['slow_worker'] }],
    ['crash: {}', {}, { crash: true, fired: ['crash'] }],
    ['html: {}', {}, { delivery: { kind: 'html', settings: { status: 200 } }, fired: ['html'] }],
    ['truncated_body: {}', {}, { delivery: { kind: 'truncated_body', settings: { keep: 0.5 } } }],
  ])('the effect %s for %o', (rule, change, expected) => {
    expect(only(rule, change)).toMatchObject(expected);
  });

  test('a mismatch draws with another seed than it says', () => {
    expect(only('mismatch: {}').seed).not.toBe(1);
  });

  test('an error is refused with its headers', () => {
    const { refusal } = only('error: { status: 503, code: busy, message: Later, retry_after: 1500ms }');
    expect(refusal).toEqual({ status: 503, code: 'busy', message: 'Later', headers: { 'retry-after': '2' } });
  });

  test('the first of several refusals and deliveries holds; delays add up', () => {
    const refused = behaviourOf('error: { status: 500 }', 'error: { status: 501 }', 'latency: { constant: 1s }');
    expect(plans(refused, [ask()])[0]).toMatchObject({ refusal: { status: 500 }, delayMs: 0, fired: ['error'] });
    const delays = ['latency: { constant: 1s }', 'latency: { constant: 2s }'];
    const delivered = behaviourOf('html: {}', 'truncated_body: {}', ...delays);
    expect(plans(delivered, [ask()])[0]).toMatchObject({
      delivery: { kind: 'html' },
      delayMs: 3000,
      fired: ['html', 'latency', 'latency-2'],
    });
  });

  test('lognormal delays have their median', () => {
    const behaviour = behaviourOf('latency: { lognormal: { median: 100ms, sigma: 0.5 } }');
    const delays = plans(behaviour, many(1001)).map((plan) => plan.delayMs);
    const median = delays.sort((a, b) => a - b)[500];
    expect(median).toBeGreaterThan(92);
    expect(median).toBeLessThan(108);
  });
});

describe('a rate limit', () => {
  const behaviour = behaviourOf('rate_limit: { requests: 2, per: 1s }');
  const plansAt = (timesMs: readonly number[]) =>
    plans(
      behaviour,
      timesMs.map((nowMs) => ask({ nowMs })),
    );

  test('a rate limit admits so many requests in any window, and says when the next is admitted', () => {
    const made = plansAt([0, 400, 600, 999, 1000, 1399, 1400]);
    expect(made.map((plan) => plan.refusal?.status ?? 200)).toEqual([200, 200, 429, 429, 200, 429, 200]);
    expect(made[0]?.headers).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '1',
    });
    expect(made[2]).toMatchObject({
      fired: ['rate_limit'],
      refusal: { code: 'rate_limited', headers: { 'retry-after': '1', 'retry-after-ms': '400' } },
      headers: { 'x-ratelimit-remaining': '0' },
    });
  });

  test('a rate limit never admits more than declared in a window, and a client that waits as asked is admitted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(700), { maxLength: 60 }), (gaps) => {
        let nowMs = 0;
        const times = gaps.map((gap) => {
          nowMs += gap;
          return nowMs;
        });
        const made = plansAt(times);
        const admitted = times.filter((_, i) => made[i]?.refusal === null);
        for (const time of admitted) {
          expect(admitted.filter((other) => other > time - 1000 && other <= time).length).toBeLessThanOrEqual(2);
        }
        const last = made.at(-1)?.refusal?.headers?.['retry-after-ms'];
        if (last === undefined) return;
        const again = plansAt([...times, nowMs + Number(last)]);
        expect(again.at(-1)?.refusal).toBeNull();
      }),
    );
  });
});

test('a job never ends by its rule, which counts no images and is not left by a refusal', () => {
  const [image, first, second] = plans(behaviourOf('job_never_ends: {}, when: { every: 2 }'), [
    ask(),
    ask({ route: 'image-to-video' }),
    ask({ route: 'image-to-video' }),
  ]);
  expect([image, first, second].map((plan) => plan?.neverEnds)).toEqual([null, null, 'job_never_ends']);
  const refused = behaviourOf('job_never_ends: {}', 'error: { status: 500 }');
  expect(plans(refused, [ask({ route: 'text-to-video' })])[0]?.neverEnds).toBeNull();
});
