import { INPUT, STORED } from '../../../markup/page-data.ts';
import type { CellFacts, OutputFacts } from '../page-facts.ts';
import type { ComparedAddress } from './compare-hash.ts';

/** Puts the baseline variant's output at the left, else another variant's; of one cell, its first output. */
export function besideBaseline(clicked: OutputFacts, outputs: readonly OutputFacts[]): ComparedAddress['outputs'] {
  const { cell } = clicked;
  const [stored] = cell.stored;
  if (stored !== undefined && (clicked === stored || clicked.number === 0)) return [stored, cell.outputs[0] ?? clicked];
  const firsts = outputs.filter((output) => output.cell.seed === cell.seed && output.number === 0);
  if (clicked.number === INPUT) return [clicked, baselineIn(firsts, cell) ?? firsts[0] ?? clicked];
  const first = firsts.find((output) => output.cell === cell) ?? clicked;
  if (first !== clicked) return [first, clicked];
  const baseline = baselineIn(firsts, cell);
  if (baseline !== null && baseline !== clicked) return [baseline, clicked];
  const beside = firsts.find(
    (other) => other !== clicked && (baseline === null || other.cell.baseline === cell.variant),
  );
  if (beside === undefined)
    return [clicked, outputs.find((output) => output.cell === cell && output !== clicked) ?? clicked];
  const isFirst = baseline !== null || outputs.indexOf(clicked) < outputs.indexOf(beside);
  return isFirst ? [clicked, beside] : [beside, clicked];
}

function baselineIn(firsts: readonly OutputFacts[], { variant, baseline }: CellFacts): OutputFacts | null {
  const name = baseline ?? (firsts.some((output) => output.cell.baseline === variant) ? variant : null);
  return firsts.find((output) => output.cell.variant === name) ?? null;
}

/** What lies between two outputs, as a sentence. */
export function betweenWords(one: OutputFacts, other: OutputFacts): string {
  const inputs = [one, other].filter(({ number }) => number === INPUT);
  if (inputs.length === 2) return 'The input, twice.';
  if (inputs.length === 1) return `The input and an output made from it.${sizeWords(one, other)}`;
  if ([one, other].some(({ number }) => number === STORED))
    return `What the stored baseline has, and what came now.${sizeWords(one, other)}`;
  if (one.cell === other.cell && one.number === other.number) return 'One output: byte-identical.';
  if (one.cell.variant !== other.cell.variant) {
    const like = likenessBetween(one, other) ?? likenessBetween(other, one);
    if (like !== null) return `${like}${sizeWords(one, other)}`;
    const same = one.sha256 === other.sha256 ? ' Here both gave the same bytes.' : '';
    return `Two variants: similarity says nothing about quality.${same}${sizeWords(one, other)}`;
  }
  if (one.cell !== other.cell) {
    return one.sha256 === other.sha256
      ? 'Two seeds of one variant gave the same bytes: the seed may be ignored.'
      : `Two seeds of one variant: another image is expected.${sizeWords(one, other)}`;
  }
  const [a, b] = one.number < other.number ? [one.number, other.number] : [other.number, one.number];
  const pair = one.cell.pairs.find((compared) => compared.a === a && compared.b === b);
  return `Two takes of one variant, prompt and seed: ${pair?.words ?? whyNone(one, other)}.`;
}

/** Null if these two outputs were not compared. */
function likenessBetween({ cell, number }: OutputFacts, baseline: OutputFacts): string | null {
  const { likeness } = cell;
  if (cell.baseline !== baseline.cell.variant || cell.seed !== baseline.cell.seed || likeness === null) return null;
  const [own, theirs] = likeness.outputs ?? [number, baseline.number];
  return own === number && theirs === baseline.number ? likeness.words : null;
}

function sizeWords(one: OutputFacts, other: OutputFacts): string {
  const [size, otherSize] = [one, other].map(({ width, height }) => `${width} × ${height}`);
  const isKnown = one.width !== null && other.width !== null;
  return !isKnown || size === otherSize ? '' : ` Their sizes differ: ${size} and ${otherSize} pixels.`;
}

function whyNone(one: OutputFacts, other: OutputFacts): string {
  if (one.width === null || other.width === null) return 'no distance, because one of them was not decoded';
  return 'no distance in this page, which has those of the first 16 outputs and of each with the usual one';
}
