import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/kit/document.ts';
import { DEFAULT_LIMITS } from '../../../src/media/level.ts';
import { expandPlan } from '../../../src/plan/expand.ts';
import type { PlanInput } from '../../../src/plan/order/order.ts';
import { isMeasured } from '../../../src/plan/plan.ts';
import { CACHE_PAIRS, findSkippedProbes } from '../../../src/plan/probes.ts';
import type { Trial } from '../../../src/plan/trial.ts';
import { type Case, PROBES } from '../../../src/suite/suite.ts';
import { parseTarget } from '../../../src/targets/parse-target.ts';
import { resolveVariants } from '../../../src/targets/resolve.ts';
import type { Variant } from '../../../src/targets/target.ts';
import { caseWith } from '../../targets/target-fixture.ts';

const place = { file: 'suite.yaml', line: 1, column: 1 };

function variantsOf(seed: string, range = 'min: 0, max: 4294967295'): readonly Variant[] {
  const text = `target: 1
id: a/b
kind: text-to-image
base_url: http://127.0.0.1:1
const: { model: x }
inputs: { seed: { ${range}, claim: ${seed === '' ? 'none' : 'exact'} } }
submit: { path: /generate, encoding: json, body: { prompt: "\${case.prompt}", model: "\${const.model}"${seed} } }
result: { from: body, expect: image/* }
`;
  const document = parseDocument('target.yaml', text);
  if (!document.ok) throw new Error(document.diagnostics[0]?.cause);
  const parsed = parseTarget(document.value, {});
  if (!parsed.ok) throw new Error(parsed.diagnostics[0]?.cause);
  const variants = resolveVariants(
    {
      variants: ['standard', 'fast'].map((name) => ({
        name,
        target: 'a/b',
        targetSource: { place, setBy: null, filled: false },
        place,
        constants: { model: name },
        constantSources: {},
        baseline: false,
        optional: false,
        price: null,
        baseUrl: null,
        levels: DEFAULT_LIMITS,
      })),
      cases: [caseOf('fox')],
      inputSources: {},
      seeds: [1],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 0.5 },
    },
    new Map([['a/b', parsed.value]]),
    '2026-11-28',
  );
  if (!variants.ok) throw new Error(variants.diagnostics[0]?.cause);
  return variants.value;
}

const OPTIONAL = ', seed: "${case.seed}"';
const INLINE = ', text: "seed ${case.seed}"';

function caseOf(id: string): Case {
  return caseWith({ id, text: id, place });
}

function inputOf(part: Partial<PlanInput> = {}): PlanInput {
  return {
    variants: variantsOf(OPTIONAL),
    cases: [caseOf('fox'), caseOf('cat')],
    seeds: [1, 2],
    repeats: 2,
    load: { mode: 'closed', concurrency: 3, order: 'paired', steps: null, warmup: 1, onThrottle: 'wait', shuffle: 1 },
    probes: PROBES,
    nonce: 1,
    ...part,
  };
}

const trialsOf = (input: PlanInput) => expandPlan(input).slices.flatMap(({ trials }) => trials);
const probesOf = (input: PlanInput, kind: string) => trialsOf(input).filter(({ probe }) => probe?.kind === kind);
const words = ({ prompt, seed, probe }: Trial) => `${prompt}/${seed} ${probe?.role}`;

describe('the probes of a plan', () => {
  it('probes come after everything that is measured, which they do not change', () => {
    const plain = expandPlan(inputOf({ probes: [] }));
    const probed = expandPlan(inputOf());
    expect(probed.slices.slice(0, plain.slices.length)).toEqual(plain.slices);
    const rest = probed.slices.slice(plain.slices.length).flatMap(({ trials }) => trials);
    expect(rest.every(({ phase }) => phase === 'probe')).toBe(true);
    expect(rest.some(isMeasured)).toBe(false);
    expect(probed.requests).toBe(plain.requests + rest.length);
    expect(probed.digest).not.toBe(plain.digest);
    expect(new Set(trialsOf(inputOf()).map(({ id }) => id)).size).toBe(probed.requests);
  });

  it('the seed probe sends a seed that is sent nowhere else, and none twice, on the first prompt, one at a time', () => {
    const trials = probesOf(inputOf({ probes: ['seed'] }), 'seed');
    expect(trials.slice(0, 3).map(words)).toEqual(['fox/4 other', 'fox/null omitted', 'fox/null omitted']);
    expect(trials).toHaveLength(6);
    const { slices } = expandPlan(inputOf({ probes: ['seed'] }));
    expect(slices.at(-1)?.pace).toEqual({ mode: 'closed', concurrency: 1 });
    const open = inputOf({
      probes: ['seed'],
      load: {
        mode: 'open',
        order: 'sequential',
        concurrency: 4,
        arrivals: 'constant',
        stages: [{ ratePerSecond: 20, forMs: 1000 }],
        warmup: 1,
        onThrottle: 'wait',
        shuffle: 1,
      },
    });
    const elsewhere = new Set(trialsOf(open).flatMap(({ phase, seed }) => (phase === 'probe' ? [] : [seed])));
    expect(elsewhere.has(4)).toBe(false);
    expect(elsewhere.has(5)).toBe(true);
  });

  it('the cache probe repeats in each pair what the pair before it sent fresh, half of them first', () => {
    const input = inputOf({ probes: ['cache'] });
    const trials = probesOf(input, 'cache').filter(({ variant }) => variant === 'fast');
    expect(trials).toHaveLength(1 + 2 * CACHE_PAIRS);
    const seedOf = (role: string, pair: number) =>
      trials.find(({ probe }) => probe?.kind === 'cache' && probe.role === role && probe.pair === pair)?.seed;
    let repeatFirst = 0;
    for (let pair = 1; pair <= CACHE_PAIRS; pair += 1) {
      expect(seedOf('repeat', pair)).toBe(seedOf(pair === 1 ? 'first' : 'fresh', pair - 1));
      if (trials[2 * pair - 1]?.probe?.role === 'repeat') repeatFirst += 1;
    }
    expect(repeatFirst).toBe(CACHE_PAIRS / 2);
    const sent = trialsOf(input).flatMap(({ probe, seed }) => (probe?.role === 'repeat' ? [] : [seed]));
    const drawn = probesOf(input, 'cache').flatMap(({ probe, seed }) => (probe?.role === 'repeat' ? [] : [seed]));
    for (const seed of drawn) expect(sent.filter((each) => each === seed)).toHaveLength(1);
  });

  it('the cache probe sends other seeds in each run, under the same ids and the same digest of the plan', () => {
    const [one, other] = [expandPlan(inputOf({ nonce: 1 })), expandPlan(inputOf({ nonce: 2 }))];
    expect(one.digest).toBe(other.digest);
    const seeds = (nonce: number) => new Set(probesOf(inputOf({ nonce }), 'cache').map(({ seed }) => seed));
    expect([...seeds(1)].filter((seed) => seeds(2).has(seed))).toEqual([]);
    expect(expandPlan(inputOf({ nonce: 1 }))).toEqual(one);
  });

  it('the load probe takes every cell alone, concurrent, and alone again', () => {
    const { slices } = expandPlan(inputOf({ probes: ['load'] }));
    const own = slices.filter(({ trials }) => trials[0]?.probe !== undefined && trials[0].variant === 'fast');
    expect(own.map(({ trials, pace }) => [trials.map(words).sort(), pace])).toEqual(
      [1, 3, 1].map((concurrency, at) => [
        ['cat/1', 'cat/2', 'fox/1', 'fox/2'].map((cell) => `${cell} ${at === 1 ? 'concurrent' : 'alone'}`),
        { mode: 'closed', concurrency },
      ]),
    );
  });

  it('probes are left out, with the reason, where there is nothing to find out', () => {
    const reasons = (part: Partial<PlanInput>) => {
      const input = inputOf(part);
      const found = findSkippedProbes(input).filter(({ variant }) => variant === 'fast');
      for (const { probe, whole } of found) if (whole) expect(probesOf(input, probe)).toEqual([]);
      return found.map(({ probe, reason }) => [probe, reason]);
    };
    const closed = inputOf().load;
    if (closed.mode !== 'closed') throw new Error('closed load');
    expect(reasons({})).toEqual([]);
    expect(reasons({ probes: ['load'], load: { ...closed, concurrency: 1 } })).toEqual([
      ['load', { code: 'concurrency_1' }],
    ]);
    expect(reasons({ variants: variantsOf('') })).toEqual([
      ['seed', { code: 'no_seed' }],
      ['cache', { code: 'no_seed' }],
    ]);
    expect(reasons({ variants: variantsOf(OPTIONAL, 'min: 0, max: 20') })).toEqual([
      ['cache', { code: 'too_few_seeds', seeds: 21 }],
    ]);
    const inline = inputOf({ variants: variantsOf(INLINE), probes: ['seed'] });
    expect(reasons(inline)).toEqual([['seed', { code: 'seed_required' }]]);
    expect(probesOf(inline, 'seed').map(({ probe }) => probe?.role)).toEqual(['other', 'other']);
  });
});
