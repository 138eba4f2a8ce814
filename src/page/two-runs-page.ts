import type { TwoRuns } from '../analysis/two-runs.ts';
import { capital, count, plural } from '../kit/wording.ts';
import {
  type ContentsEntry,
  clockTime,
  contentSecurityPolicy,
  contents,
  dataUrl,
  documentEnd,
  documentHead,
  TWO_RUNS_STYLE,
} from '../markup/document.ts';
import { type Fill, html, type Markup, textOf } from '../markup/markup.ts';
import { dataBlock } from '../markup/page-data.ts';
import { table } from '../markup/table.ts';
import type { TableRow } from '../report/paint.ts';
import { twoRunsHeads, twoRunsNotes, twoRunsRows, unfitSentences } from '../report/two-runs.ts';
import { SCRIPT } from './compare-script.ts';
import { type ComparedOutputs, type ComparedRecord, differenceWords, isEqual } from './compared-outputs.ts';
import { compareDialog } from './dialogs.ts';
import { differenceKey } from './markup/difference-key.ts';
import { pairData } from './two-runs/pair-data.ts';

type PairSide = 'earlier' | 'later';

/** Addresses, or data URLs; null where there is none. */
export interface PairMedia {
  readonly image: string | null;
  readonly video: string | null;
  readonly original: string | null;
}

export interface TwoRunsSource {
  readonly comparison: TwoRuns;
  readonly earlier: ComparedRecord;
  readonly later: ComparedRecord;
  /** Those that changed first. */
  readonly pairs: readonly ComparedOutputs[];
  /** `isLarge`: of a pair that changed. */
  readonly mediaOf: (output: ComparedOutputs['outputs'][number], side: PairSide, isLarge: boolean) => PairMedia;
  /** Null where none was drawn. */
  readonly heatMap: (one: string, other: string) => Uint8Array | null;
  /** Relative to the page; null: the page has no link to it. */
  readonly reportOf: (side: PairSide) => string | null;
  /** Whether a server sends the page, and its media from addresses of their own. */
  readonly isServed: boolean;
}

/** Of pairs that changed, and of equal ones. */
export const MOST_PAIRS = 200;

function policyParts(isServed: boolean) {
  const also = isServed ? [] : ['media-src data:'];
  return { style: TWO_RUNS_STYLE, script: SCRIPT, loadsBeside: isServed, also };
}

export const SERVED_TWO_RUNS_POLICY = `${contentSecurityPolicy(policyParts(true))}; frame-ancestors 'none'`;

/** In pieces. A page that is not served needs no network and no other file. */
export function* twoRunsPage(source: TwoRunsSource): Generator<string> {
  const { pairs, isServed } = source;
  const names = namesOf(source);
  const comparison = named(source.comparison, names);
  const title = `${names.later} against ${names.earlier}`;
  const equal = pairs.filter(isEqual);
  const changed = pairs.filter((pair) => !isEqual(pair));
  const shown = [...changed.slice(0, MOST_PAIRS), ...equal.slice(0, MOST_PAIRS)];
  const numbers = new Map(shown.map((pair, at) => [pair, at]));
  const look = { source, names, numberOf: (pair: ComparedOutputs) => numbers.get(pair) ?? 0 };
  const warnings = unfitSentences(comparison);
  const entries: readonly ContentsEntry[] = [
    { anchor: 'outputs', title: 'Outputs' },
    { anchor: 'numbers', title: 'Speed and rates' },
    { anchor: 'notes', title: warnings.length > 0 ? 'Warnings' : 'Notes' },
  ];
  yield textOf(documentHead({ title: `${title} · Retake`, results: 'outputs', ...policyParts(isServed) }));
  yield textOf(html`<div class="page two-runs">
${contents(entries)}
<main>
<header class="title">
<p class="eyebrow">Retake: two runs of ${suitesOf(source)}</p>
<h1>${title}</h1>
${(['earlier', 'later'] as const).map((side) => html`<p class="meta">${runWords(side, source, names)}</p>`)}
</header>
<section id="outputs" aria-labelledby="outputs-title">
<h2 id="outputs-title">${outputsWords(changed.length, equal.length)}</h2>
${changed.length > 0 && html`<p class="note">The first delivered take of each run. <span class="with-script">Select an image to see both at full size, above each other, or their difference.</span></p>`}
`);
  for (const pair of changed.slice(0, MOST_PAIRS)) yield textOf(pairArticle(pair, look, true));
  yield textOf(
    html`${leftOut(changed.length)}${
      equal.length > 0 &&
      html`<details class="more"><summary>${equalWords(equal)}</summary>
<div class="equal-pairs">`
    }`,
  );
  for (const pair of equal.slice(0, MOST_PAIRS)) yield textOf(pairArticle(pair, look, false));
  yield textOf(html`${equal.length > 0 && html`</div>${leftOut(equal.length)}</details>`}</section>
<section id="numbers" aria-labelledby="numbers-title"><h2 id="numbers-title">Speed and rates</h2>
${warnings.length > 0 && html`<p class="note state warn"><a href="#notes">${plural(warnings.length, 'warning')}</a> about these latencies</p>`}
${numbersTable(comparison)}
</section>
<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">${warnings.length > 0 ? 'Warnings' : 'Notes'}</h2>
${warnings.length > 0 && html`<ul class="warnings">${warnings.map((sentence) => html`<li>${sentence}.</li>`)}</ul>`}
<ul class="methods">${twoRunsNotes(comparison).map((sentence) => html`<li>${sentence}.</li>`)}</ul>
</section>
</main>
<footer>Made by Retake from the records of both runs.${!isServed && html` This page loads no other file.`}</footer>
</div>
${compareDialog()}
${dataBlock(pairData(shown, source, [names.earlier, names.later]))}
${documentEnd(SCRIPT)}`);
}

interface RunNames {
  readonly earlier: string;
  readonly later: string;
}

/** Labels, if both runs have one and they differ; else the names of runs. */
function namesOf({ earlier, later }: Pick<TwoRunsSource, 'earlier' | 'later'>): RunNames {
  const labels = [earlier.run.label, later.run.label];
  const [one, other] = labels;
  if (one !== undefined && other !== undefined && one !== other) return { earlier: one, later: other };
  const [before, after] = [earlier.run, later.run];
  if (before.id !== after.id) return { earlier: before.id, later: after.id };
  return { earlier: `${before.suite.name}/${before.id}`, later: `${after.suite.name}/${after.id}` };
}

function named(comparison: TwoRuns, { earlier, later }: RunNames): TwoRuns {
  const unfit = comparison.unfit.map((found) => ({ ...found, run: found.run === comparison.before ? earlier : later }));
  return { ...comparison, before: earlier, after: later, unfit };
}

function suitesOf({ earlier, later }: Pick<TwoRunsSource, 'earlier' | 'later'>): string {
  return [...new Set([earlier.run.suite.name, later.run.suite.name])].join(' and ');
}

function runWords(side: PairSide, source: TwoRunsSource, names: RunNames): Fill {
  const { run } = source[side];
  const report = source.reportOf(side);
  return html`<span>${capital(side)}: ${clockTime(run.createdAt)}</span>${names[side] !== run.id && html`<span>${run.id}</span>`}${
    report !== null && html`<a href="${report}">Report of ${names[side]}</a>`
  }`;
}

function outputsWords(changed: number, equal: number): string {
  const all = changed + equal;
  if (all === 0) return 'No output was delivered in both runs';
  if (changed === 0) return all === 1 ? 'The output is equal' : `All ${count(all)} outputs are equal`;
  return `${count(changed)} of ${plural(all, 'output')} changed`;
}

function equalWords(equal: readonly ComparedOutputs[]): string {
  const recoded = equal.filter(({ outputs: [one, other] }) => one.sha256 !== other.sha256).length;
  return `${plural(equal.length, 'equal output')}${recoded === 0 ? '' : `, ${count(recoded)} of them in other bytes`}`;
}

function leftOut(pairs: number): Markup | false {
  const more = pairs - MOST_PAIRS;
  return more > 0 && html`<p class="note">${count(more)} more ${more === 1 ? 'is' : 'are'} not shown.</p>`;
}

interface PairLook {
  readonly source: TwoRunsSource;
  readonly names: RunNames;
  readonly numberOf: (pair: ComparedOutputs) => number;
}

function pairArticle(pair: ComparedOutputs, { source, names, numberOf }: PairLook, isLarge: boolean): Markup {
  const { variant, prompt, seed, outputs, difference } = pair;
  const number = numberOf(pair);
  const words = `${prompt}, ${seed === null ? 'no seed' : `seed ${count(seed)}`}`;
  const heat = isLarge ? source.heatMap(outputs[0].sha256, outputs[1].sha256) : null;
  const found = differenceWords(difference);
  const side = (name: PairSide, at: 0 | 1): Markup => {
    const media = source.mediaOf(outputs[at], name, isLarge);
    const label = `${variant}, ${words}, ${names[name]}`;
    return outputFigure(media, label, isLarge ? `${name}: ${names[name]}` : 'both', 2 * number + at);
  };
  return html`<article class="prompt" data-pair="${number}"><h3><b>${variant}</b> ${words}${
    isLarge && found !== null && html` <small>${found}</small>`
  }</h3><div class="media">${side('earlier', 0)}${isLarge && side('later', 1)}${
    heat !== null &&
    html`<figure class="differs"><img class="difference" loading="lazy" decoding="async" alt="${`where ${words} of ${variant} differs`}" src="${dataUrl('image/webp', heat)}"><figcaption>difference ${differenceKey()}</figcaption></figure>`
  }</div></article>
`;
}

function outputFigure({ image, video, original }: PairMedia, label: string, caption: string, cell: number): Markup {
  const media =
    video !== null
      ? html`<video class="image" controls muted loop playsinline preload="${image === null ? 'metadata' : 'none'}" aria-label="${label}"${image !== null && html` poster="${image}"`} src="${video}"></video>`
      : image !== null && html`<img class="image" loading="lazy" decoding="async" alt="${label}" src="${image}">`;
  return html`<figure id="${`cell-${cell}`}">${
    media === false
      ? html`<span class="blank">no image stored</span>`
      : html`<span class="pick" data-cell="${cell}">${media}</span>`
  }<figcaption>${caption}${
    original !== null && html` <a class="original" href="${original}" aria-label="${`Original: ${label}`}">original</a>`
  }</figcaption></figure>`;
}

/** Bytes of small copies in a page: large ones while there is room, then thumbnails and previews. */
const MOST_LARGE_BYTES = 12_000_000;
const MOST_BYTES = 24_000_000;

/** @param read a file of thumbs/; null where it is gone */
export function embeddedMedia(
  read: (side: PairSide, sha256: string, format: '1024.webp' | 'webp' | 'mp4') => Uint8Array | null,
): TwoRunsSource['mediaOf'] {
  let bytes = 0;
  const taken = (found: Uint8Array | null, type: string, most: number): string | null => {
    if (found === null || bytes + found.length > most) return null;
    bytes += found.length;
    return dataUrl(type, found);
  };
  return ({ sha256 }, side, isLarge) => {
    const large = isLarge ? taken(read(side, sha256, '1024.webp'), 'image/webp', MOST_LARGE_BYTES) : null;
    return {
      image: large ?? taken(read(side, sha256, 'webp'), 'image/webp', MOST_BYTES),
      video: isLarge ? taken(read(side, sha256, 'mp4'), 'video/mp4', MOST_BYTES) : null,
      original: null,
    };
  };
}

/** The rows of `retake compare`. */
function numbersTable(comparison: TwoRuns): Markup {
  const text = (at: number) => (row: TableRow) => {
    const { value = '', evidence = '' } = row.cells[at] ?? {};
    return html`${value}${evidence !== '' && html` <small>${evidence}</small>`}`;
  };
  return table({
    label: 'Speed and rates of both runs',
    as: 'stack',
    classes: 'plain side-by-side',
    rows: twoRunsRows(comparison),
    columns: [
      { head: 'Variant', cell: ({ name }) => name },
      ...twoRunsHeads(comparison).map((head, at) => ({ head: capital(head), cell: text(at) })),
    ],
  });
}
