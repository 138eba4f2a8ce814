export const VIEW_STYLE = `
main > section:first-of-type { padding-top: 2.25rem; }
.side-by-side.runs tbody td, .side-by-side.runs tbody th { padding-block: 0.4375rem; font-size: 0.875rem; }
.side-by-side.runs tbody th { width: auto; font-weight: 500; }
.side-by-side.listed:not(.of-suites) { table-layout: fixed; }
.listed:not(.of-suites) thead th:nth-child(1) { width: 20.5%; }
.listed:not(.of-suites) thead th:nth-child(2) { width: 10.5%; }
.listed:not(.of-suites) thead th:nth-child(3) { width: 9.5%; }
.listed:not(.of-suites) thead th:nth-child(4) { width: 11.5%; }
.listed:not(.of-suites) thead th:nth-child(5) { width: 8%; }
.listed:not(.of-suites) thead th:nth-child(6) { width: 13%; }
.listed:not(.of-suites) thead th:nth-child(7) { width: 9.5%; }
.listed:not(.of-suites) thead th:nth-child(9) { width: 5%; }
.listed .sort { color: inherit; text-decoration: none; white-space: nowrap; }
.listed .sort:hover { color: var(--accent); }
.sort::after { content: "\\2195" / ""; margin-left: 0.25rem; color: var(--muted); }
[aria-sort=ascending] .sort::after { content: "\\2191" / ""; color: var(--accent); }
[aria-sort=descending] .sort::after { content: "\\2193" / ""; color: var(--accent); }
main { overflow-anchor: none; }
.scripted .without-script { display: none; }
.side-by-side.runs .state { white-space: nowrap; }
.choice + section { padding-top: 1.5rem; }
.choice input { width: 15rem; }
.actions { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.75rem 0 0; font-size: 0.875rem; }
.trends { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr)); gap: 0.25rem 2rem; margin: 0.75rem 0 1.25rem; font-size: 0.8125rem; color: var(--muted); }
.trends li { display: grid; grid-template-columns: minmax(0, 1fr) 6rem 4.25rem; gap: 0.5rem; align-items: center; }
.trends .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--text); }
.trends b { grid-column: 3; font-weight: 600; color: var(--text); text-align: right; }
.suite { display: grid; grid-template-columns: minmax(12rem, 17rem) minmax(0, 1fr); gap: 0.75rem 2rem; padding: 1rem 0 1.125rem; border-top: 1px solid var(--line); }
.suite h3 { margin: 0; font-size: 1.125rem; overflow-wrap: anywhere; }
.suite .said { margin: 0.25rem 0 0; font-size: 0.875rem; color: var(--muted); }
.suite .state { font-weight: 600; }
.suite .trends { align-content: start; margin: 0.25rem 0; }
.triptych { display: grid; grid-template-columns: repeat(4, minmax(0, 8.5rem)); gap: 0.75rem 1.5rem; }
.triptych figure { margin: 0; min-width: 0; }
.triptych a { display: block; }
.triptych img { display: block; width: 100%; height: 8.5rem; object-fit: contain; object-position: left; }
.triptych figcaption { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.5rem; align-items: center; margin-top: 0.3125rem; font-size: 0.8125rem; line-height: 1.4; }
.triptych .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.triptych b { font-weight: 600; text-align: right; }
.triptych .spark { grid-column: 1 / -1; grid-row: 3; width: 100%; height: auto; }
.triptych .alike { grid-column: 1 / -1; color: var(--muted); }
.trends + .note { margin-bottom: 0.75rem; }
.spark { width: 6rem; height: 1.25rem; overflow: visible; }
.media { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 1rem 0.75rem; margin: 0.75rem 0; }
.media figure { margin: 0; min-width: 0; }
.media img, .media video { display: block; width: 100%; max-height: 14rem; object-fit: contain; background: var(--raised); border-radius: 3px; }
.media figcaption { margin-top: 0.25rem; font-size: 0.75rem; line-height: 1.35; color: var(--muted); }
.media .pick { width: 100%; }
.pairs-of-outputs .prompt { padding: 0; }
.pairs-of-outputs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem; margin: 0.75rem 0; }
.pairs-of-outputs h3 { margin: 0 0 0.375rem; font-weight: 500; font-size: 0.875rem; }
.pairs-of-outputs .media { grid-template-columns: repeat(2, minmax(0, 1fr)); margin: 0; gap: 0.5rem; }
.nothing { display: grid; place-items: center; min-height: 6rem; border: 1px dashed var(--rule); border-radius: 3px; color: var(--muted); font-size: 0.8125rem; padding: 0.5rem; text-align: center; }
.pages { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.875rem; margin: 0.75rem 0; color: var(--muted); }
.choice { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 0.75rem 0; font-size: 0.875rem; }
.choice label { display: grid; gap: 0.125rem; color: var(--muted); font-size: 0.8125rem; min-width: 0; max-width: 100%; }
.choice select, .choice input, .choice button { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--raised); border: 1px solid var(--rule); border-radius: 4px; padding: 0.3125rem 0.625rem; min-width: 0; max-width: 100%; }
.choice button { cursor: pointer; }
.bar { display: block; width: 100%; height: 0.5rem; margin: 1rem 0 0.25rem; appearance: none; border: 0; border-radius: 4px; overflow: hidden; background: var(--line); }
.bar::-webkit-progress-bar { background: var(--line); }
.bar::-webkit-progress-value { background: var(--accent); }
.bar::-moz-progress-bar { background: var(--accent); }
.bar.thin { height: 0.25rem; max-width: 10rem; margin: 0.25rem 0 0; }
.reasons { list-style: none; display: grid; gap: 0.25rem; margin-top: 1rem; font-size: 0.875rem; }
.reasons:empty { display: none; }
.reasons b { font-weight: 500; color: var(--bad); }
.reasons span { color: var(--muted); }
.live { font-size: 0.875rem; color: var(--warn); min-height: 1.5em; margin-top: 0.5rem; }
.title .live:empty { display: none; }
.bar + .meta { margin-bottom: 1rem; }
@media (min-width: 46.01rem) {
  .actions.sorts { display: none; }
}
@media (max-width: 46rem) {
  .suite { grid-template-columns: minmax(0, 1fr); }
  .triptych { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem; }
  .triptych.of-3 { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.5rem; }
  .triptych img { height: auto; aspect-ratio: 1; }
  .triptych.of-3 figcaption { grid-template-columns: minmax(0, 1fr); }
  .triptych.of-3 b { text-align: left; }
  .trends { grid-template-columns: minmax(0, 1fr); }
  .pairs-of-outputs { grid-template-columns: minmax(0, 1fr); }
  .side-by-side.runs tbody td { padding-block: 0.125rem; }
  .side-by-side.listed tbody tr { display: flex; flex-wrap: wrap; gap: 0 0.875rem; padding: 0.5rem 0; }
  .side-by-side.listed tbody th { flex: 1 0 100%; }
  .side-by-side.listed tbody td { display: block; }
  .side-by-side.listed tbody td::before { display: none; }
  .sorts [aria-current] { color: var(--text); font-weight: 600; }
  .side-by-side.listed tbody td[data-label=Took]::before { display: inline; content: "took "; }
  .side-by-side.listed td[data-label=Requests]::after { content: " requests"; }
  .side-by-side.listed td.none { display: none; }
  .side-by-side.listed td.why { flex: 1 0 100%; }
  .side-by-side.of-four tbody tr, .side-by-side.of-three tbody tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 0.5rem; padding: 0.5rem 0; align-items: start; }
  .side-by-side.of-three tbody tr { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .side-by-side.of-four tbody th, .side-by-side.of-three tbody th { grid-column: 1 / -1; }
  .side-by-side.of-four tbody td, .side-by-side.of-three tbody td { display: block; }
  .side-by-side.of-four tbody td::before, .side-by-side.of-three tbody td::before { display: block; padding: 0; font-size: 0.75rem; }
  .media { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
