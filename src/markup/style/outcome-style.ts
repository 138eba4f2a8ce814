/** For narrow columns: drawings stand below the speeds, and words may break. */
function closeBoard(board: string): string {
  return `  ${board} .ratio-line { display: block; margin: 0.125rem 0; }
  ${board} .speed { min-width: 0; }
  ${board} :is(.figure, small .whole) { white-space: normal; }
  ${board} :is(.figure, thead th) { overflow-wrap: break-word; }
  ${board} thead th[class], ${board} thead th { width: auto; padding-right: 0.75rem; }
  ${board} tbody :is(th, td) { min-width: 0; padding-right: 0.75rem; }
`;
}

export const OUTCOME_STYLE = `
:root {
  --variant-0: #4a5560; --variant-1: #008afe; --variant-2: #c0440b; --variant-3: #547f78; --variant-4: #a1219a;
  --variant-5: #736b47; --variant-6: #a116e3; --variant-7: #980d04;
}
@media (prefers-color-scheme: dark) {
  :root {
    --variant-0: #b9c0c9; --variant-1: #2f9cf5; --variant-2: #f08c41; --variant-3: #7fef9f; --variant-4: #c27c89;
    --variant-5: #edcf3b; --variant-6: #9fa6bc; --variant-7: #f15e5b;
  }
}
.marked::before { content: "" / ""; display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; vertical-align: -0.0625rem; background: var(--mark); clip-path: polygon(var(--shape)); forced-color-adjust: none; print-color-adjust: exact; }
.marked.circle::before { clip-path: circle(36%); }
.square { --shape: 17% 17%, 83% 17%, 83% 83%, 17% 83%; }
.triangle { --shape: 50% 8%, 90% 83%, 10% 83%; }
.diamond { --shape: 50% 5%, 86% 50%, 50% 95%, 14% 50%; }
.star { --shape: 50% 5%, 64% 35%, 94% 36%, 70% 57%, 79% 88%, 50% 70%, 21% 88%, 30% 57%, 6% 36%, 36% 35%; }
.v0 { --mark: var(--variant-0); } .v1 { --mark: var(--variant-1); } .v2 { --mark: var(--variant-2); } .v3 { --mark: var(--variant-3); }
.v4 { --mark: var(--variant-4); } .v5 { --mark: var(--variant-5); } .v6 { --mark: var(--variant-6); } .v7 { --mark: var(--variant-7); }
.mark { width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; vertical-align: -0.0625rem; }
.part > h2 { padding-bottom: 0.5rem; border-bottom: 1px solid var(--rule); }
.part > section, .long > section { padding-top: 2rem; }
.part > h2 + section, h2 + .long > section { padding-top: 1rem; }
.long { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
@media print { .long { content-visibility: visible; } }
.part h3 { font-size: var(--head); margin: 0 0 0.5rem; letter-spacing: -0.008em; }
.part h4 { margin: 1.5rem 0 0.625rem; }
.fold { margin: 0.5rem 0 1rem; font-size: var(--small); }
.fold summary { font-weight: 500; margin-bottom: 0.25rem; }
.grid.upright thead th.first span { display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); max-height: 11rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.grid.upright .first { padding-left: 0.625rem; }
.fine { font-size: var(--small); margin: 0.75rem 0 0; }
.brief { list-style: none; font-size: var(--small); margin-bottom: 0.25rem; max-width: 60rem; }
ul.brief { display: grid; gap: 0.125rem; list-style: disc; padding-left: 1rem; }
ul.brief li::marker { color: var(--muted); }
.nothing { font-size: var(--body); }
.facts { margin-bottom: 0.875rem; }
#outcome .results, #outcome .headlines { margin-bottom: 0.75rem; }
#outcome .headlines { font-size: var(--body); gap: 0.125rem; }
#outcome .headlines.void { color: var(--muted); }
.board .void .latency-cell { color: var(--muted); }
.board .void .latency-cell .figure { font-weight: 400; }
#outcome h3 { margin: 1.25rem 0 0.25rem; }
#outcome h3.quiet { margin: 0; }
.board thead th { width: 9rem; border-bottom: 0; box-shadow: inset 0 -1px var(--rule); }
.board thead .name-head { width: 12.5rem; }
.board thead .speed-head { width: 14.75rem; }
.board thead .same-head { width: 13rem; }
.board .tag { font-weight: 500; }
.board tbody th { min-width: 11.5rem; }
.board tbody th .tag { white-space: normal; }
.board .speed { display: inline-block; min-width: 7.75rem; }
.board td:not(.speed-cell) .speed { min-width: 0; }
.side-by-side.board thead th { white-space: normal; }
@media screen and (min-width: 46.01rem) and (max-width: 76rem) {
${closeBoard('.board')}}
@media print, screen and (min-width: 46.01rem) {
${closeBoard('.board.many')}}
.board .latency-cell .figure { white-space: nowrap; }
.board .undecided { color: var(--muted); font-weight: 400; }
@media screen and (min-width: 60.01rem) { .board thead th { padding-top: 0.5rem; position: sticky; top: 0; background: var(--page); z-index: 1; } }
@media (forced-colors: active) { .board thead th { border-bottom: 1px solid; } }
@media print { .board thead th { border-bottom: 1px solid var(--rule); box-shadow: none; } }
.board tbody td, .board tbody th { padding-block: 0.25rem; vertical-align: middle; }
.board .figure { font-size: var(--body); }
.board small { line-height: 1.3; }
.board thead th { padding-bottom: 0.25rem; }
.ratio-line { width: 6.5rem; height: 1.125rem; margin-left: 0.375rem; vertical-align: -0.1875rem; }
.board tfoot td { padding: 0; border: 0; line-height: 1.2; }
.tall { max-height: 40rem; overflow: auto; border-bottom: 1px solid var(--rule); }
.tall thead th { position: sticky; top: 0; background: var(--page); z-index: 1; }
.tall tfoot td { position: sticky; bottom: 0; background: var(--page); }
nav ul ul { gap: 0; margin-bottom: 0.375rem; }
nav ul ul a { padding: 0.0625rem 0 0.0625rem 0.75rem; font-size: var(--small); }
@media screen and (max-width: 60rem) { nav ul ul { display: none; } }
@media screen and (max-width: 46rem) {
  .ratio-line { margin-left: 0.25rem; }
  .board small .whole { white-space: normal; }
  .board tfoot, .board tfoot tr, .board tfoot .speed-cell { display: block; padding: 0; border: 0; }
  .board tfoot td { display: none; }
  .side-by-side.board tbody tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem; padding: 0.5rem 0; }
  .side-by-side.board tbody th { grid-column: 1 / -1; }
  .side-by-side.board tbody td { display: block; }
  .side-by-side.board tbody .speed-cell { grid-column: 1 / -1; }
  .side-by-side.board tbody td::before { display: block; padding: 0; }
  .side-by-side.failures tbody tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem; padding: 0.5rem 0; }
  .side-by-side.failures tbody th, .side-by-side.failures .wide-cell { grid-column: 1 / -1; }
  .side-by-side.failures tbody td { display: block; }
  .side-by-side.failures tbody td::before { display: block; padding: 0; }
}
.title h1 { font-size: var(--title); }
.title .lede { font-size: var(--body); margin-top: 0.25rem; max-width: none; }
.title .meta { margin-top: 0.375rem; }
main > #outcome { padding-top: 1rem; }
@media print {
  :root { --variant-0: #4a5560; --variant-1: #008afe; --variant-2: #c0440b; --variant-3: #547f78; --variant-4: #a1219a; --variant-5: #736b47; --variant-6: #a116e3; --variant-7: #980d04; }
  .tall { max-height: none; overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .note, .legend { break-after: avoid; }
}
`;

/** Only of pages with scores. */
export const SCORES_STYLE = `
#outcome .headlines.scores { gap: 0.125rem; margin-top: 0.375rem; }
`;
