/** `.build/page-scripts.js` writes the modules; types can be checked before it has. */
declare module '*-script.ts' {
  export const SCRIPT: string;
}
declare module '*-css.ts' {
  export const CSS: string;
}
