import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { metricsOfRecord } from '../../src/analysis/metrics.ts';
import { compareRuns } from '../../src/analysis/two-runs.ts';
import { assess } from '../../src/gate/assess.ts';
import { html } from '../../src/page/html.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { Reporter } from '../../src/report/reporter.ts';
import { junit } from '../../src/report/reporters/junit.ts';
import { markdown } from '../../src/report/reporters/markdown.ts';
import { renderTerminal, renderVerdict } from '../../src/report/terminal.ts';
import { renderTwoRuns } from '../../src/report/two-runs.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { fileScorer, scored } from '../fixtures/scored-run.ts';
import { chance, gateRule, ORDINARY, ok, scriptedRun } from '../fixtures/scripted-run.ts';

/* Every interval that is printed contains the value that it stands beside, in its unit and direction. */

const [STANDARD, FAST] = ORDINARY.variants;
const NAMES = ['swift', 'quick', 'brisk'];

/** A candidate: how many times as long it takes, and the share of its calls that take ten times as long. */
const candidate = fc.record({
  ratio: fc.oneof(fc.double({ min: 0.2, max: 5, noNaN: true }), fc.double({ min: 0.997, max: 1.003, noNaN: true })),
  slow: fc.constantFrom(0, 0, 0.1),
});

/** A run of a baseline variant and up to three candidates. */
const anyRun = fc.record({
  candidates: fc.array(candidate, { minLength: 1, maxLength: NAMES.length }),
  spread: fc.constantFrom(0.0001, 0.01, 0.2),
  seeds: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.constantFrom(1, 1, 2),
  salt: fc.integer(),
});
type AnyRun = typeof anyRun extends fc.Arbitrary<infer Of> ? Of : never;

/** Its record, with scores and rules. */
function recordOf({ candidates, spread, seeds, concurrency, salt }: AnyRun): StoredRun {
  if (STANDARD === undefined || FAST === undefined) throw new Error('the ordinary run has variants');
  const laws = new Map(candidates.map((each, at) => [NAMES[at], each]));
  const record = scriptedRun({
    ...ORDINARY,
    variants: [STANDARD, ...candidates.map((_, at) => ({ ...FAST, name: NAMES[at] ?? '' }))],
    prompts: ORDINARY.prompts
      .slice(0, 2)
      .map((each, at) => ({ ...each, id: ['fox', 'owl'][at] ?? '', text: 'Animal' })),
    seeds: Array.from({ length: seeds }, (_, at) => at + 1),
    repeats: 1,
    concurrency,
    tell: (variant, ...place) => {
      const { ratio, slow } = laws.get(variant) ?? { ratio: 1, slow: 0 };
      const noise = 1 + spread * (chance(salt, variant, ...place) - 0.5);
      const wait = chance(salt, 'slow', variant, ...place) < slow ? 10 : 1;
      return ok(1000 * ratio * noise * wait);
    },
  });
  const rules = [
    gateRule('latency.total', { is: 'max_increase', share: 0.05 }),
    gateRule('score.liked', { is: 'max_decrease', amount: 0.1 }),
  ];
  return scored({ ...record, run: { ...record.run, gate: rules } }, fileScorer('liked'), ({ trial }) => ({
    liked: chance(salt, 'liked', trial.variant, trial.prompt, trial.seed ?? 0),
  }));
}

/** A number as it is printed, in the smallest of its units. */
function numberOf(words: string): number {
  const number = Number(words.replace('−', '-').replace(/[^\d.+-]/g, ''));
  return /\d (s|s \/)$/.test(words) ? 1000 * number : number;
}

const NUMBER = String.raw`[+−-]?\$?\d(?:,?[\d.])*`;
const VALUE = new RegExp(
  String.raw`(\d+) of (\d+)(?= ?[a-z]*$)|(${NUMBER})(x| ?%| ms| s| \/ s| \/ min| points)?(?=[^\d]*$)`,
);
const ENDS = [
  new RegExp(String.raw`\[(${NUMBER})(?: [a-z%]+)?(?:, | – )(${NUMBER})( ?[a-z%/ ]*)?\]`, 'g'),
  /\[(above|below) (\d[\d.]*)()\]/g,
];

/** The intervals of a text that do not contain the value before them. */
function astray(text: string): readonly string[] {
  return ENDS.flatMap((ends) =>
    [...text.matchAll(ends)].flatMap((found) => {
      const [whole, first = '', second = '', unit = ''] = found;
      const before = text
        .slice(Math.max(0, found.index - 90), found.index)
        .replace(/ at concurrency \d+/g, '')
        .trimEnd();
      const value = VALUE.exec(before);
      // A difference in words: `0.049 lower on average`; a column without a value.
      if (value === null || /–$|no difference found$|apart$|between$|could be$/.test(before)) return [];
      const [, part, all, number = '', own = ''] = value;
      const isSeconds = (words: string) => words.trim() === 's';
      const scaled = (words: string, inUnit: string) => numberOf(words) * (isSeconds(inUnit) ? 1000 : 1);
      const is = part === undefined ? scaled(number, own) : (100 * Number(part)) / Number(all);
      const low = first === 'above' ? scaled(second, unit) : first === 'below' ? -Infinity : scaled(first, unit);
      const high = first === 'above' ? Infinity : scaled(second, unit);
      return is >= low && is <= high ? [] : [`${before.slice(-60)} ${whole}`];
    }),
  );
}

function wordsOf(page: string): string {
  const { document } = parseHTML(page);
  for (const node of document.querySelectorAll('script, style, title')) node.remove();
  // Cells and figures end a line, so that no value of another stands before an interval.
  for (const node of document.querySelectorAll('td, th, li, p, dd, dt, figure, text, summary')) node.append('\n');
  return (document.body.textContent ?? '').replaceAll('\u00a0', ' ').replace(/[ \t]+/g, ' ');
}

async function surfacesOf(record: StoredRun, earlier: StoredRun): Promise<Readonly<Record<string, string>>> {
  const source = reported(record);
  const file = async (reporter: Reporter) => [...(await rendered(reporter, source)).values()].join('\n');
  const analysed = (record: StoredRun) => ({
    run: record.run,
    analysed: assess(record, metricsOfRecord(record)).analysed,
  });
  const options = { colour: false, ascii: false, width: 240, hasPage: true };
  return {
    terminal: renderTerminal(source, options),
    verdict: renderVerdict(source, options),
    page: wordsOf(await file(html)),
    markdown: (await file(markdown)).replaceAll('\\', '').replaceAll('|', '\n'),
    junit: await file(junit),
    compare: renderTwoRuns(compareRuns(analysed(earlier), analysed(record), metricsOfRecord(record), []), {
      ...options,
      width: 40,
    }),
  };
}

test('every printed interval contains its value, in its unit, on every surface', async () => {
  let printed = 0;
  await fc.assert(
    fc.asyncProperty(anyRun, anyRun, async (run, earlier) => {
      const surfaces = await surfacesOf(recordOf(run), recordOf(earlier));
      for (const [name, text] of Object.entries(surfaces)) {
        printed += text.split('[').length - 1;
        expect(astray(text).map((each) => `${name}: ${each}`)).toEqual([]);
      }
    }),
    { numRuns: 8 },
  );
  expect(printed).toBeGreaterThan(100);
});

test.each([
  ['0.93x[1.03, 1.13] · 435 ms', 1],
  ['0.93x as fast [above 1.03]', 1],
  ['1.07x as long[1.03, 1.13] · 435 ms', 0],
  ['p50 1.63 s [980 – 1200 ms]', 1],
  ['1 of 12 [4.0 – 26.5 %]', 0],
  ['1.00x as fast as standard [1.001, 1.006]', 1],
  // The mean is of other numbers than the interval behind it.
  ['by the mean, 0.31x as fast.\n\nSure?\nNo difference was found; it could be [0.32, 1.003]', 0],
])('an interval beside a value that it does not contain is found: %s', (text, found) => {
  expect(astray(text)).toHaveLength(found);
});
