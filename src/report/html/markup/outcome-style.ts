/** The parts of the page, what came out first, and the marks that variants have everywhere. */
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
.mark { width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; vertical-align: -0.0625rem; }
.part > h2 { padding-bottom: 0.5rem; border-bottom: 1px solid var(--rule); }
.part > section { padding-top: 2rem; }
.part > h2 + section { padding-top: 1rem; }
.part h3 { font-size: 1.125rem; margin: 0 0 0.5rem; letter-spacing: -0.008em; }
.part h4 { margin: 1.5rem 0 0.625rem; }
.fold { margin: 0.5rem 0 1rem; font-size: 0.875rem; }
.fold summary { font-weight: 500; margin-bottom: 0.25rem; }
.grid.upright thead th.first span { display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); max-height: 11rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.grid.upright .first { padding-left: 0.625rem; }
.fine { font-size: 0.8125rem; margin-top: 0.75rem; }
.brief { list-style: none; font-size: 0.875rem; margin-bottom: 0.25rem; max-width: 60rem; }
ul.brief { display: grid; gap: 0.125rem; }
.warned { margin-top: 0.75rem; }
.facts { margin-bottom: 0.875rem; }
#outcome .results, #outcome .headlines { margin-bottom: 0.75rem; }
#outcome .headlines { font-size: 1rem; gap: 0.125rem; }
#outcome h3 { margin: 1.25rem 0 0.25rem; }
#outcome h3.quiet { margin: 0; }
.board { table-layout: fixed; }
.board thead .name-head { width: 11.75rem; }
.board thead .speed-head { width: 14.75rem; }
.board thead .same-head { width: 13rem; }
.board .kind th { padding: 0.75rem 0 0.125rem; border: 0; font-size: 0.875rem; }
.board .tag { font-weight: 500; }
.board .speed { display: inline-block; min-width: 7.75rem; }
.board .undecided { color: var(--muted); font-weight: 400; }
@media (min-width: 60.01rem) { .board thead th { padding-top: 0.5rem; position: sticky; top: 0; background: var(--page); z-index: 1; } }
.board tbody td, .board tbody th { padding-block: 0.25rem; vertical-align: middle; }
.board .figure { font-size: 1rem; }
.board small { line-height: 1.3; }
.board thead th { padding-bottom: 0.25rem; }
.ratio-line { width: 6rem; height: 1.125rem; margin-left: 0.375rem; vertical-align: -0.1875rem; }
.tall { max-height: 40rem; overflow: auto; border-bottom: 1px solid var(--rule); }
.tall thead th { position: sticky; top: 0; background: var(--page); z-index: 1; }
nav ul ul { gap: 0; margin-bottom: 0.375rem; }
nav ul ul a { padding: 0.0625rem 0 0.0625rem 0.75rem; font-size: 0.8125rem; }
@media (max-width: 60rem) { nav ul ul { display: none; } }
@media (max-width: 46rem) {
  .ratio-line { margin-left: 0.25rem; width: 5.5rem; }
  .side-by-side.board tbody tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 1rem; padding: 0.5rem 0; }
  .side-by-side.board tbody th { grid-column: 1 / -1; }
  .side-by-side.board tbody td { display: block; }
  .side-by-side.board tbody td::before { display: block; padding: 0; }
  .side-by-side.board .kind tr { border: 0; padding: 0; }
}
.title h1 { font-size: clamp(1.625rem, 3.5vw, 2.125rem); }
.title .lede { font-size: 1rem; margin-top: 0.25rem; max-width: none; }
.title .meta { margin-top: 0.375rem; }
main > #outcome { padding-top: 1rem; }
@media print {
  :root { --variant-0: #4a5560; --variant-1: #008afe; --variant-2: #c0440b; --variant-3: #547f78; --variant-4: #a1219a; --variant-5: #736b47; --variant-6: #a116e3; --variant-7: #980d04; }
  .tall { max-height: none; overflow: visible; }
  .ratio-line { width: 4.5rem; }
  .board thead .name-head, .board thead .speed-head, .board thead .same-head { width: 22%; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .note, .legend { break-after: avoid; }
}
`;
