export const PICK_STYLE = `
.like { position: absolute; left: 0.375rem; top: 0.375rem; max-width: calc(100% - 0.75rem); padding: 0.0625rem 0.4375rem; border-radius: 3px; font-size: var(--tiny); line-height: 1.5; text-align: left; color: #fff; background: rgb(0 0 0 / 72%); pointer-events: none; }
.like.another { font-weight: 650; }
.heat { position: absolute; right: 0.375rem; bottom: 0.375rem; width: 22%; border: 2px solid #fff; border-radius: 3px; box-shadow: 0 0 0 1px rgb(0 0 0 / 35%); background: #fff; line-height: 0; pointer-events: none; }
.heat img { width: 100%; height: auto; }
.heat small { display: block; padding: 0.0625rem 0; font-size: var(--tiny); line-height: 1.2; text-align: center; color: #1b2026; overflow: hidden; }
.sheet .heat small { display: none; }
@media screen and (max-width: 46rem) { .heat small { display: none; } }
.pick { display: block; position: relative; padding: 0; border: 0; background: none; border-radius: 3px; font: inherit; color: inherit; }
button.pick { cursor: zoom-in; }
button.pick video { pointer-events: none; }
button.pick:hover .image { box-shadow: 0 0 0 2px var(--accent); }
button.film:not(.playing)::after { content: "\\25B6\\FE0E" / ""; position: absolute; left: 0.375rem; bottom: 0.375rem; width: 1.375rem; height: 1.375rem; display: grid; place-items: center; font-size: var(--tiny); line-height: 1; color: #fff; background: rgb(0 0 0 / 62%); border-radius: 50%; }
`;

/** Each is at least as wide as a thumbnail; as many prompts as find room stand side by side. */
const COLUMNS = [1, 2, 3, 4, 5, 6];

export const SHEET_STYLE = `
:root { --column: 12.5rem; }
.sheet.many { --column: 7.5rem; }
.prompt { padding: 0.25rem 0 2rem; }
#images .prompt:not([hidden]) { content-visibility: auto; contain-intrinsic-size: auto 22rem; }
#images .prompt[hidden] { padding: 0; }
.prompt .text { color: var(--muted); max-width: 46rem; margin-bottom: 0.75rem; font-size: var(--small); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.sheet { width: 100%; table-layout: fixed; }
.sheet.many { width: auto; table-layout: auto; }
.report #images { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--sheet)), 1fr)); column-gap: 1rem; }
#images > :not(article) { grid-column: 1 / -1; }
#images > article { min-width: 0; }
${COLUMNS.map((columns) => `#images.columns-${columns} { --sheet: ${4 + 11 * columns}rem; }`).join('\n')}
.sheet thead th, .sheet thead td { border: 0; padding: 0 0.5rem 0.375rem 0.25rem; color: var(--text); font-weight: 600; }
.sheet thead td:first-child { width: 4rem; }
.sheet.turned thead td:first-child { width: 6rem; }
.sheet tbody th { min-width: 0; padding: 0.25rem 0.5rem 0.25rem 0; overflow-wrap: anywhere; border: 0; font-weight: 500; font-size: var(--small); color: var(--muted); }
.sheet tbody td { padding: 0.25rem 0.5rem 0.875rem 0.25rem; border: 0; }
.sheet.many tbody td { width: var(--column); min-width: var(--column); }
.sheet:not(.many) :is(.image, .blank, .pick) { width: 100%; max-height: 18rem; }
.sheet:not(.many) .others > .output { width: calc(50% - 0.125rem); }
.sheet.pinned :is(thead th, tbody td):nth-child(2) { position: sticky; left: 4rem; z-index: 1; background: var(--page); }
.sheet td:target { outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 2px; }
.image { display: block; width: var(--column); height: auto; max-height: 16rem; object-fit: contain; background: var(--raised); border-radius: 3px; }
.printed { display: none; }
.others { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-top: 0.25rem; }
.original { font-size: var(--tiny); color: var(--muted); }
.sheet small { margin-top: 0.125rem; white-space: pre-line; }
.sheet th:first-child, .sheet thead td:first-child { position: sticky; left: 0; z-index: 1; background: var(--page); }
.blank { display: grid; place-items: center; text-align: center; width: var(--column); aspect-ratio: 16 / 9; border: 1px dashed var(--rule); border-radius: 3px; color: var(--muted); font-size: var(--small); padding: 0.5rem; }
a.blank { color: var(--accent); }
.others .image, .others .blank { width: calc(var(--column) / 2 - 0.125rem); }
.sheet.many thead th { max-width: var(--column); font-size: var(--small); overflow-wrap: anywhere; }
.quiet-button { font: inherit; font-size: var(--tiny); color: var(--accent); background: none; border: 0; padding: 0.125rem 0; text-decoration: underline; text-underline-offset: 0.2em; cursor: pointer; }
.out > * { visibility: hidden; }
#filter, .pager, .switch { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; font-size: var(--small); }
#filter { margin-bottom: 1rem; }
#filter[hidden], .pager[hidden] { display: none; }
#filter select, #filter input, .pager button, #filter button, .switch select, .switch button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: 4px; padding: 0.1875rem 0.5rem; max-width: 16rem; }
#filter button:disabled, .pager button:disabled { color: var(--muted); opacity: 0.6; }
#filter .found { color: var(--muted); }
#filter .pager { margin-left: auto; }
#filter fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem; }
#filter label[hidden], .variant-chips[hidden] { display: none; }
#filter input:disabled + span { color: var(--muted); opacity: 0.6; cursor: default; }
.variant-chips { flex: 1 0 100%; }
.variant-chips .fold { margin: 0; }
.switch { margin: 0.25rem 0 0.5rem; }
.switch output { min-width: 4rem; text-align: center; color: var(--muted); }
.sort { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; cursor: pointer; }
.sort:hover { color: var(--accent); }
.sort::after { content: "\\2195" / ""; margin-left: 0.25rem; color: var(--muted); }
[aria-sort=ascending] .sort::after { content: "\\2191" / ""; color: var(--accent); }
[aria-sort=descending] .sort::after { content: "\\2193" / ""; color: var(--accent); }
@media screen and (min-width: 46.01rem) {
  .report #images:has(.across) { grid-template-columns: minmax(0, 1fr); }
  .sheet.across { display: grid; grid-template-rows: repeat(3, auto); grid-template-columns: 6rem; grid-auto-flow: column; grid-auto-columns: minmax(11rem, 1fr); }
  .across :is(thead, tbody) { display: contents; }
  .across tr:not([hidden]) { display: grid; grid-row: span 3; grid-template-rows: subgrid; }
  .across :is(th, td):not([hidden]) { display: block; position: static; width: auto; }
  .across thead :is(th, td) { padding: 0.25rem 0.5rem 0.25rem 0; overflow-wrap: anywhere; }
}
@media screen and (max-width: 46rem) {
  :root { --column: calc((100vw - 6rem) / 2); }
  .sheet.sheet { width: auto; table-layout: auto; }
  .sheet.sheet tbody td { width: var(--column); min-width: var(--column); max-width: var(--column); }
  .sheet.sheet :is(thead td:first-child, tbody th) { width: 3rem; min-width: 3rem; max-width: 3rem; padding-right: 0.25rem; }
  .sheet.pinned.pinned :is(thead th, tbody td):nth-child(2) { left: 3rem; }
  .scroll:has(> .pinned) { scroll-snap-type: x mandatory; scroll-padding-left: calc(3rem + var(--column)); }
  .pinned tbody td:nth-child(n + 3) { scroll-snap-align: start; }
}
@media screen and (min-width: 98rem) { .report #images { margin-inline: calc(50% - 50vw + 2.5rem); } }
@media print {
  button.pick::after, .original, .quiet-button { display: none; }
  #images .prompt:not([hidden]) { content-visibility: visible; }
  #images .prompt[hidden=until-found] { display: block; content-visibility: visible; }
  #filter, .pager, .switch, .sort::after { display: none; }
  .prompt tr { break-inside: avoid; }
  .prompt .text { break-after: avoid; }
  :root { --column: 8rem; }
  .image:has(+ .printed), .sheet .heat { display: none; }
  .sheet .like { position: static; display: block; max-width: none; padding: 0; color: var(--muted); background: none; }
  .sheet .like.another { color: var(--bad); }
  .printed { display: block; width: 100%; height: auto; max-height: 18rem; object-fit: contain; background: var(--raised); }
  .report #images { grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
  .sheet th:first-child, .sheet thead td:first-child { position: static; }
}
`;

/** As many variants stand beside each other as find room at a size that shows detail. */
export const STRIP_STYLE = `
.strip { padding: 0 0 0.5rem; }
.kind { padding: 0 0 1rem; }
.kind h3 { margin: 1rem 0 0.125rem; }
.strip h4 { display: inline; font-size: var(--small); font-weight: 500; }
.strip .text { margin: 0 0 0.5rem; }
.strip-images { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem 0.75rem; }
.strip-images:has(> figure:nth-child(2):last-child) { max-width: 42.75rem; }
.strip figure { margin: 0; min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: subgrid; grid-row: span 2; row-gap: 0; }
.strip figcaption { align-self: end; }
.strip .image, .strip .blank { width: 100%; max-height: 22rem; }
.strip .blank { aspect-ratio: auto; min-height: 7rem; }
.strip .pick { width: 100%; }
.strip figcaption { margin-bottom: 0.25rem; font-size: var(--small); }
.strip figcaption small { display: inline-block; margin-left: 0.25rem; }
.strip figcaption .name { font-weight: 600; }
.strip details { margin-top: 0.75rem; }
@media screen and (max-width: 46rem) { .strip-images { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media print { .strip-images { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); } .strip { break-inside: avoid; } }
`;
