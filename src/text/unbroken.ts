/** No line ends between a number and its unit. */
const QUANTITY = /(?<=\d) (?=(?:%|ms|s|min|h|B|kB|MB|GB)(?![\w-]))/g;

/** `n = 22`, `n < 59` */
const COUNT = /\bn ([=<]) (?=\d)/g;

/** Keeps quantities on one line with spaces that do not break. For what is shown, never for data. */
export function unbroken(words: string): string {
  return words.replace(QUANTITY, '\u00a0').replace(COUNT, 'n\u00a0$1\u00a0');
}
