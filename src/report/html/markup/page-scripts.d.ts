/** What `.build/page-scripts.js` writes, so that types can be checked before it has. */
declare module '*-script.ts' {
  /** The one script of a page. */
  export const SCRIPT: string;
}
