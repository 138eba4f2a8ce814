import { KIND_NAMES } from '../../kit/names.ts';

const KINDS = Object.keys(KIND_NAMES);

/** Of the kind in the address, or of what the address leads to; without one, of the first. The script says it itself. */
function shows(kind: string): readonly string[] {
  const leads = `[data-kind="${kind}"]:target, [data-kind="${kind}"] :target`;
  return [
    `html[data-shown="${kind}"] main`,
    `html:not([data-shown]):has(${leads}) main`,
    `html:not([data-shown]):not(:has([data-kind]:target, [data-kind] :target)) main[data-first="${kind}"]`,
  ];
}

const TABS = `

.kinds { display: none; position: sticky; top: 0; z-index: 3; background: var(--page); padding: 0.375rem 0; margin-top: 0.375rem; }
.kinds ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.375rem; }
.kinds a { display: block; padding: 0.125rem 0.75rem; border: 1px solid var(--rule); border-radius: 1rem; font-size: var(--small); color: var(--muted); text-decoration: none; white-space: nowrap; }
.kinds a:hover { color: var(--accent); border-color: var(--accent); }
@media screen { .report .run-head nav, .report .kinds { border: 0; margin-bottom: 0; } .report .run-head nav { padding: 0; } .report .kinds { padding: 0.375rem 0; } }
@media screen and (max-width: 46rem) { .kinds ul { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; } }
@supports selector(html:has(:target)) {
  .kinds { display: block; }
  main[data-first] .kind-name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
${KINDS.map((kind) => {
  const those = shows(kind);
  return `  ${those.map((main) => `${main} [data-kind]:not([data-kind="${kind}"])`).join(',\n  ')} { display: none; }
  ${those.map((main) => `${main} .kinds a[href="#${kind}"]`).join(',\n  ')} { color: var(--accent); border-color: var(--accent); background: var(--tint); font-weight: 600; }
`;
}).join('')}}
`;

const HEAD = `
html:has(.report) { scroll-padding-top: 3.25rem; }
.page.report { display: block; max-width: 93.75rem; padding: 0.875rem 1.5rem 4rem; }
.report .run-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.125rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); font-size: var(--small); color: var(--muted); }
.run-head h1 { font-size: var(--head); letter-spacing: -0.01em; color: var(--text); }
.run-head nav { position: static; margin: 0 0 0 auto; padding: 0; border: 0; font-size: var(--small); display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.run-head nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.run-head nav ul + ul { margin: 0; padding: 0; border: 0; }
.run-head nav a, a.chip { text-decoration: none; }
.run-head nav a:hover { text-decoration: underline; }
a.warn { color: var(--warn); }
.chip { border-radius: 4px; padding: 0.0625rem 0.5rem; font-weight: 600; color: var(--page); background: var(--muted); }
.chip.good { background: var(--good); } .chip.bad { background: var(--bad); } .chip.warn { background: var(--warn); }
a.chip.good, a.chip.bad, a.chip.warn { color: var(--page); }
.report main > section:first-of-type, .report main > #outcome { padding-top: 0.75rem; }
.report main > section { padding-top: 2rem; }
.report main > #looks { padding-top: 0.25rem; }
.report footer { margin-top: 3rem; }
.answer { scroll-margin-top: 100vh; }
#outcome .headlines { font-size: var(--title); line-height: 1.25; font-weight: 650; letter-spacing: -0.012em; gap: 0; margin: 0; max-width: none; text-wrap: pretty; }
#outcome .headlines.more { font-size: var(--body); font-weight: 400; letter-spacing: 0; }
#outcome .headlines .void { color: var(--muted); font-weight: 400; }
#outcome .fold { margin: 0.25rem 0 0; }
#outcome .results, #outcome .brief { font-size: var(--small); margin-bottom: 0.375rem; gap: 0.125rem; max-width: none; }
#outcome p.results { display: block; }
#outcome .warnings.unfit { margin: 0 0 0.5rem; }
#outcome .warnings.unfit li { padding: 0.375rem 0.75rem; }
#outcome .warnings.unfit .fold { margin: 0; }
#outcome .warnings.unfit strong { display: block; }
#outcome .warnings.unfit strong::first-letter { text-transform: uppercase; }
#looks > section { padding-top: 1.25rem; }
#looks .board thead th { top: 2.5rem; }
#looks .tall .board thead th { top: 0; }
.passed { margin: 0.5rem 0 0; font-size: var(--small); }
.short { display: grid; grid-template-columns: repeat(3, minmax(0, auto)); justify-content: start; gap: 0.25rem 2.5rem; margin: 0.25rem 0 0.375rem; font-size: var(--small); color: var(--muted); }
.squares-legend { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.squares-legend .squares { vertical-align: -0.1875rem; }
.short div { display: flex; flex-wrap: wrap; gap: 0 0.375rem; }
.short dt { font-weight: 650; color: var(--text); }
@media screen and (max-width: 46rem) {
  .page.report { padding: 0.625rem 0.875rem 3rem; }
  .report .run-head { gap: 0.125rem 0.75rem; }
  .run-head nav { margin: 0; }
  .run-head .when { display: none; }
  .scripted .choice .text { display: none; }
  .choice .switch .of { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  #outcome .headlines { font-size: var(--head); }
  .short { display: block; }
}
@media print {
  .report .run-head > nav { display: none; }
  .kinds { position: static; }
}
`;

/** Titles and notes stand in the margin where there is room. */
const SECTIONS = `
.part .under { font-size: var(--small); display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: 0.25rem; }
.report .part > h2 { padding-bottom: 0.25rem; margin: 0; }
.report .part > section, .report .long > section { padding-top: 1.25rem; }
.report .part h3, #looks > section h3 { font-size: var(--body); margin: 0 0 0.25rem; }
.about .note { font-size: var(--small); line-height: 1.4; margin-bottom: 0.25rem; max-width: 46rem; }
.about .fold { margin: 0 0 0.5rem; font-size: var(--small); }
.about .fold summary, .content .fold summary { font-size: var(--small); }
.plot.wide .chart { max-width: 66rem; }
.plot.narrow .chart { max-width: 30rem; }
@media screen and (min-width: 76.01rem) {
  .report .part > section, .report .long > section, #looks > section { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); column-gap: 1.5rem; }
  .report .about { position: sticky; top: 3rem; align-self: start; }
}
`;

const LIKENESS = `
:root { --same: #cfe6d8; --same-line: #8fbfa3; --changed: #f6dfae; --changed-line: #8a5a00; --another: #e3b5ae; --another-line: #8c1f17; }
@media screen and (prefers-color-scheme: dark) { :root { --same: #24503a; --same-line: #5a9c78; --changed: #4f3d13; --changed-line: #ecbf62; --another: #5e2a25; --another-line: #ff9388; } }
.likes { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.125rem 0.5rem; margin-top: 0.125rem; }
.squares { max-width: 100%; height: auto; forced-color-adjust: none; print-color-adjust: exact; }
.squares .on rect { stroke: var(--text); stroke-width: 2.5; }
.likes b { font-weight: 650; white-space: nowrap; }
.sheet .scale { display: none; }
.others-of { position: absolute; left: 0.375rem; bottom: 0.375rem; padding: 0 0.4375rem; border-radius: 3px; font-size: var(--tiny); color: #fff; background: rgb(0 0 0 / 60%); pointer-events: none; }
.strip .scale { position: absolute; left: 0.375rem; top: 0.375rem; padding: 0.0625rem 0.4375rem; line-height: 1.5; border-radius: 3px; font-size: var(--tiny); color: #fff; background: rgb(0 0 0 / 60%); pointer-events: none; }
.strip .shown:has(.like) .scale { top: 2rem; }
.report .strip figcaption small.change { grid-column: 2; text-align: right; white-space: nowrap; }
.report .strip figcaption small.evidence { grid-column: 1; }
.report .strip figcaption small.evidence:last-of-type { grid-column: 1 / -1; }
.rows { display: flex; align-items: center; gap: 0.75rem; margin-top: 0.5rem; font-size: var(--tiny); color: var(--muted); line-height: 1.25; }
.rows > span { flex: 0 0 4.5rem; }
.row-links { display: flex; gap: 0.375rem; overflow-x: auto; min-width: 0; padding: 3px; scrollbar-width: thin; }
.row-links a { position: relative; flex: none; display: block; width: 4.375rem; height: 2.75rem; border-radius: 3px; overflow: hidden; background: var(--raised); color: inherit; text-decoration: none; }
.row-links img, .row-links .blank { width: 100%; height: 100%; object-fit: cover; display: block; }
.row-links .blank { border: 0; padding: 0.125rem; font-size: var(--tiny); overflow: hidden; min-height: 0; }
.row-links .ssim { position: absolute; right: 2px; bottom: 2px; padding: 0 3px; border-radius: 2px; background: rgb(0 0 0 / 72%); color: #fff; line-height: 1.3; }
.row-links a[aria-current] { outline: 2px solid var(--text); outline-offset: 1px; }
.rows .all { white-space: nowrap; }
#looks > .note.fine { margin: 0.375rem 0 0; max-width: none; }
@media screen and (max-width: 46rem) { .strip .scale { display: none; } .report .strip figcaption small.change { text-align: left; } .rows { display: block; } .rows > span { display: block; margin-bottom: 0.125rem; } }
@media print { .row-links { flex-wrap: wrap; overflow: visible; } }
`;

const FIRST_IMAGES = `
.report .strip { padding: 0; }
.choice { display: flex; flex-wrap: wrap; align-items: center; gap: 0.125rem 0.75rem; margin-bottom: 0.375rem; font-size: var(--small); }
.report .choice h4 { margin: 0; font-size: var(--small); font-weight: 600; }
.report .choice .text { flex: 1 1 12rem; margin: 0; min-width: 0; -webkit-line-clamp: 1; font-size: var(--small); }
.report .choice .switch { margin: 0; order: 2; font-size: var(--small); margin-left: auto; }
.report .strip-images { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 0.75rem; max-width: none; }
#looks .lone .strip-images { max-width: 24rem; }
.report .strip figure { display: block; margin: 0; min-width: 0; }
.strip .shown { position: relative; }
.report .strip .image, .report .strip .blank { width: 100%; max-height: clamp(14rem, 50.5vh, 31rem); }
.report .strip .image { background: none; }
.report .strip .blank { min-height: 9rem; }
.report .strip figcaption { align-self: start; display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; gap: 0 0.625rem; margin: 0.375rem 0 0; font-size: var(--small); }
.strip figcaption .who { font-size: var(--body); overflow-wrap: anywhere; }
.strip figcaption .much { font-size: var(--head); font-weight: 650; line-height: 1.2; text-align: right; }
.much .per { font-size: var(--small); font-weight: 400; }
.strip figcaption .much.none { color: var(--muted); }
.report .strip figcaption small { display: block; grid-column: 1 / -1; margin: 0; }
.strip .original, .scripted .output:has(.image) .original { display: none; }
@media screen and (min-width: 46.01rem), print {
  .report .fold .strip-images { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
  .report .strip-images:has(> figure:nth-child(3):last-child) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .report .strip-images:has(> figure:nth-child(4)) { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .report .strip-images:has(> figure:nth-child(5)) { grid-template-columns: repeat(5, minmax(0, 1fr)); }
  .report .strip-images:has(> figure:nth-child(2):last-child) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 36rem), 1fr)); max-width: none; }
  .report .strip-images:has(> figure:nth-child(2):last-child) figure { display: grid; grid-template-columns: minmax(0, 24rem) minmax(8rem, 1fr); gap: 0.75rem; align-items: start; }
  .report .strip-images:has(> figure:nth-child(2):last-child) figcaption { display: block; margin: 0; }
  .report .strip-images:has(> figure:nth-child(2):last-child) figcaption > * { display: block; text-align: left; }
}
@media screen and (min-width: 46.01rem) {
  #looks .lone { display: grid; grid-template-columns: 24rem minmax(0, 1fr); gap: 0 1.25rem; }
  #looks .lone > .choice { grid-column: 1 / -1; }
  #looks .lone .rows { display: block; margin: 0; }
  #looks .lone .row-links { flex-wrap: wrap; }
  #looks .lone .row-links a { width: 11rem; height: 11rem; }
}
@media screen and (max-width: 46rem) {
  .report .strip-images { grid-template-columns: none; grid-auto-flow: column; grid-auto-columns: calc(50% - 0.25rem); gap: 0.5rem; overflow-x: auto; scroll-snap-type: x proximity; scrollbar-width: thin; }
  .report .strip-images:has(> figure:nth-child(3)) { grid-auto-columns: calc(50% - 0.875rem); }
  .report .lone .strip-images { grid-auto-columns: 100%; }
  .report .strip figure { scroll-snap-align: end; order: 3; }
  .strip:not(.many) figure:has(.like.changed) { order: 2; }
  .strip:not(.many) figure:has(.like.another) { order: 1; }
  .report .strip-images > figure:first-child { order: 0; position: sticky; left: 0; z-index: 1; background: var(--page); }
  .report .strip figcaption { display: block; }
  .strip figcaption .much { display: block; text-align: left; }
  .report .strip .image, .report .strip .blank { max-height: 14rem; }
}
`;

const BARE = `
.report .bare .strip-images { display: grid; grid-auto-flow: row; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); overflow: visible; }
.report .bare .strip-images > figure:first-child { position: static; }
`;

/** Only report.html: what stands at the sides of other pages is at its head. */
export const REPORT_STYLE = HEAD + TABS + SECTIONS + FIRST_IMAGES + LIKENESS + BARE;
