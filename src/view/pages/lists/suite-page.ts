import { count, plural } from '../../../kit/wording.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { GATE_VERDICTS } from '../../../record/codes.ts';
import { GATE_STATES } from '../../../report/verdict-statement.ts';
import {
  ALL_RUNS,
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
import { suiteLinks } from '../parts/run-words.ts';
import { type ListedRun, runsTable } from './runs-table.ts';
import { trendList } from './suite-row.ts';

export interface SuiteSource {
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
<label>Name of the run<input type="search" name="find" value="${find}" maxlength="200" autocomplete="off" spellcheck="false"></label>
<label>Gate<select name="gate"><option value="">any</option>${GATE_VERDICTS.map(
    (code) => html`<option value="${code}"${code === gate && html` selected`}>${GATE_STATES[code].words}</option>`,
  )}</select></label>
${sort !== null && html`<input type="hidden" name="sort" value="${sort}">`}<button>Find</button>${!isAll && html`<a href="${suiteAddress(suite)}">Show all</a>`}
</form>
`;
}
