import { GATE_STATES } from '../../../gate/verdict-statement.ts';
import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { GATE_VERDICTS } from '../../../record/codes.ts';
import {
  ALL_RUNS,
  INDEX_ADDRESS,
  indexAddress,
  keyOf,
  orderOf,
  type RunListing,
  type RunOrder,
  type SortKey,
  sortOf,
  suiteAddress,
} from '../../addresses.ts';
import type { HeadlineTrend } from '../../progress/suite-history.ts';
import { compareForm, type RunChoice } from '../parts/compare-form.ts';
import { SCRIPT } from '../parts/follow-script.ts';
import { freshness, type Page, type Part, page, pager } from '../parts/page.ts';
import { COMPARE_LINK, INDEX_LINK, suiteLinks } from '../parts/run-words.ts';
import { type ListedRun, runsTable } from './runs-table.ts';
import { type ListedSuite, suiteRow, trendList, trendWords } from './suite-row.ts';

export interface IndexSource {
  /** The name of the folder of all results. */
  readonly folder: string;
  readonly isThere: boolean;
  /** Number of all suites. */
  readonly of: number;
  /** Empty: everything is shown. */
  readonly find: string;
  /** Those that need a look first. */
  readonly suites: readonly ListedSuite[];
  /** The latest run of each other suite. */
  readonly others: readonly ListedRun[];
  /** Number of suites that are not shown. */
  readonly more: number;
  readonly running: readonly ListedRun[];
  /** In all suites. */
  readonly matchingRuns: readonly ListedRun[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export function indexPage(source: IndexSource): Page {
  const { folder, isThere, of, find, suites, others, more, running, matchingRuns, nowMs } = source;
  const isEmpty = suites.length + matchingRuns.length === 0;
  return page({
    title: find === '' ? `All suites in ${folder}` : `“${find}” in ${folder}`,
    links: [INDEX_LINK, COMPARE_LINK, ...suites.map(({ suite }) => ({ href: suiteAddress(suite), title: suite }))],
    ...(find === '' && { here: INDEX_ADDRESS }),
    script: SCRIPT,
    content: html`<header class="title">
<p class="eyebrow">Retake results</p>
<h1>${folder}</h1>
<p class="meta"><span>${plural(of, 'suite')}</span></p>
${freshness(indexAddress(find))}</header>
${of > 0 && searchForm(find)}${
  of === 0 &&
  (isThere
    ? html`<p class="empty">There is no run yet. Measure a suite with <code>retake run</code>; the run appears here.</p>`
    : html`<p class="empty">The folder was deleted or moved. Put it back; its runs appear here again.</p>`)
}${
  isEmpty &&
  of > 0 &&
  html`<p class="empty">No suite and no run has “${find}” in its name. <a href="${INDEX_ADDRESS}">Show all</a></p>`
}${runsSection('running', 'In progress', running, nowMs)}${runsSection(
  'found',
  `Runs with “${find}” in their names`,
  matchingRuns,
  nowMs,
)}${suites.length > 0 && suitesSection(suites, nowMs)}${runsSection(
  'others',
  'More suites',
  others,
  nowMs,
  html`<p class="note">The latest run of each.${more > 0 && html` ${plural(more, 'suite')} not shown: find one by its name.`}</p>
`,
)}`,
  });
}

function searchForm(find: string): Markup {
  return html`<form class="choice" action="${INDEX_ADDRESS}" method="get" role="search">
<label>Suite or run<input type="search" name="find" value="${find}" maxlength="200" autocomplete="off" spellcheck="false"></label>
<button>Find</button>${find !== '' && html`<a href="${INDEX_ADDRESS}">Show all</a>`}
</form>
`;
}

function runsSection(
  id: string,
  title: string,
  runs: readonly ListedRun[],
  nowMs: number,
  note?: Markup,
): Markup | null {
  if (runs.length === 0) return null;
  return html`<section aria-labelledby="${id}" data-key="${id}"><h2 id="${id}">${title}</h2>
${note}${runsTable(runs, { label: title, nowMs, saysSuite: true })}</section>
`;
}

function suitesSection(suites: readonly ListedSuite[], nowMs: number): Markup {
  const [first] = suites;
  const [alone, hasImages] = [suites.length === 1 ? first : undefined, suites.some(({ shown }) => shown !== null)];
  const trends = suites.flatMap((suite) => suite.trends);
  const notes = [
    ...(hasImages ? ['Images are those of the prompt and seed that changed most against the baseline variant.'] : []),
    ...(trends.length > 0 ? [trendWords(trends)] : []),
  ];
  return html`<section aria-labelledby="suites" data-key="suites"><h2 id="suites" class="quiet">Suites</h2>
${suites.map((suite, at) => suiteRow(suite, at, nowMs))}${notes.length > 0 && html`<p class="note fine">${notes.join(' ')}</p>`}${
  alone !== undefined &&
  alone.latest.length > 1 &&
  html`<h3>Latest runs</h3>
${runsTable(alone.latest, { label: `Latest runs of ${alone.suite}`, nowMs })}`
}</section>
`;
}

interface SuiteSource {
  readonly suite: string;
  readonly trends: readonly HeadlineTrend[];
  readonly listing: RunListing;
  readonly sortKeys: readonly SortKey[];
  readonly runs: readonly ListedRun[];
  /** Of the runs that the filter leaves. */
  readonly part: Part;
  /** Number of all its runs. */
  readonly of: number;
  /** Runs to compare, the latest first. */
  readonly choices: readonly RunChoice[];
  readonly nowMs: number;
}

export interface ListingQuery {
  readonly find?: unknown;
  readonly gate?: unknown;
  readonly sort?: unknown;
}

/** Without a query every run, the latest first. */
export function listingOf({ find, gate, sort }: ListingQuery): RunListing {
  return {
    find: typeof find === 'string' ? find.slice(0, 200) : ALL_RUNS.find,
    gate: GATE_VERDICTS.find((code) => code === gate) ?? ALL_RUNS.gate,
    order: orderOf(sort),
  };
}

export function suitePage({ suite, trends, listing, sortKeys, runs, part, of, choices, nowMs }: SuiteSource): Page {
  const [latest, before] = choices;
  const isAll = listing.find === '' && listing.gate === null;
  const addressOf = (order: RunOrder) => suiteAddress(suite, 0, { ...listing, order });
  const sorting = { order: listing.order, keys: sortKeys, addressOf };
  return page({
    title: suite,
    links: suiteLinks(suite),
    here: suiteAddress(suite),
    script: SCRIPT,
    content: html`<header class="title">
<p class="eyebrow">Retake suite</p>
<h1>${suite}</h1>
<p class="meta"><span>${isAll ? plural(of, 'run') : `${count(part.of)} of ${plural(of, 'run')}`}</span></p>
${freshness(suiteAddress(suite, part.from, listing))}</header>
<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
${trendList(suite, trends)}${of > 1 && filterForm(suite, listing, isAll)}${
  runs.length === 0
    ? html`<p class="empty">${isAll ? 'There is no run here.' : 'No run is like this.'}</p>`
    : runsTable(runs, { label: `Runs of ${suite}`, nowMs, ...(runs.length > 1 && { sorting }) })
}${pager(part, 'Runs', (from) => suiteAddress(suite, from, listing))}</section>
${
  latest !== undefined &&
  before !== undefined &&
  html`<section aria-labelledby="compare"><h2 id="compare">Compare two runs</h2>
${compareForm(choices, { a: keyOf(before), b: keyOf(latest) })}</section>
`
}`,
  });
}

function filterForm(suite: string, { find, gate, order }: RunListing, isAll: boolean): Markup {
  const sort = sortOf(order);
  return html`<form class="choice" action="${suiteAddress(suite)}" method="get" role="search">
<label>Name or label<input type="search" name="find" value="${find}" maxlength="200" autocomplete="off" spellcheck="false"></label>
<label>Gate<select name="gate"><option value="">any</option>${GATE_VERDICTS.map(
    (code) => html`<option value="${code}"${code === gate && html` selected`}>${GATE_STATES[code].words}</option>`,
  )}</select></label>
${sort !== null && html`<input type="hidden" name="sort" value="${sort}">`}<button>Find</button>${!isAll && html`<a href="${suiteAddress(suite)}">Show all</a>`}
</form>
`;
}
