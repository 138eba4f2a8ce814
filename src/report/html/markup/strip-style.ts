/** As many variants stand beside each other as find room at a size that shows detail. */
export const STRIP_STYLE = `
.strip { padding: 0 0 0.5rem; }
.kind { padding: 0 0 1rem; }
.kind h3 { margin: 1rem 0 0.125rem; }
.strip h4 { display: inline; font-size: 0.875rem; font-weight: 500; }
.strip .text { margin: 0 0 0.5rem; }
.strip-images { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem 0.75rem; }
.strip-images:has(> figure:nth-child(2):last-child) { max-width: 42.75rem; }
.strip-images:has(> figure:only-child) { max-width: 21rem; }
.strip figure { margin: 0; min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: subgrid; grid-row: span 2; row-gap: 0; }
.strip figcaption { align-self: end; }
.strip .image, .strip .blank { width: 100%; max-height: 22rem; }
.strip .blank { aspect-ratio: auto; min-height: 7rem; }
.strip .pick { width: 100%; }
.strip figcaption { margin-bottom: 0.25rem; font-size: 0.875rem; }
.strip figcaption small { display: inline-block; margin-left: 0.25rem; }
.strip figcaption .name { font-weight: 600; }
.strip details { margin-top: 0.75rem; }
@media screen and (max-width: 46rem) { .strip-images { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media print { .strip-images { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); } .strip { break-inside: avoid; } }
`;
