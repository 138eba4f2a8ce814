import { FEWEST_RUNS } from '../../../analysis/earlier-runs.ts';
import type { NumberOfRun, SequentialRatio } from '../../../analysis/sequential.ts';
import type { VariantStability } from '../../../analysis/stability.ts';
import type { SequentialRate, TwoRuns } from '../../../analysis/two-runs.ts';
import { ratioInterval, timesBeside } from '../../../kit/value-words.ts';
import { count, type DurationUnit, duration, durationUnit, plural, share, unbroken } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { dataBlock, type PageData } from '../../../markup/page-data.ts';
import { SCRIPT } from '../../../page/compare-script.ts';
import { compareDialog } from '../../../page/dialogs.ts';
import { NO_VERDICT, twoRunsSentences, unfitSentences } from '../../../report/two-runs-statement.ts';
import {
  COMPARE_ADDRESS,
  compareAddress,
  INDEX_ADDRESS,
  keyOf,
  type RunPlace,
  reportAddress,
  suiteAddress,
} from '../../addresses.ts';
import { compareForm, firstChoice, type RunChoice } from '../parts/compare-form.ts';
import { outputFigure, type ShownOutput } from '../parts/output-figure.ts';
import { type Page, type Part, page, pager } from '../parts/page.ts';

export interface ShownPair {
  readonly variant: string;
  readonly prompt: string;
  readonly seed: number | null;
  readonly earlier: ShownOutput;
  readonly later: ShownOutput;
  readonly sameBytes: boolean;
  readonly number: number;
  /** Where both stand in the data of the page. */
  readonly cells: readonly [earlier: number, later: number];
}

export interface CompareSource {
  readonly a: RunPlace;
  readonly b: RunPlace;
  readonly found: TwoRuns;
  readonly pairs: readonly ShownPair[];
  readonly data: PageData;
  readonly part: Part;
  /** Pairs with the same bytes, of all pairs. */
  readonly same: number;
  readonly choices: readonly RunChoice[];
}

/** `a` was measured before `b`. */
export function comparePage({ a, b, found, pairs, data, part, same, choices }: CompareSource): Page {
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
<p class="meta"><a href="${reportAddress(a)}">Report of ${a.run}</a>${sentFrom(found.vantages?.before)} <a href="${reportAddress(b)}">Report of ${b.run}</a>${sentFrom(found.vantages?.after)}</p>
</header>
${compareForm(choices, { a: keyOf(a), b: keyOf(b) })}<section aria-labelledby="numbers"><h2 id="numbers">Numbers</h2>
${unfitSentences(found).map((sentence) => html`<p class="state warn">${sentence}.</p>`)}
<p class="note">${plural(found.commonCells, 'cell')} (variant, prompt and seed) in both runs. ${NO_VERDICT}.</p>
${numbers(found)}<details class="fold"><summary>In sentences</summary><ul class="brief">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>
</section>
<section aria-labelledby="outputs"><h2 id="outputs">Outputs side by side</h2>
${
  part.of === 0
    ? html`<p class="empty">No variant, prompt and seed was delivered in both runs.</p>`
    : html`<p class="note">The first delivered take of each run, the earlier run at the left. ${sameWords(same, part.of)} <span class="with-script">Select an image to see both at full size, above each other, or their difference.</span></p>`
}${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}<div class="pairs-of-outputs">${pairs.map((pair) => pairFigure(pair, a, b))}</div>
${pager(part, 'Pairs', (from) => compareAddress(a, b, from))}</section>
${compareDialog()}${dataBlock(data)}`,
    script: SCRIPT,
  });
}

function sentFrom(vantage: string | null | undefined): Markup | false {
  return typeof vantage === 'string' && html` <span>sent from ${vantage}</span>`;
}

function sameWords(same: number, of: number): string {
  if (same === 0) return `${of === 1 ? 'Their' : 'In every pair the'} bytes differ.`;
  if (same === of) return of === 1 ? 'Both have the same bytes.' : `All ${count(of)} pairs have the same bytes.`;
  return `${count(same)} of ${plural(of, 'pair')} have the same bytes; the others come first.`;
}

function pairFigure(
  { variant, prompt, seed, earlier, later, sameBytes, number, cells }: ShownPair,
  a: RunPlace,
  b: RunPlace,
): Markup {
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}`;
  const side = (output: ShownOutput, { run }: RunPlace, cell: number): Markup =>
    outputFigure(output, `${variant}, ${words}, ${run}`, html`${run}`, { cell });
  return html`<article class="prompt" data-pair="${number}"><h3><b>${variant}</b> ${words} <span class="tag">${sameBytes ? 'same bytes' : 'other bytes'}</span></h3><div class="media">${side(earlier, a, cells[0])}${side(later, b, cells[1])}</div></article>
`;
}

const COLUMNS = [
  'Latency p50',
  'Latency, later / earlier',
  'Faster in',
  'Errors',
  'Blocked',
  'Same bytes',
  'Same pixels',
] as const;

function numbers({ latency, rates, stability }: TwoRuns): Markup {
  const rateOf = (variant: string, metric: SequentialRate['metric']) =>
    rates.find((rate) => rate.variant === variant && rate.metric === metric);
  const stable = (variant: string, level: VariantStability['level']) =>
    stability.find((each) => each.variant === variant && each.level === level);
  const unit = durationUnit(latency.flatMap(({ p50Ms }) => [p50Ms?.before.value ?? null, p50Ms?.after.value ?? null]));
  return html`<table class="plain side-by-side runs of-three" aria-label="Variants of both runs">
<thead><tr><th scope="col">Variant</th>${COLUMNS.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${latency.map(({ variant, ratio, ciLow, ciHigh, cells, faster, p50Ms }) => {
    const values = [
      medianWords(p50Ms, unit),
      ratio === null
        ? '–'
        : `${timesBeside(ratio, ciLow, ciHigh)}${ciLow === null ? '' : ` ${ratioInterval(ciLow, ciHigh)}`}`,
      ratio === null ? '–' : `${count(faster)} of ${plural(cells, 'cell')}`,
      rateWords(rateOf(variant, 'error_rate')),
      rateWords(rateOf(variant, 'block_rate')),
      stableWords(stable(variant, 'byte')),
      stableWords(stable(variant, 'pixel')),
    ];
    return html`<tr><th scope="row">${variant}</th>${COLUMNS.map((title, at) => html`<td data-label="${title}">${values[at]}</td>`)}</tr>
`;
  })}</tbody></table>
<p class="note fine">Latency p50: over all takes of each run; later / earlier: the typical ratio over common cells; its 95 % interval comes from how much ${FEWEST_RUNS} or more comparable earlier runs differ. With fewer, how much two runs differ without a change is not known. Same bytes, same pixels: of the cells whose takes were equal within the earlier run, how many still give that output.</p>
`;
}

/** `0 %`, or where it changed `0 % → 8.3 %`. */
function rateWords(rate: SequentialRate | undefined): string {
  if (rate === undefined) return '–';
  const [before, after] = [valueWords(rate.before), valueWords(rate.after)];
  return before === after ? after : `${before} → ${after}`;
}

/** `408 ms → 490 ms`, or one where both are the same. */
function medianWords(p50Ms: SequentialRatio['p50Ms'], unit: DurationUnit): string {
  if (p50Ms === null) return '–';
  const [before, after] = [p50Ms.before.value, p50Ms.after.value].map((ms) =>
    ms === null ? 'unknown' : unbroken(duration(ms, unit)),
  );
  return before === after ? `${after}` : `${before} → ${after}`;
}

function valueWords({ value }: NumberOfRun): string {
  return value === null ? 'unknown' : share(value);
}

function stableWords(found: VariantStability | undefined): string {
  if (found === undefined || found.compared === 0) return '–';
  return `${count(found.compared - found.changed.length)} of ${count(found.compared)}`;
}

export function choosePage(choices: readonly RunChoice[]): Page {
  const first = firstChoice(choices);
  return page({
    title: 'Compare two runs',
    links: [
      { href: INDEX_ADDRESS, title: 'All suites' },
      { href: COMPARE_ADDRESS, title: 'Compare two runs' },
    ],
    here: COMPARE_ADDRESS,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>Compare two runs</h1>
<p class="lede">By the prompts and seeds that both have: how latency, errors and outputs changed.</p>
</header>
${first === null ? html`<p class="empty">There are fewer than two runs.</p>` : compareForm(choices, first)}`,
  });
}
