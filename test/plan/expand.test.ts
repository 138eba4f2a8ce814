import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandPlan, type PlanInput } from '../../src/plan/expand.ts';
import { parseDocument } from '../../src/suite/document.ts';
import type { Case } from '../../src/suite/suite.ts';
import { parseTarget } from '../../src/target/parse-target.ts';
import { resolveVariants } from '../../src/target/resolve.ts';
import type { Variant } from '../../src/target/variant.ts';

const place = { file: 'suite.yaml', line: 1, column: 1 };

function variantsOf(names: readonly string[], target = targetText()): readonly Variant[] {
  const document = parseDocument('target.yaml', target);
  if (!document.ok) throw new Error(document.diagnostics[0]?.cause);
  const parsed = parseTarget(document.value, {});
  if (!parsed.ok) throw new Error(parsed.diagnostics[0]?.cause);
  const variants = resolveVariants(
    {
      variants: names.map((name) => ({
        name,
        target: 'a/b',
        place,
        constants: { model: name },
        baseline: false,
        price: null,
        baseUrl: null,
      })),
      cases: [caseOf('fox')],
      seeds: [1],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 0.5 },
    },
    new Map([['a/b', parsed.value]]),
  );
  if (!variants.ok) throw new Error(variants.diagnostics[0]?.cause);
  return variants.value;
}

function targetText(path = '/generate', host = 'http://127.0.0.1:1', seeds = 'min: 0, max: 100'): string {
  return `target: 1
id: a/b
kind: text-to-image
base_url: ${host}
const: { model: x }
inputs: { seed: { ${seeds}, omit_means: random, claim: exact } }
submit: { path: ${path}, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", model: "\${const.model}" } }
result: { from: body, expect: image/* }
`;
}

function caseOf(id: string, text = id): Case {
  return { id, text, tags: [], kinds: ['text-to-image'], image: null, inputs: {}, place };
}

function inputOf(part: Partial<PlanInput> = {}): PlanInput {
  return {
    variants: variantsOf(['standard', 'fast']),
    cases: [caseOf('fox'), caseOf('cat')],
    seeds: [1, 2],
    repeats: 2,
    load: { mode: 'closed', concurrency: 1, order: 'paired', warmup: 1, onThrottle: 'wait', shuffle: 1 },
    ...part,
  };
}

const trialsOf = (input: PlanInput) => expandPlan(input).slices.flatMap(({ trials }) => trials);
const idsOf = (input: PlanInput) => trialsOf(input).map(({ id }) => id);

describe('expandPlan', () => {
  it('holds every variant x case x seed x repeat once, with ids that are all different', () => {
    fc.assert(
      fc.property(
        fc.record({
          prompts: fc.integer({ min: 1, max: 5 }),
          seeds: fc.integer({ min: 1, max: 5 }),
          repeats: fc.integer({ min: 1, max: 4 }),
        }),
        ({ prompts, seeds, repeats }) => {
          const cases = Array.from({ length: prompts }, (_, at) => caseOf(`p${at}`));
          const seedList = Array.from({ length: seeds }, (_, at) => at);
          const trials = trialsOf(inputOf({ cases, seeds: seedList, repeats }));
          expect(trials.filter(({ phase }) => phase === 'trial')).toHaveLength(2 * prompts * seeds * repeats);
          expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('gives the same plan again, to the digest', () => {
    expect(expandPlan(inputOf()).digest).toBe(expandPlan(inputOf()).digest);
    const other = inputOf({ load: { ...inputOf().load, shuffle: 2 } });
    expect(expandPlan(other).digest).not.toBe(expandPlan(inputOf()).digest);
    expect(idsOf(other).sort()).toEqual(idsOf(inputOf()).sort());
  });

  it('keeps ids when the host changes, and changes them when the request does', () => {
    const ids = (variants: readonly Variant[]) => idsOf(inputOf({ variants })).sort();
    const here = ids(variantsOf(['standard', 'fast']));
    expect(ids(variantsOf(['standard', 'fast'], targetText('/generate', 'https://elsewhere.example')))).toEqual(here);
    expect(ids(variantsOf(['standard', 'fast'], targetText('/v2/generate')))).not.toEqual(here);
  });

  it('keeps the id of a trial when prompts, seeds and repeats are added beside it', () => {
    const wider = inputOf({ cases: [caseOf('dog'), caseOf('fox'), caseOf('cat')], seeds: [9, 1, 2], repeats: 4 });
    const trials = (input: PlanInput) =>
      trialsOf(input)
        .filter(({ phase }) => phase === 'trial')
        .map(({ id }) => id);
    expect(trials(wider)).toEqual(expect.arrayContaining(trials(inputOf())));
  });

  it('begins with a slice of warm-ups for each variant, with seeds outside the plan and inside the target’s range', () => {
    const input = inputOf({ seeds: [100, 0, 3], load: { ...inputOf().load, warmup: 3 } });
    const [first, second, ...others] = expandPlan(input).slices;
    for (const slice of [first, second]) {
      expect(slice?.trials.map(({ phase }) => phase)).toEqual(['warmup', 'warmup', 'warmup']);
      expect(slice?.trials.map(({ seed }) => seed)).toEqual([1, 2, 4]);
      expect(new Set(slice?.trials.map(({ variant }) => variant)).size).toBe(1);
    }
    expect(others.flatMap(({ trials }) => trials).every(({ phase }) => phase === 'trial')).toBe(true);
  });

  it('numbers its slices and counts its requests', () => {
    const plan = expandPlan(inputOf());
    expect(plan.slices.map(({ index }) => index)).toEqual(plan.slices.map((_, at) => at));
    expect(plan.requests).toBe(2 * 2 * 2 * 2 + 2);
  });
});
