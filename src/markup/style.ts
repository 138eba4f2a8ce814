import { DIALOG_STYLE } from './style/dialog-style.ts';
import { OUTCOME_STYLE, SCORES_STYLE } from './style/outcome-style.ts';
import { REPORT_STYLE } from './style/report-style.ts';
import { PICK_STYLE, SHEET_STYLE, STRIP_STYLE } from './style/sheet-style.ts';

/** By the reader's scheme; every text has a contrast of at least 4.5 : 1. */
const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f6f3; --text: #1c1c1a; --muted: #5f5f59; --line: #e7e6e1; --rule: #c9c8c1;
  --accent: #0b5fa5; --tint: #e8f1f9; --dot: #33506b; --good: #1c6b3c; --bad: #b3261e; --bad-tint: #fbeceb;
  --warn: #7d5200; --warn-tint: #fdf5e4; --veil: rgb(20 20 18 / 55%);
  --phase-1: #33506b; --phase-2: #c7cdd3; --phase-3: #6f88a0; --phase-4: #e0a63a; --phase-5: #7f9a6a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #141517; --raised: #1c1e21; --text: #e9e8e4; --muted: #a5a49d; --line: #292b2f; --rule: #474a50;
    --accent: #7cbcf2; --tint: #182a3a; --dot: #a9bdd0; --good: #7fd0a0; --bad: #ff9388; --bad-tint: #38201e;
    --warn: #ecbf62; --warn-tint: #2e2614; --veil: rgb(0 0 0 / 70%);
    --phase-1: #a9bdd0; --phase-2: #555b63; --phase-3: #7d97b0; --phase-4: #d9a544; --phase-5: #93b07e;
  }
}
`;

const TEXT = `
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text); font-variant-numeric: tabular-nums;
  font-family: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Inter, Roboto, "Helvetica Neue", Arial, sans-serif;
  font-size: var(--body); line-height: 1.5; overflow-wrap: anywhere;
}
/* All sizes of type; what is drawn has the smallest. */
:root { --title: 1.625rem; --head: 1.25rem; --body: 0.9375rem; --small: 0.8125rem; --tiny: 0.75rem; }
h1, h2, h3, h4, p, ul, dl, dd, table { margin: 0; padding: 0; }
h1 { font-size: var(--title); line-height: 1.15; letter-spacing: -0.02em; font-weight: 650; }
h2 { font-size: var(--head); line-height: 1.25; letter-spacing: -0.012em; font-weight: 650; margin-bottom: 0.5rem; }
h3 { font-size: var(--body); font-weight: 650; margin: 2rem 0 0.75rem; }
h4 { font-size: var(--body); font-weight: 650; }
small { display: block; font-size: var(--small); line-height: 1.4; color: var(--muted); font-weight: 400; }
code { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.2em; }
q { unicode-bidi: isolate; }
.text, .grid tbody th small { unicode-bidi: plaintext; text-align: left; }
a.bad, span.bad { color: var(--bad); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.note { color: var(--muted); max-width: 46rem; margin-bottom: 1rem; }
.empty { color: var(--muted); padding: 1rem 0; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.skip { position: absolute; left: -100vw; background: var(--page); padding: 0.5rem 1rem; z-index: 2; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
html:not(.scripted) .with-script, .scripted .without-script { display: none; }
`;

const LAYOUT = `
.page { max-width: 76rem; margin: 0 auto; padding: 2.25rem 1.5rem 6rem; display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); column-gap: 3.5rem; }
nav { position: sticky; top: 2.25rem; align-self: start; font-size: var(--small); }
nav ul { list-style: none; display: grid; gap: 0.125rem; }
nav [aria-current=page] { color: var(--text); font-weight: 600; }
nav ul + ul { margin-top: 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
nav a { display: block; padding: 0.25rem 0; color: var(--muted); text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main > section { padding-top: 3.25rem; }
main > section:first-of-type { padding-top: 2rem; }
.eyebrow { font-size: var(--small); color: var(--accent); font-weight: 600; margin-bottom: 0.375rem; }
.lede { font-size: var(--body); color: var(--muted); max-width: 46rem; margin-top: 0.5rem; }
.meta { display: flex; flex-wrap: wrap; gap: 0.125rem 1.25rem; margin-top: 0.875rem; font-size: var(--small); color: var(--muted); }
.facts { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); border-top: 1px solid var(--rule); border-bottom: 1px solid var(--line); }
.facts > div { padding: 0.875rem 1.25rem 1rem 0; }
.facts dt { font-size: var(--small); color: var(--muted); }
.facts dd > span { font-size: var(--head); font-weight: 600; }
.facts p { font-size: var(--small); color: var(--muted); line-height: 1.4; margin-top: 0.125rem; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.state.warn { color: var(--warn); }
.headlines { list-style: none; font-size: var(--body); display: grid; gap: 0.25rem; margin-bottom: 1.25rem; max-width: 52rem; }
.results { list-style: none; font-size: var(--small); display: grid; gap: 0.375rem; margin-bottom: 1.25rem; }
.results .state { font-weight: 600; }
.warnings { list-style: none; display: grid; gap: 0.625rem; }
.warnings li { background: var(--warn-tint); border-left: 3px solid var(--warn); padding: 0.75rem 1rem; border-radius: 0 4px 4px 0; }
.warnings dl { margin-top: 0.25rem; font-size: var(--small); }
.warnings dl > div { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); }
.warnings.unfit { margin: 0.75rem 0; }
.warnings dt { color: var(--warn); font-weight: 600; }
.warnings.folded { gap: 0; }
.warnings.folded li { background: none; border: 0; border-bottom: 1px solid var(--line); border-radius: 0; padding: 0; }
.warnings.folded details { margin: 0; }
.warnings.folded summary { color: var(--text); font-size: var(--small); font-weight: 400; margin: 0 0 0 1rem; padding: 0.3125rem 0; list-style-position: outside; }
.warnings.folded summary::marker { color: var(--warn); }
.warnings.folded dl { margin: 0; padding: 0 0 0.5rem 1rem; }
.warnings.folded .more { border: 0; }
.warnings.folded .more > details > summary { color: var(--accent); font-weight: 500; }
.warnings.unfit li { background: var(--bad-tint); border-left-color: var(--bad); }
.warnings.unfit dt, .warnings.unfit strong { color: var(--bad); }
footer { grid-column: 2; margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: var(--small); }
`;

const TABLES = `
table { border-collapse: collapse; width: 100%; text-align: left; }
th { font-weight: 600; }
thead th { font-size: var(--small); font-weight: 500; color: var(--muted); vertical-align: bottom; padding: 0 1rem 0.375rem 0; border-bottom: 1px solid var(--rule); }
tbody td, tbody th { padding: 0.75rem 1rem 0.75rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { padding-right: 0; }
.number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; position: relative; }
.scroll table { overflow-wrap: break-word; }
.side-by-side .figure { font-size: var(--body); font-weight: 600; white-space: nowrap; }
.side-by-side .figure.none { color: var(--muted); font-weight: 400; }
.whole { white-space: nowrap; }
.side-by-side thead th { white-space: nowrap; }
.side-by-side tbody th { width: 20%; overflow-wrap: anywhere; }
.tag { font-size: var(--tiny); font-weight: 500; color: var(--accent); background: var(--tint); border-radius: 3px; padding: 0.0625rem 0.375rem; white-space: nowrap; }
.plain { font-size: var(--small); }
.plain tbody td, .plain tbody th, .failures tbody td, .failures tbody th { padding-block: 0.4375rem; }
.failures { font-size: var(--small); }
.failures tr:target { background: var(--tint); }
.failures.takes td { padding-right: 1rem; }
.failures .wide-cell { max-width: 26rem; overflow-wrap: anywhere; }
.pairs > div, .definitions > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 1rem; padding: 0.4375rem 0; border-bottom: 1px solid var(--line); font-size: var(--small); }
.definitions > div { grid-template-columns: 10.5rem minmax(0, 1fr); }
.pairs.rates > div { grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); }
.pairs dt, .definitions dt { color: var(--muted); }
.pairs dd { overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 3rem; }
.methods { padding-left: 1.125rem; font-size: var(--small); color: var(--muted); }
details { margin-top: 2rem; }
summary { cursor: pointer; color: var(--accent); font-weight: 600; margin-bottom: 0.5rem; }
`;

const FIGURES = `
.chart { display: block; width: 100%; height: auto; overflow: visible; font-family: inherit; font-variant-numeric: tabular-nums; }
.chart text { white-space: pre; paint-order: stroke; }
.plot { overflow-x: auto; }
.plot.narrow { display: none; }
#comparison .plot { margin-top: 0.75rem; }
.worst { margin: 0.75rem 0 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.375rem 1.5rem; font-size: var(--small); color: var(--muted); }
.swatch { width: 0.875rem; height: 0.875rem; border-radius: 2px; forced-color-adjust: none; }
.swatch.phase-1 { background: var(--phase-1); } .swatch.phase-2 { background: var(--phase-2); } .swatch.phase-3 { background: var(--phase-3); }
.swatch.phase-4 { background: var(--phase-4); } .swatch.phase-5 { background: var(--phase-5); }
.plot.sweep { margin-bottom: 1rem; }
.steps small { white-space: nowrap; }
.steps small.why { white-space: normal; max-width: 12rem; margin-left: auto; }
.steps tbody th { vertical-align: top; }
.steps tbody:not(:last-child) tr:last-child td { border-bottom-color: var(--rule); }
.legend + .statements, .legend + .plot, .legend + .plot + .plot { margin-top: 1rem; }
.legend li { display: flex; gap: 0.5rem; align-items: center; }
.statements { list-style: none; font-size: var(--small); display: grid; gap: 0.25rem; margin-bottom: 1rem; color: var(--muted); }
.statements b { color: var(--text); font-weight: 600; }
.cell { display: inline-grid; place-items: center; width: 1.625rem; height: 1.625rem; border-radius: 3px; font-size: var(--small); font-weight: 600; line-height: 1; text-decoration: none; }
.cell.byte { background: var(--tint); color: var(--accent); }
.cell.pixel { background: var(--tint); color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.cell.near { color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.cell.similar { background: var(--warn-tint); color: var(--warn); }
.cell.related { background: var(--warn-tint); color: var(--warn); box-shadow: inset 0 0 0 1px var(--warn); }
.cell.different { background: var(--bad-tint); color: var(--bad); box-shadow: inset 0 0 0 1.5px var(--bad); }
.cell.few { color: var(--muted); box-shadow: inset 0 0 0 1px var(--line); }
.levels { width: auto; margin: 0.75rem 0 0.5rem; }
.levels th, .levels td { padding: 0.375rem 1.5rem 0.375rem 0; vertical-align: top; }
.levels td { white-space: nowrap; }
.grid { width: auto; }
.grid thead th { padding: 0 0.125rem 0.25rem; text-align: center; border: 0; min-width: 1.875rem; }
.grid:not(.upright) thead th { white-space: nowrap; }
.grid thead th { vertical-align: bottom; }
.grid thead tr:first-child th { color: var(--text); font-weight: 600; }
.grid thead th[rowspan] { text-align: left; }
.grid tbody td { padding: 0.125rem; border: 0; text-align: center; }
.grid tbody th { padding: 0.125rem 1rem 0.125rem 0; border: 0; font-weight: 400; vertical-align: middle; max-width: 20rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.grid tbody th small { overflow: hidden; text-overflow: ellipsis; line-height: 1.2; }
.statements b { overflow-wrap: anywhere; }
.grid tbody th { position: sticky; left: 0; z-index: 1; background: var(--page); }
.grid .first { padding-left: 1.25rem; }
`;

const SCREENS = `
@media screen and (max-width: 60rem) {
  .page { display: block; padding: 2rem 1.25rem 4rem; }
  nav { position: static; margin-bottom: 1.75rem; border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1.125rem; }
}
@media screen and (max-width: 46rem) {
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .columns { display: block; }
  .definitions > div { display: block; }
  .plot.narrow { display: block; }
  .plot.narrow + .plot.wide { display: none; }
  .plot.wide .chart { min-width: 40rem; }
  .side-by-side thead { display: none; }
  .side-by-side.sortable:has(.sort) thead { display: block; margin-bottom: 0.5rem; }
  .side-by-side.sortable thead tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem; padding: 0; border: 0; }
  .side-by-side.sortable thead tr::before { content: "Sort by"; font-size: var(--small); color: var(--muted); }
  .side-by-side.sortable thead th { display: none; }
  .side-by-side.sortable thead th:has(.sort) { display: block; width: auto; border: 0; padding: 0; }
  .sortable .sort { padding: 0.125rem 0.5rem; border: 1px solid var(--rule); border-radius: 4px; background: var(--raised); }
  .grid tbody th { max-width: 8.5rem; padding-right: 0.5rem; }
  .failures tr:target { background: var(--tint); }
.failures.takes td { padding-right: 1rem; }
.failures .wide-cell { max-width: none; }
  .side-by-side, .side-by-side tbody, .side-by-side tr, .side-by-side th, .side-by-side td { display: block; width: auto; }
  .side-by-side tr { padding: 0.875rem 0; border-bottom: 1px solid var(--line); }
  .side-by-side tr:first-child { border-top: 1px solid var(--rule); }
  .side-by-side tbody th, .side-by-side tbody td { border: 0; padding: 0.25rem 0; width: auto; }
  .side-by-side tbody td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 0.75rem; }
  .side-by-side tbody td::before { content: attr(data-label); color: var(--muted); font-size: var(--small); grid-row: 1 / span 4; padding-top: 0.25rem; }
  .side-by-side .figure { font-size: var(--body); }
  .side-by-side:not(.board) small.whole { white-space: normal; }
}
@page { margin: 14mm 12mm; @bottom-right { content: counter(page) " of " counter(pages); font: 9pt sans-serif; color: #444; } }
@media print {
  :root { --page: #fff; --raised: #f6f6f3; --text: #000; --muted: #444; --line: #ddd; --rule: #999; --accent: #0b5fa5; --tint: #e8f1f9; --dot: #33506b; --bad: #b3261e; --bad-tint: #fff; --warn: #6b4600; --warn-tint: #fff; --good: #1c6b3c; --phase-1: #33506b; --phase-2: #c7cdd3; --phase-3: #6f88a0; --phase-4: #e0a63a; --phase-5: #7f9a6a; color-scheme: light; }
  nav, .skip, .with-script { display: none; }
  .page { display: block; max-width: none; padding: 0; }
  html { font-size: 12px; }
  .note { break-inside: avoid; }
  .jump { display: none; }
  main > section { padding-top: 1.5rem; }
  .scroll, .plot { overflow: visible; }
  tr, .plot, .warnings li, .brief li, .results li, .pairs > div, .definitions > div { break-inside: avoid; }
  .every:not([open]) { display: none; }
  summary { color: var(--text); list-style: none; }
  a { color: inherit; text-decoration: none; }
  h2, h3, h4 { break-after: avoid; }
  .grid tbody th { position: static; }
  .cell, .swatch { print-color-adjust: exact; }
}
/* Firefox knows no break-after: avoid. A heading reaches over what follows it, so that both stand on one page. */
@supports (-moz-appearance: none) {
  @media print {
    h2, h3, h4 { break-inside: avoid; }
    :is(h2, h3, h4:not(.strip *))::after { content: ""; display: block; height: 14rem; margin-bottom: -14rem; }
    :is(h2, #images h4)::after { height: 19rem; margin-bottom: -19rem; }
    .side-by-side:not(:has(tr:nth-child(9))) { break-inside: avoid; }
    /* Otherwise a whole kind moves to the next page where only its end finds no room. */
    .kind { display: flow-root; }
  }
}
`;

export const STYLE =
  COLOURS +
  TEXT +
  LAYOUT +
  TABLES +
  FIGURES +
  SCREENS +
  PICK_STYLE +
  SHEET_STYLE +
  DIALOG_STYLE +
  STRIP_STYLE +
  OUTCOME_STYLE +
  REPORT_STYLE;

const HISTORY = `
.variant { padding-bottom: 1.5rem; }
.variant .note { margin-bottom: 0.5rem; }
.first-and-last { display: grid; grid-template-columns: repeat(2, minmax(0, 10rem)) minmax(0, 1fr); gap: 0.75rem; margin: 0.5rem 0 1rem; }
.first-and-last figure { margin: 0; min-width: 0; }
.first-and-last img { display: block; width: 100%; max-height: 10rem; object-fit: contain; object-position: left; }
.first-and-last figcaption { margin-top: 0.25rem; font-size: var(--small); overflow-wrap: anywhere; }
details.more { margin-top: 0.75rem; font-size: var(--small); }
tbody th[scope=rowgroup] { padding-top: 1.25rem; color: var(--muted); font-weight: 500; }
table .tag { margin-left: 0.25rem; }
.plain thead th { white-space: nowrap; }
.plain tbody th { white-space: nowrap; font-weight: 500; }
.side-by-side.lines tbody th { width: auto; }
@media screen and (max-width: 46rem) {
  .first-and-last { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .first-and-last .note { grid-column: 1 / -1; }
  .side-by-side.lines tbody tr { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; padding: 0.625rem 0; }
  .side-by-side.lines tbody th { flex: 1 0 100%; white-space: normal; overflow-wrap: anywhere; padding: 0; }
  .side-by-side.lines tbody td { display: block; padding: 0; }
  .side-by-side.lines tbody td::before { content: attr(data-label) " "; padding: 0; }
}
`;

/** The page of a run with scores. */
export const SCORED_STYLE = STYLE + SCORES_STYLE;

export const HISTORY_STYLE = COLOURS + TEXT + LAYOUT + TABLES + FIGURES + HISTORY + SCREENS;

/** For every page: colours, text, layout, tables and charts. */
export const BASE_STYLE = COLOURS + TEXT + LAYOUT + TABLES + FIGURES + SCREENS;

/** For pages beside reports that show outputs as reports do. */
export const OUTPUTS_STYLE = BASE_STYLE + OUTCOME_STYLE + PICK_STYLE + DIALOG_STYLE;
