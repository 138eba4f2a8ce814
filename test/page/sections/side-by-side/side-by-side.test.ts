import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/analysis/comparison.ts';
import type { VariantSummary } from '../../../../src/analysis/summaries.ts';
import type { RuleResult } from '../../../../src/gate/verdict.ts';
import { variantFacts } from '../../../../src/page/sections/side-by-side/scoreboard.ts';
import type { ReportSource } from '../../../../src/report/reporter.ts';
import { answerOf } from '../../../../src/report/run-answer.ts';
import { isItSure } from '../../../../src/report/short-answers.ts';
import { answers } from '../../../../src/report/story/results.ts';
import { likened } from '../../../fixtures/likened-run.ts';
import { pageOf } from '../../../fixtures/rendered-page.ts';
import { reported } from '../../../fixtures/report-source.ts';
import { failed, gated, gateRule, ORDINARY, ok, scriptedRun } from '../../../fixtures/scripted-run.ts';
import { against as sentAgain } from '../../../fixtures/warning-evidence.ts';

const BOARD = '#looks table[aria-label="Results of Text to image"]';

/** A run whose standard variant was sent again as a stored baseline declared it. */
function withTwin(): ReportSource {
  const source = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const standard = source.analysis.variants.find(({ name }) => name === 'standard');
  if (standard === undefined) throw new Error('standard is a variant');
  const twin = { ...standard, name: 'standard@baseline', baseline: false, twinOf: 'standard' };
  const sides = { variant: 'standard', baseline: 'standard@baseline', baselineRun: '20261101T000000Z-0001' };
  const ends = { value: 1.07, ciLow: 0.98, ciHigh: 1.19, ciLevel: 0.95 };
  const against: Comparison = { ...headlineOf(source), ...sides, ...ends, notes: [], finding: 'undecided' };
  return {
    ...source,
    analysis: { ...source.analysis, ...sentAgain(), variants: [...source.analysis.variants, twin] },
    comparisons: [against, ...source.comparisons],
  };
}

function headlineOf({ comparisons }: ReportSource): Comparison {
  const found = comparisons.find(
    ({ variant, metric, scope }) =>
      variant === 'fast' && metric === 'latency.total' && (scope.of === 'blocks' || scope.of === 'rounds'),
  );
  if (found === undefined) throw new Error('fast is compared');
  return found;
}

interface Board {
  readonly heads: readonly string[];
  readonly row: (name: string) => string[];
}

async function rowsOf(source: ReportSource): Promise<Board> {
  const { document } = await pageOf(source);
  const heads = [...document.querySelectorAll(`${BOARD} thead th`)].map((head) => head.textContent ?? '');
  const rows = [...document.querySelectorAll(`${BOARD} tbody tr`)].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => (cell.textContent ?? '').trim()),
  );
  return { heads, row: (name) => rows.find(([own]) => own?.startsWith(name)) ?? [] };
}

describe('the table beside the images', () => {
  it('the table beside the images never mixes ratios to the baseline variant with those to a stored baseline', async () => {
    const { heads, row } = await rowsOf(withTwin());
    expect(heads.slice(0, 3)).toEqual(['Variant', 'Speed against baseline variant', 'New against in use']);
    expect(row('standard').slice(1, 3)).toEqual([
      'baseline',
      expect.stringMatching(/^0\.93x as fast\[0\.84, 1\.02\], no difference found/),
    ]);
    expect(row('standard (in use)').slice(1, 3)).toEqual(['–', 'baseline']);
    expect(row('fast')[1]).toMatch(/^\d\.\d\dx as fast/);
    expect(row('fast')[2]).toBe('–');
  });

  it('the table beside the images has one column of ratios where no stored baseline was sent again', async () => {
    const { heads } = await rowsOf(reported(scriptedRun(ORDINARY)));
    expect(heads.filter((head) => head.includes('gainst'))).toEqual(['Speed against baseline variant']);
  });

  it('the table beside the images has no number of speed where too few blocks tell nothing', async () => {
    const { row } = await rowsOf(reported(scriptedRun({ ...ORDINARY, seeds: [2], repeats: 1, concurrency: 1 })));
    expect(row('fast')[1]).toBe('–too few pairs of takes to tell (4 of 7)');
  });
});

it('a figure says in use of what it is compared with, and has no large number where no difference was found', async () => {
  const { document } = await pageOf(withTwin());
  const figure = document.querySelector('.strip figure[data-variant="standard"] figcaption')?.textContent;
  expect(figure).toMatch(/no difference found against in use\[0\.84, 1\.02\] as fast · p50 /);
});

it('squares of each variant stand in the order of the images below them', async () => {
  const source = await likened();
  const likeness = source.analysis.likeness.map((pair) =>
    pair.word === 'unknown' ? pair : { ...pair, repeatSsim: 1, otherSeed: { ssim: 0.31, pdqDistance: 99 } },
  );
  const { document, text } = await pageOf({ ...source, analysis: { ...source.analysis, likeness } });
  expect(text('.strip .scale')).toBe('SSIM 1.00 if sent again, 0.31 with another seed');
  const places = [...document.querySelectorAll<HTMLElement>('.row-links a')].map(
    ({ dataset: { prompt, seed } }) => `${prompt}, seed ${seed}`,
  );
  const squares = [...document.querySelectorAll('.strip .squares')].map((drawn) =>
    [...drawn.querySelectorAll('title')].map(({ textContent }) => textContent?.split(':')[0]),
  );
  expect(squares.length).toBeGreaterThan(1);
  for (const order of squares) expect(order).toEqual(places);
  expect(document.querySelector('.rows > span')?.textContent).toBe('Most changed first, with SSIM');
});

it('the comparison that a rule failed by is said first', () => {
  const source = withTwin();
  const [against] = source.comparisons;
  const rule = gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { against: 'baseline' });
  const about = {
    kind: 'text-to-image',
    variant: 'standard',
    against: 'standard@baseline',
    rule,
    index: 0,
    unit: 'ms',
  };
  const found = { effect: 'ratio', estimate: 1.07, ciLow: 1.06, ciHigh: 1.19, n: 12, worst: [], unfit: [] } as const;
  const failed = { ...about, ...found, verdict: 'fail', code: 'beyond_limit', letPass: false } as const;
  const failing = {
    ...source,
    comparisons: [...source.comparisons.slice(1), { ...against, finding: 'higher', ciLow: 1.02 } as Comparison],
    verdict: { ...source.verdict, rules: [failed as unknown as RuleResult] },
  };
  const answer = 'standard takes 1.07x as long as in use [1.06, 1.19], allowed at most 1.05x.';
  expect(answerOf(failing).answer).toBe(answer);
  expect(answers(failing, 'text-to-image', source.analysis.variants).shown[0]?.sentence).toBe(answer);
});

it('new against in use is the answer of a page, Sure? is of it, and what lies between variants follows', () => {
  const source = withTwin();
  const { analysis, comparisons } = source;
  const said = answers(source, 'text-to-image', analysis.variants);
  expect(said.shown.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/^New against in use: no difference found in speed[.;]/),
    expect.stringMatching(/^fast is \d\.\dx as fast as standard/),
    expect.stringMatching(/^fast-lcm is \d\.\dx as fast as standard/),
  ]);
  expect(answerOf(source).answer).toBe(said.shown[0]?.sentence);
  expect(isItSure(analysis, comparisons, analysis.variants).words).toBe(
    'No difference was found; it could be [0.84, 1.02] as fast',
  );
});

const [ordinary] = reported(scriptedRun(ORDINARY)).analysis.variants;

function variant(name: string, more: Partial<VariantSummary>): VariantSummary {
  if (ordinary === undefined) throw new Error('the scripted run has no variant');
  return { ...ordinary, name, target: 'bfl/flux-dev', plannedTrials: 18, outcomes: { ok: 18 }, ...more };
}

it('the row of a variant says what was called, and its takes where not all came', () => {
  const constants = { guidance: 7, steps: 4 };
  expect(variantFacts(variant('a', { constants }))).toEqual(['bfl/flux-dev, guidance 7, steps 4']);
  expect(variantFacts(variant('b', { constants: {}, outcomes: { ok: 15, dropped: 3 } }))).toEqual([
    'bfl/flux-dev',
    '15 of 18 takes delivered',
    '3 dropped, never sent',
  ]);
});

it('below the squares stands of how many pairs there are images, since open load adds seeds', async () => {
  const source = await likened();
  const { run } = source.analysis;
  const plan = { ...run.plan, seeds: run.plan.seeds.slice(0, 1) };
  const { text } = await pageOf({ ...source, analysis: { ...source.analysis, run: { ...run, plan } } });
  expect(text('.squares-legend')).toMatch(/; images of \d+ of \d+: the others have seeds that the load added$/);
});

it('the square of a pair that a failure left without a likeness leads to the cause on either side', async () => {
  const lost = ['fast fox 1', 'standard harbour 2'];
  const source = reported(
    scriptedRun({
      ...ORDINARY,
      variants: ORDINARY.variants.slice(0, 3),
      tell: (name, prompt, seed, repeat) =>
        lost.includes(`${name} ${prompt} ${seed}`) || (`${name} ${prompt}` === 'fast market' && repeat === 1)
          ? failed('http_503', 'busy')
          : ok(400),
    }),
  );
  const same = { word: 'similar', decidedBy: null, difference: null, sharpness: null, repeatSsim: null } as const;
  // Where nothing was compared there are no squares.
  const likeness = source.analysis.likeness.map((pair) =>
    pair.prompt === 'lighthouse' ? { ...pair, ...same, output: '', baselineOutput: '', otherSeed: null } : pair,
  );
  const { document } = await pageOf({ ...source, analysis: { ...source.analysis, likeness } });
  const rowOf = (variant: string) =>
    [...document.querySelectorAll(`#looks svg.squares[aria-label^="${variant}:"]`)].at(0)?.querySelectorAll('a') ?? [];
  const links = ['fast', 'fast-lcm'].map((variant) =>
    [...rowOf(variant)].map((link) => {
      const cause = document.querySelector(link.getAttribute('href') ?? '')?.querySelector('th')?.textContent ?? '';
      return [link.getAttribute('aria-label'), cause];
    }),
  );
  const baseline = ['harbour, seed 2: failed', 'standard'];
  expect(links).toEqual([[['fox, seed 1: failed', 'fast'], baseline], [baseline]]);
});

it('tabs carry their result: the best candidate of each kind, and no speed that nobody may use', async () => {
  const source = reported(scriptedRun({ ...ORDINARY, concurrency: 1 }));
  const { words } = await pageOf(source);
  expect(words('nav.kinds a')).toEqual([
    expect.stringMatching(/^Text to image \d+\.\d+x$/),
    expect.stringMatching(/^Anime image \d+\.\d+x$/),
  ]);
});

it('a small table stands before the images of three candidates, and cards of its variants do not repeat it', async () => {
  const source = await likened();
  const many = (candidates: number): ReportSource => {
    const [standard, fast] = source.analysis.variants;
    if (standard === undefined || fast === undefined) throw new Error('the run has two variants');
    const copies = Array.from({ length: candidates }, (_, at) => ({ ...fast, name: `model-${at}` }));
    const likeness = copies.flatMap(({ name }) =>
      source.analysis.likeness.filter(({ variant }) => variant === 'fast').map((pair) => ({ ...pair, variant: name })),
    );
    return { ...source, analysis: { ...source.analysis, variants: [standard, ...copies], likeness } };
  };
  expect((await pageOf(many(2))).document.querySelector('.in-short')).toBeNull();
  const { document } = await pageOf(many(7));
  const rows = [...document.querySelectorAll('.in-short tbody tr')].map((row) => row.textContent?.trim());
  expect(rows[1]).toMatch(/^model-04 of 4/);
  expect([rows.length, document.querySelector('.in-short + .note')?.textContent]).toEqual([6, '2 more variants']);
  const cardOf = (name: string) =>
    document.querySelector(`.strip figure[data-variant="${name}"] figcaption`)?.textContent ?? '';
  expect(cardOf('model-1')).not.toMatch(/4\/4|ms/);
  expect(cardOf('model-6')).toMatch(/4\/4 similar/);
});

it('three repeats of each variant are shown, and no squares, if repeats of the baseline variant differ', async () => {
  const { document } = await pageOf(
    reported(
      scriptedRun({
        ...ORDINARY,
        variants: ORDINARY.variants.slice(0, 2),
        tell: (name, _prompt, _seed, repeat) => ok(400, name === 'standard' ? repeat : 0),
      }),
    ),
  );
  const [standard, fast] = [...document.querySelectorAll('.strip.varies figure')].map(
    (figure) => figure.querySelectorAll('.output').length,
  );
  expect([standard, fast, document.querySelector('.strip .squares')]).toEqual([3, 1, null]);
});

it('a limit of the gate is labelled where its quantity is drawn', async () => {
  const rules = [
    gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
    gateRule('latency.total', { is: 'max', value: 2000 }, { statistic: 'p50' }),
  ];
  const { document } = await pageOf(reported(gated(scriptedRun({ ...ORDINARY, concurrency: 1 }), rules)));
  const labels = (section: string) =>
    new Set(
      [...document.querySelectorAll(`${section} text`)].flatMap(
        ({ textContent }) => textContent?.match(/^gate .*/) ?? [],
      ),
    );
  expect(labels('#comparison')).toEqual(new Set(['gate 1.05x as long']));
  expect(labels('#latency')).toEqual(new Set(['gate 2.00 s']));
});
