import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../../src/kit/diagnostic.ts';
import type { Baseline } from '../../../src/record/kept-run.ts';
import { targetDigest } from '../../../src/run/declared-files.ts';
import { type PreparedSuite, prepareSuite } from '../../../src/run/prepare-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const HOST = 'http://127.0.0.1:7';

/** A suite of text to image with the variants as given. */
const suiteOf = (variants: readonly string[], more = '') => `suite: 1
name: kept
variants:
${variants.map((variant) => `  ${variant}\n`).join('')}prompts:
  - { id: fox, text: A red fox }
  - { id: cat, text: A cat }
seeds: [1, 2]
repeats: 2
load: { warmup: 1 }
${more}`;

const targetOf = (body = '{ prompt: "${case.prompt}", seed: "${case.seed}", model: "${const.model}" }') => `target: 1
id: own/painter
kind: text-to-image
base_url: \${env.PAINTER_URL:-${HOST}}
auth: { in: header, name: Authorization, value: "Bearer \${secret.PAINTER_KEY}" }
const: { model: standard }
inputs: { seed: { min: 0, max: 1000, omit_means: random, claim: exact } }
price: { per: request, usd: 0.02 }
submit: { path: /generate, encoding: json, body: ${body} }
result: { from: body, expect: image/* }
`;

interface Declared {
  readonly suite: string;
  readonly target?: string;
  /** What `submit.body_file` of the target names. */
  readonly body?: string;
}

/** A folder with a suite and its target, prepared. */
async function prepared(
  { suite, target = targetOf(), body = '{}' }: Declared,
  {
    env = {},
    against,
    folder = freshFolder(),
  }: { env?: Record<string, string>; against?: string; folder?: string } = {},
) {
  writeFileSync(join(folder, 'suite.yaml'), suite);
  writeFileSync(join(folder, 'painter.yaml'), target);
  writeFileSync(join(folder, 'body.json'), body);
  return await prepareSuite('suite.yaml', { env, cwd: folder, against });
}

/** The stored baseline of a suite as if it had been measured. */
function keptOf({ suite, targets, variants }: PreparedSuite): Baseline {
  const { machine } = buildStoredRun({ samples: [] }).run;
  return {
    format: 1,
    run: '20261101T080000Z-1a2b',
    createdAt: '2026-11-01T08:00:00.000Z',
    retake: '0.1.0',
    suite: {
      name: suite.name,
      digest: createHash('sha256').update(JSON.stringify(suite.declared)).digest('hex'),
      declared: suite.declared,
      environment: suite.environment,
    },
    targets: targets.map((target) => ({
      id: target.id,
      digest: targetDigest(target),
      declared: target.declared,
      storedBody: target.storedBody,
      environment: target.environment,
    })),
    machine,
    floorMs: null,
    variants: variants.map(({ name, kind, target, baseline, constants, baseUrl }) => ({
      name,
      kind,
      target: target.id,
      baseline,
      constants,
      baseUrl,
    })),
    prompts: suite.cases.map(({ id, text, inputs }) => ({ id, text, media: [], inputs })),
    measures: [],
    cells: variants.flatMap(({ name, kind }) =>
      suite.cases.flatMap(({ id }) =>
        suite.seeds.map((seed) => ({
          variant: name,
          kind,
          prompt: id,
          seed,
          takes: 2,
          censored: 0,
          values: {},
          outputs: [],
        })),
      ),
    ),
  };
}

/** Keeps the baseline of one suite and prepares another against it. */
async function against(
  then: Declared,
  now: Declared,
  env: { before?: Record<string, string>; now?: Record<string, string> } = {},
) {
  const before = accepted(await prepared(then, { env: env.before ?? {} }));
  const folder = freshFolder();
  writeFileSync(join(folder, 'baseline.json'), JSON.stringify(keptOf(before)));
  return await prepared(now, { env: env.now ?? {}, against: 'baseline.json', folder });
}

async function twins(
  then: Declared,
  now: Declared,
  env: { before?: Record<string, string>; now?: Record<string, string> } = {},
) {
  return accepted(await against(then, now, env));
}

const causes = async (...args: Parameters<typeof against>) => {
  const found = await against(...args);
  return found.ok ? [] : found.diagnostics.map(({ cause }) => cause);
};

const FAST = 'fast: { target: ./painter.yaml, const: { model: fast } }';

describe('variants of a stored baseline', () => {
  it('a variant that changed: is sent as it was declared then, beside the one of today', async () => {
    const {
      variants,
      targets,
      against: stored,
    } = await twins(
      {
        suite: suiteOf(
          [
            'fast: { target: ./painter.yaml, const: { model: old }, base_url: "http://127.0.0.1:8", price: { per: request, usd: 0.5 } }',
          ],
          'limits: { timeout: 30s }\n',
        ),
      },
      { suite: suiteOf([FAST], 'limits: { timeout: 10s }\n') },
    );
    expect(
      variants.map(({ name, twinOf, baseline, constants, baseUrl, price, timeoutMs, target }) => ({
        name,
        twinOf,
        baseline,
        model: constants.model,
        baseUrl,
        usd: price?.usd,
        timeoutMs,
        target: target.id,
      })),
    ).toEqual([
      {
        name: 'fast',
        twinOf: undefined,
        baseline: true,
        model: 'fast',
        baseUrl: HOST,
        usd: 0.02,
        timeoutMs: 10_000,
        target: 'own/painter',
      },
      {
        name: 'fast@baseline',
        twinOf: 'fast',
        baseline: false,
        model: 'old',
        baseUrl: 'http://127.0.0.1:8',
        usd: 0.5,
        timeoutMs: 30_000,
        target: 'own/painter',
      },
    ]);
    expect(targets.map(({ id }) => id)).toEqual(['own/painter']);
    expect(stored?.run).toMatchObject({ run: '20261101T080000Z-1a2b', changedEnvironment: [], missing: [] });
  });

  it('a target that changed: is told from that of today by its id, and its request is that of then', async () => {
    const { variants, targets } = await twins(
      {
        suite: suiteOf([FAST]),
        target: targetOf('{ words: "${case.prompt}", seed: "${case.seed}", model: "${const.model}" }'),
      },
      { suite: suiteOf([FAST]) },
    );
    expect(targets.map(({ id }) => id)).toEqual(['own/painter', 'own/painter@baseline']);
    const [today, then] = variants;
    expect(JSON.stringify(then?.target.submit)).toContain('"words"');
    expect(JSON.stringify(today?.target.submit)).not.toContain('"words"');
  });

  it('a stored body that changed: is sent as it was kept', async () => {
    const target = targetOf().replace(
      /body: \{.*\} \}/,
      'body_file: body.json, set: { "/prompt": "${case.prompt}", "/seed": "${case.seed}", "/model": "${const.model}" } }',
    );
    const body = (steps: number) => JSON.stringify({ prompt: '', seed: 0, model: '', steps });
    const { variants } = await twins(
      { suite: suiteOf([FAST]), target, body: body(8) },
      { suite: suiteOf([FAST]), target, body: body(4) },
    );
    expect(
      variants.map((variant) => JSON.stringify(variant.target.submit).match(/"steps",\{"literal":\d+/)?.[0]),
    ).toEqual(['"steps",{"literal":4', '"steps",{"literal":8']);
  });

  it('the plan: holds a block of both in each round, the trials of then in the phase against', async () => {
    const { plan } = await twins({ suite: suiteOf([FAST]) }, { suite: suiteOf([FAST]) });
    const trials = plan.slices.flatMap((slice) => slice.trials);
    const phases = (variant: string) =>
      trials
        .filter((trial) => trial.variant === variant)
        .map(({ phase }) => phase)
        .sort();
    expect(phases('fast')).toEqual([...Array(8).fill('trial'), 'warmup']);
    expect(phases('fast@baseline')).toEqual([...Array(8).fill('against'), 'warmup']);
    const measured = plan.slices.filter((slice) => slice.trials[0]?.phase !== 'warmup');
    for (let at = 0; at < measured.length; at += 2) {
      const round = measured.slice(at, at + 2).flatMap((slice) => slice.trials);
      expect(new Set(round.map(({ block }) => block)).size).toBe(1);
      expect(round.map(({ variant }) => variant).sort()).toEqual(['fast', 'fast@baseline']);
    }
    const again = await twins({ suite: suiteOf([FAST]) }, { suite: suiteOf([FAST]) });
    expect(again.plan.digest).toBe(plan.digest);
    // What is sent for a variant of today keeps its identity: runs with and without a stored baseline join by it.
    const alone = await prepared({ suite: suiteOf([FAST]) });
    const own = alone.ok ? alone.value.plan.slices.flatMap((slice) => slice.trials.map(({ id }) => id)) : [];
    expect(
      trials
        .filter(({ variant }) => variant === 'fast')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(own.toSorted());
  });

  it('what one side lacks: is named; prompts and seeds are those of today', async () => {
    const { against: stored, variants } = await twins(
      {
        suite: suiteOf([FAST, 'gone: { target: ./painter.yaml }'])
          .replace('id: cat', 'id: dog')
          .replace('[1, 2]', '[1, 7]'),
      },
      { suite: suiteOf([FAST, 'new: { target: ./painter.yaml }']) },
    );
    expect(variants.map(({ name }) => name)).toEqual(['fast', 'new', 'fast@baseline']);
    expect(stored?.run.missing).toEqual([
      { what: 'variant', id: 'new', side: 'baseline' },
      { what: 'variant', id: 'gone', side: 'run' },
      { what: 'prompt', id: 'dog', side: 'run' },
      { what: 'seed', id: '7', side: 'run' },
    ]);
  });

  it('a matrix: gives the combinations that both have', async () => {
    const matrix = (models: string) => suiteOf([`flux: { target: ./painter.yaml, matrix: { model: [${models}] } }`]);
    const { variants } = await twins({ suite: matrix('a, b') }, { suite: matrix('b, c') });
    expect(variants.map(({ name, constants }) => [name, constants.model])).toEqual([
      ['flux-model-b', 'b'],
      ['flux-model-c', 'c'],
      ['flux-model-b@baseline', 'b'],
    ]);
  });

  it('an environment variable with another value: is named by name alone; one that is gone is asked for', async () => {
    const env = { before: { PAINTER_URL: 'http://127.0.0.1:8' }, now: { PAINTER_URL: 'http://127.0.0.1:9' } };
    const { against: stored, variants } = await twins({ suite: suiteOf([FAST]) }, { suite: suiteOf([FAST]) }, env);
    expect(stored?.run.changedEnvironment).toEqual(['PAINTER_URL']);
    expect(variants.map(({ baseUrl }) => baseUrl)).toEqual(['http://127.0.0.1:9', 'http://127.0.0.1:9']);
    expect(JSON.stringify(stored?.run)).not.toContain('127.0.0.1');
    const named = suiteOf(['fast: { target: ./painter.yaml, const: { model: "${env.OLD_MODEL}" } }']);
    expect(await causes({ suite: named }, { suite: suiteOf([FAST]) }, { before: { OLD_MODEL: 'a' } })).toEqual([
      'baseline.json: the environment variable OLD_MODEL is not set',
    ]);
  });

  it('a variable that only a variant of then names which is not sent: is not asked for', async () => {
    const gone = 'gone: { target: ./painter.yaml, const: { model: "${env.OLD_MODEL}" } }';
    expect(
      await causes({ suite: suiteOf([FAST, gone]) }, { suite: suiteOf([FAST]) }, { before: { OLD_MODEL: 'a' } }),
    ).toEqual([]);
  });

  it('a baseline of another suite: is refused without a common variant, else doubted', async () => {
    expect(await causes({ suite: suiteOf(['other: { target: ./painter.yaml }']) }, { suite: suiteOf([FAST]) })).toEqual(
      ['baseline.json and this suite have no variant in common; the file has other (text-to-image)'],
    );
    const found = await against(
      { suite: suiteOf([FAST]).replace('name: kept', 'name: others') },
      { suite: suiteOf([FAST]) },
    );
    expect(found.ok && found.warnings?.map(({ cause }) => cause)).toEqual([
      'baseline.json is the stored baseline of the suite others, not of kept',
    ]);
  });

  it('a seed that the target of then does not take: is refused', async () => {
    const narrow = targetOf().replace('max: 1000', 'max: 1');
    const then = { suite: suiteOf([FAST]).replace('[1, 2]', '[1]'), target: narrow };
    expect(await causes(then, { suite: suiteOf([FAST]) })).toEqual([
      expect.stringMatching(/^baseline\.json: seed 2 is outside what "fast" \(own\/painter@baseline\) takes$/),
    ]);
  });
});
