/** What only the pages of the viewer have. */
export const VIEW_STYLE = `
main > section:first-of-type { padding-top: 2.25rem; }
.side-by-side.runs tbody td, .side-by-side.runs tbody th { padding-block: 0.4375rem; font-size: 0.875rem; }
.side-by-side.runs tbody th { width: auto; font-weight: 500; }
.side-by-side.runs .state { white-space: nowrap; }
.actions { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.75rem 0 0; font-size: 0.875rem; }
.trends { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr)); gap: 0.25rem 2rem; margin: 0.75rem 0 1.25rem; font-size: 0.8125rem; color: var(--muted); }
.trends li { display: grid; grid-template-columns: minmax(0, 1fr) 6rem 4.25rem; gap: 0.5rem; align-items: center; }
.trends .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--text); }
.trends b { font-weight: 600; color: var(--text); text-align: right; }
.spark { width: 6rem; height: 1.25rem; overflow: visible; }
.media { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 1rem 0.75rem; margin: 0.75rem 0; }
.media figure { margin: 0; min-width: 0; }
.media img, .media video { display: block; width: 100%; max-height: 14rem; object-fit: contain; background: var(--raised); border-radius: 3px; }
.media figcaption { margin-top: 0.25rem; font-size: 0.75rem; line-height: 1.35; color: var(--muted); }
.media a { display: block; border-radius: 3px; }
.pairs-of-outputs { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.5rem; margin: 0.75rem 0; }
.pairs-of-outputs h3 { margin: 0 0 0.375rem; font-weight: 500; font-size: 0.875rem; }
.pairs-of-outputs .media { grid-template-columns: repeat(2, minmax(0, 1fr)); margin: 0; gap: 0.5rem; }
.nothing { display: grid; place-items: center; min-height: 6rem; border: 1px dashed var(--rule); border-radius: 3px; color: var(--muted); font-size: 0.8125rem; padding: 0.5rem; text-align: center; }
.pages { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.875rem; margin: 0.75rem 0; color: var(--muted); }
.choice { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 0.75rem 0; font-size: 0.875rem; }
.choice label { display: grid; gap: 0.125rem; color: var(--muted); font-size: 0.8125rem; min-width: 0; max-width: 100%; }
.choice select, .choice button { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--raised); border: 1px solid var(--rule); border-radius: 4px; padding: 0.3125rem 0.625rem; min-width: 0; max-width: 100%; }
.choice button { cursor: pointer; }
.bar { display: block; width: 100%; height: 0.5rem; margin: 1rem 0 0.25rem; appearance: none; border: 0; border-radius: 4px; overflow: hidden; background: var(--line); }
.bar::-webkit-progress-bar { background: var(--line); }
.bar::-webkit-progress-value { background: var(--accent); }
.bar::-moz-progress-bar { background: var(--accent); }
.live { font-size: 0.875rem; color: var(--warn); min-height: 1.5em; margin-top: 0.5rem; }
.bar + .meta { margin-bottom: 1rem; }
@media (max-width: 46rem) {
  .trends { grid-template-columns: minmax(0, 1fr); }
  .pairs-of-outputs { grid-template-columns: minmax(0, 1fr); }
  .side-by-side.runs tbody td { padding-block: 0.125rem; }
  .side-by-side.of-four tbody tr, .side-by-side.of-three tbody tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 0.5rem; padding: 0.5rem 0; align-items: end; }
  .side-by-side.of-three tbody tr { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .side-by-side.of-four tbody th, .side-by-side.of-three tbody th { grid-column: 1 / -1; }
  .side-by-side.of-four tbody td, .side-by-side.of-three tbody td { display: block; }
  .side-by-side.of-four tbody td::before, .side-by-side.of-three tbody td::before { display: block; padding: 0; font-size: 0.75rem; }
  .media { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
