import type { RateOfRun, SequentialRate, StabilityOfVariant, TwoRuns } from '../../compare/baseline/two-runs.ts';
import { html, type Markup } from '../../report/html/markup/markup.ts';
import { times } from '../../report/statements/comparison-statement.ts';
import { twoRunsSentences } from '../../report/statements/two-runs-statement.ts';
import { count, plural, share } from '../../text/quantity.ts';
import {
  COMPARE_ADDRESS,
  compareAddress,
  INDEX_ADDRESS,
  keyOf,
  type RunPlace,
  reportAddress,
  suiteAddress,
} from './addresses.ts';
import { compareForm } from './compare-form.ts';
import { outputFigure, type ShownOutput } from './output-figure.ts';
import { type Page, page } from './page.ts';
import { type Part, pager } from './pager.ts';

/** The outputs of two runs for one variant, prompt and seed. */
export interface ShownPair {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly earlier: ShownOutput;
  readonly later: ShownOutput;
  readonly sameBytes: boolean;
}

export interface CompareSource {
  readonly a: RunPlace;
  readonly b: RunPlace;
  readonly found: TwoRuns;
  /** Those of this part. */
  readonly pairs: readonly ShownPair[];
  readonly part: Part;
  /** How many of all pairs have the same bytes. */
  readonly same: number;
  readonly choices: readonly RunPlace[];
}

/** Two runs beside each other; `a` was measured before `b`. */
export function comparePage({ a, b, found, pairs, part, same, choices }: CompareSource): Page {
  const [, ...sentences] = twoRunsSentences(found);
  return page({
    title: `${b.run} against ${a.run}`,
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: suiteAddress(b.suite), title: b.suite },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
    ],
    content: html`<header class="title">
<p class="eyebrow">Two runs, one after the other</p>
<h1>${b.run} against ${a.run}</h1>
<p class="meta"><a href="${reportAddress(a)}">Report of ${a.run}</a> <a href="${reportAddress(b)}">Report of ${b.run}</a></p>
</header>
${compareForm(choices, { a: keyOf(a), b: keyOf(b) })}<section aria-labelledby="numbers"><h2 id="numbers">Numbers</h2>
<p class="note">${plural(found.commonCells, 'cell')} (variant, prompt and seed) in both runs. No verdict: whatever changed between the runs, at the service or on this machine, is in the numbers.</p>
${numbers(found)}<details class="fold"><summary>In sentences</summary><ul class="brief">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>
</section>
<section aria-labelledby="outputs"><h2 id="outputs">Outputs side by side</h2>
${
  part.of === 0
    ? html`<p class="empty">No variant, prompt and seed was delivered in both runs.</p>`
    : html`<p class="note">The first delivered take of each run, the earlier run at the left. ${count(same)} of ${plural(part.of, 'pair')} have the same bytes; the others come first.</p>`
}${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}<div class="pairs-of-outputs">${pairs.map((pair) => pairFigure(pair, a, b))}</div>
${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}</section>
`,
  });
}

function pairFigure({ variant, prompt, seed, earlier, later, sameBytes }: ShownPair, a: RunPlace, b: RunPlace): Markup {
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}`;
  const side = (output: ShownOutput, { run }: RunPlace): Markup =>
    outputFigure(output, `${variant}, ${words}, ${run}`, html`${run}`);
  return html`<article><h3><b>${variant}</b> ${words} <span class="tag">${sameBytes ? 'same bytes' : 'other bytes'}</span></h3><div class="media">${side(earlier, a)}${side(later, b)}</div></article>
`;
}

const COLUMNS = ['Latency, later / earlier', 'Faster in', 'Errors', 'Blocked', 'Same bytes', 'Same pixels'] as const;

function numbers({ latency, rates, stability }: TwoRuns): Markup {
  const rateOf = (variant: string, metric: SequentialRate['metric']) =>
    rates.find((rate) => rate.variant === variant && rate.metric === metric);
  const stable = (variant: string, level: StabilityOfVariant['level']) =>
    stability.find((each) => each.variant === variant && each.level === level);
  return html`<table class="plain side-by-side runs of-three" aria-label="Variants of both runs">
<thead><tr><th scope="col">Variant</th>${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${latency.map(({ variant, ratio, cells, faster }) => {
    const values = [
      ratio === null ? '–' : times(ratio),
      ratio === null ? '–' : `${count(faster)} of ${plural(cells, 'cell')}`,
      rateWords(rateOf(variant, 'error_rate')),
      rateWords(rateOf(variant, 'block_rate')),
      stableWords(stable(variant, 'byte')),
      stableWords(stable(variant, 'pixel')),
    ];
    return html`<tr><th scope="row">${variant}</th>${COLUMNS.map((title, at) => html`<td data-label="${title}">${values[at]}</td>`)}</tr>
`;
  })}</tbody></table>
<p class="note fine">Same bytes, same pixels: of the cells whose takes were equal within the earlier run, how many still give that output.</p>
`;
}

/** `0 %`, or where it changed `0 % → 8.3 %`. */
function rateWords(rate: SequentialRate | undefined): string {
  if (rate === undefined) return '–';
  const [before, after] = [valueWords(rate.before), valueWords(rate.after)];
  return before === after ? after : `${before} → ${after}`;
}

function valueWords({ value }: RateOfRun): string {
  return value === null ? 'unknown' : share(value);
}

function stableWords(found: StabilityOfVariant | undefined): string {
  if (found === undefined || found.compared === 0) return '–';
  return `${count(found.compared - found.changed.length)} of ${count(found.compared)}`;
}

/** Chooses two runs, where none are chosen yet. */
export function choosePage(choices: readonly RunPlace[]): Page {
  const [latest, before] = choices;
  return page({
    title: 'Compare two runs',
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
    ],
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>Compare two runs</h1>
</header>
${
  latest === undefined || before === undefined
    ? html`<p class="empty">There are fewer than two runs.</p>`
    : compareForm(choices, { a: keyOf(before), b: keyOf(latest) })
}`,
  });
}
