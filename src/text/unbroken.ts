/** Between a number and its unit, no line ends. */
const QUANTITY = /(?<=\d) (?=(?:%|ms|s|min|h|B|kB|MB|GB)(?![\w-]))/g;

/** `n = 22`, `n < 59` */
const COUNT = /\bn ([=<]) (?=\d)/g;

/** Our own words with their quantities kept whole: `95 %` does not end a line after `95`. For what is shown, never for data. */
export function unbroken(words: string): string {
  return words.replace(QUANTITY, '\u00a0').replace(COUNT, 'n\u00a0$1\u00a0');
}
