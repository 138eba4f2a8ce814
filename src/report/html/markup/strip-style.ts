/** The variants of a kind side by side: as many beside each other as find room at a size that shows detail. */
export const STRIP_STYLE = `
.strip { padding: 0 0 0.5rem; }
.strip h3 { margin: 1rem 0 0.125rem; }
.strip h4 { display: inline; font-size: 0.875rem; font-weight: 500; }
.strip .text { margin: 0 0 0.5rem; }
.strip-images { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem 0.75rem; }
.strip figure { margin: 0; min-width: 0; max-width: 21rem; }
.strip .image, .strip .blank { width: 100%; max-height: 22rem; }
.strip .pick { width: 100%; }
.strip figcaption { margin-bottom: 0.25rem; font-size: 0.875rem; }
.strip figcaption small { display: inline; margin-left: 0.25rem; }
.strip figcaption .name { font-weight: 600; }
.strip details { margin-top: 0.75rem; }
@media (max-width: 46rem) { .strip-images { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media print { .strip-images { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); } .strip { break-inside: avoid; } }
`;
