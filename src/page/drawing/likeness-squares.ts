import type { CellLikeness } from '../../analysis/output-summaries.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { LIKENESS_WORDS, likenessWords, UNLIKENESS_WORDS } from '../../report/level-words.ts';
import { isComparedPair, type LikenessTally } from '../../report/likeness-statement.ts';

const SIZE = 12;
const STEP = 15;

/** More squares are drawn as shares of one bar. */
const MOST_SQUARES = 24;
const BAR = 240;

const LOOKS = {
  similar: { fill: 'var(--same)', stroke: 'var(--same-line)' },
  changed: { fill: 'var(--changed)', stroke: 'var(--changed-line)' },
  another: { fill: 'var(--another)', stroke: 'var(--another-line)' },
  unknown: { fill: 'none', stroke: 'var(--rule)' },
} as const;

/** In the order of `pairs`. Lines and crosses, since colour alone must not tell squares apart. */
export function likenessSquares(
  { pairs, similar, changed, another, variant }: LikenessTally,
  numberOf: (pair: CellLikeness) => number | null,
  failureOf: (pair: CellLikeness) => string | null,
): Markup {
  const label = `${variant}: ${similar} visually similar, ${changed} changed, ${another} another picture, ${pairs.length - similar - changed - another} not compared`;
  const isBar = pairs.length > MOST_SQUARES;
  const width = isBar ? BAR : STEP * pairs.length;
  const frame = html`viewBox="0 0 ${width} ${SIZE + 4}" width="${width}" height="${SIZE + 4}"`;
  return html`<svg class="squares" role="${pairs.some((pair) => failureOf(pair) !== null) && !isBar ? 'group' : 'img'}" aria-label="${label}" ${frame}>${isBar ? shares(pairs) : pairs.map((pair, at) => linked(square(pair, 2 + at * STEP, numberOf(pair)), failureOf(pair), pair))}</svg>`;
}

function linked(drawn: Markup, failure: string | null, { prompt, seed }: CellLikeness): Markup {
  return failure === null
    ? drawn
    : html`<a href="#${failure}" aria-label="${`${prompt}, seed ${seed}: failed`}">${drawn}</a>`;
}

const LEGEND = { ...LIKENESS_WORDS, unknown: 'not compared' } as const;

export function squaresLegend(likeness: readonly CellLikeness[]): Markup {
  const present = new Set(likeness.map(({ word }) => word));
  const words = (['similar', 'changed', 'another', 'unknown'] as const).filter((word) => present.has(word));
  const width = SIZE + 4;
  return html`${words.map(
    (word) =>
      html`<span><svg class="squares" aria-hidden="true" viewBox="0 0 ${width} ${width}" width="${width}" height="${width}">${shape(word, 2)}</svg> ${LEGEND[word]}</span> `,
  )}`;
}

function square(pair: CellLikeness, left: number, number: number | null): Markup {
  return html`<g${number !== null && html` data-cell="${number}"`}><title>${`${pair.prompt}, seed ${pair.seed}: ${wordsOf(pair)}`}</title>${shape(pair.word, left)}</g>`;
}

function shape(word: CellLikeness['word'], left: number): Markup {
  const { stroke } = LOOKS[word];
  const [right, top, bottom] = [left + SIZE, 2, 2 + SIZE];
  const line = {
    changed: `M${left + 3} ${top + SIZE / 2}H${right - 3}`,
    another: `M${left + 3} ${top + 3}L${right - 3} ${bottom - 3}M${right - 3} ${top + 3}L${left + 3} ${bottom - 3}`,
    similar: null,
    unknown: null,
  }[word];
  return html`${box(word, left, SIZE)}${line !== null && html`<path d="${line}" stroke="${stroke}" stroke-width="2"/>`}`;
}

function box(word: CellLikeness['word'], left: number, width: number): Markup {
  const { fill, stroke } = LOOKS[word];
  return html`<rect x="${left}" y="2" width="${width}" height="${SIZE}" fill="${fill}" stroke="${stroke}"${word === 'unknown' && html` stroke-dasharray="2 2"`}/>`;
}

function shares(pairs: readonly CellLikeness[]): Markup {
  let left = 0;
  const parts = (['another', 'changed', 'similar', 'unknown'] as const).flatMap((word) => {
    const width = (BAR * pairs.filter((pair) => pair.word === word).length) / pairs.length;
    if (width === 0) return [];
    left += width;
    return [box(word, px(left - width), px(width))];
  });
  return html`<g>${parts}</g>`;
}

/** A tenth of a pixel: no last digit differs between engines. */
function px(value: number): number {
  return Math.round(10 * value) / 10;
}

function wordsOf(pair: CellLikeness): string {
  if (!isComparedPair(pair)) return pair.word === 'unknown' ? `not compared: ${UNLIKENESS_WORDS[pair.why]}` : '';
  return likenessWords(pair);
}
