import type { KeptAnswer } from '../../../gate/kept-verdict.ts';
import { lineState } from '../../../gate/run-state.ts';
import { shownName } from '../../../kit/names.ts';
import { timeLeftWords } from '../../../kit/time.ts';
import { count, duration, durationUnit, elapsed, unbroken } from '../../../kit/wording.ts';
import { toned } from '../../../markup/document.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import {
  keyOf,
  type RunOrder,
  type RunPlace,
  reportAddress,
  runAddress,
  type SortKey,
  suiteAddress,
} from '../../addresses.ts';
import type { RunOutline } from '../../progress/outline.ts';
import type { KnownLine } from '../../progress/suite-history.ts';
import { isLive, type MeasuringState, spendWords, stateMarkup, timeAgo } from '../parts/run-words.ts';

/** `outline` is null if the record cannot be read. */
export type ListedRun = RunPlace &
  Pick<MeasuringState, 'isInUse'> & {
    readonly line: KnownLine | null;
    readonly answer: KeptAnswer | null;
    readonly isBaseline: boolean;
  } & ({ readonly outline: RunOutline; readonly why: null } | { readonly outline: null; readonly why: string });

export interface RunsTableOptions {
  readonly label: string;
  readonly nowMs: number;
  /** Adds a column for the suite; false by default. */
  readonly saysSuite?: boolean;
  /** Makes the heads links; none by default. */
  readonly sorting?: Sorting;
}

export interface Sorting {
  readonly order: RunOrder;
  readonly keys: readonly SortKey[];
  readonly addressOf: (order: RunOrder) => string;
}

const COLUMNS: readonly { readonly title: string; readonly key?: SortKey }[] = [
  { title: 'Run', key: 'run' },
  { title: 'Suite' },
  { title: 'Gate', key: 'gate' },
  { title: 'State' },
  { title: 'Began', key: 'began' },
  { title: 'Took', key: 'took' },
  { title: 'p50' },
  { title: 'Requests', key: 'requests' },
  { title: 'Spend', key: 'spend' },
  { title: 'More' },
];

/** The first click sorts these downwards: readers look for the latest and the largest. */
const DOWNWARDS: ReadonlySet<SortKey> = new Set(['began', 'took', 'requests', 'spend']);

export function runsTable(runs: readonly ListedRun[], options: RunsTableOptions): Markup {
  const { label, nowMs, saysSuite = false, sorting = null } = options;
  const columns = COLUMNS.filter(({ title }) => saysSuite || title !== 'Suite');
  return html`<table class="${`plain side-by-side runs listed${saysSuite ? ' of-suites' : ''}`}" aria-label="${label}">
<thead><tr>${columns.map((column) => head(column, sorting))}</tr></thead>
<tbody>${runs.map((run) => row(run, { nowMs, saysSuite, columns: columns.length - 1 }))}</tbody></table>
${sorting !== null && sortLinks(sorting)}`;
}

function head({ title, key }: (typeof COLUMNS)[number], sorting: Sorting | null): Markup {
  if (sorting === null || key === undefined || !sorting.keys.includes(key)) return html`<th scope="col">${title}</th>`;
  const { order, addressOf } = sorting;
  const isNow = order.by === key;
  const to = orderAfter(order, key);
  return html`<th scope="col"${isNow && html` aria-sort="${order.isDescending ? 'descending' : 'ascending'}"`}><a class="sort" href="${addressOf(to)}">${title}</a></th>`;
}

/** On a narrow screen a table has no heads. */
function sortLinks({ order, keys, addressOf }: Sorting): Markup {
  const links = COLUMNS.flatMap(({ title, key }) =>
    key === undefined || !keys.includes(key)
      ? []
      : [
          html`<li><a href="${addressOf(orderAfter(order, key))}"${order.by === key && html` aria-current="true"`}>${title}</a></li>`,
        ],
  );
  return html`<ul class="actions sorts" aria-label="Sort the runs by"><li aria-hidden="true">Sort by</li>${links}</ul>
`;
}

function orderAfter(order: RunOrder, key: SortKey): RunOrder {
  return { by: key, isDescending: order.by === key ? !order.isDescending : DOWNWARDS.has(key) };
}

interface RowOptions {
  readonly nowMs: number;
  readonly saysSuite: boolean;
  readonly columns: number;
}

function row(listedRun: ListedRun, { nowMs, saysSuite, columns }: RowOptions): Markup {
  const { suite, run, line, answer, outline, why, isInUse, isBaseline } = listedRun;
  if (outline === null) {
    return html`<tr data-key="${keyOf(listedRun)}"><th scope="row"><a href="${reportAddress(listedRun)}">${run}</a></th><td class="why" data-label="State" colspan="${columns}"><span><span class="state bad">not readable</span>: ${why}</span></td></tr>
`;
  }
  const { measuring, createdAt, durationMs, variants, requests, planned, spend, left, label } = outline;
  const state: MeasuringState = { measuring, isInUse, line };
  const took = durationMs === 0 || isLive(state) ? null : elapsed(durationMs);
  const main = isInUse ? runAddress(listedRun) : reportAddress(listedRun);
  // Repeated requests, and warm-ups of several shards, are in no plan.
  const sent = requests >= planned ? count(requests) : `${count(requests)} of ${count(planned)}`;
  return html`<tr data-key="${keyOf(listedRun)}"><th scope="row"><a href="${main}">${run}</a>${label !== undefined && html`<small>${label}</small>`}${isBaseline && html` <span class="tag">stored baseline</span>`}${answerMarkup(answer)}</th>${
    saysSuite && html`<td data-label="Suite"><a href="${suiteAddress(suite)}">${suite}</a></td>`
  }<td data-label="Gate"${line === null && html` class="none"`}>${line === null ? '–' : stateOf(line, answer)}</td><td data-label="State">${stateMarkup(state)}${isLive(state) && left !== null && `, ${timeLeftWords(left.ms, left.mayEndEarly)}`}</td><td class="whole" data-label="Began">${timeAgo(createdAt, nowMs)}</td><td class="${took === null ? 'whole none' : 'whole'}" data-label="Took">${took ?? '–'}</td><td data-label="p50"><span>${mediansWords(variants, line)}</span></td><td class="whole" data-label="Requests">${sent}</td><td data-label="Spend"${spend === null && html` class="none"`}>${spendWords(spend)}</td><td data-label="More"><a href="${runAddress(listedRun)}" aria-label="${`Files and media of ${run}`}">files</a></td></tr>
`;
}

/** As the report of the run says it; what its line says where verdict.json is gone. */
export function stateOf(
  line: Pick<KnownLine, 'verdict' | 'complete' | 'notJudged'>,
  answer: KeptAnswer | null,
): Markup {
  return toned(answer?.state ?? lineState(line));
}

/** What came out, why nobody may rely on it, and the first warning. */
export function answerMarkup(kept: KeptAnswer | null): Markup {
  if (kept === null) return html``;
  const { answer, doubt, warning, state } = kept;
  const said = state.tone === 'bad' ? html`<span class="state bad">${answer}</span>` : answer;
  return html`${answer !== null && html`<small>${said}</small>`}${doubt !== null && html`<small><span class="state bad">${doubt}</span></small>`}${warning !== null && html`<small>${warning}</small>`}`;
}

const MOST_NAMED = 3;

/** `standard 245 ms, fast 122 ms`, without what is in use, which has no median here; of many variants only how many there are, and the lowest. */
function mediansWords(all: readonly string[], line: KnownLine | null): Markup {
  const variants = all.filter((variant) => shownName(variant) === variant);
  const medians = line?.medians ?? new Map<string, number>();
  const unit = durationUnit([...medians.values()]);
  if (variants.length > MOST_NAMED) {
    const lowest = Math.min(...medians.values());
    return html`${count(variants.length)} variants${medians.size > 0 && html`, <span class="whole">from ${duration(lowest, unit)}</span>`}`;
  }
  const words = variants.map((variant) => {
    const ms = medians.get(variant);
    return ms === undefined ? variant : `${variant} ${duration(ms, unit)}`;
  });
  return html`${words.map((text, at) => html`${at > 0 && ' '}<span class="median">${unbroken(text)}${at < words.length - 1 && ','}</span>`)}`;
}
