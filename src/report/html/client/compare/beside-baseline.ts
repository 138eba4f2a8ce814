import type { OutputFacts } from '../page-facts.ts';
import type { ComparedAddress } from './compare-hash.ts';

/**
 * At the left, the baseline variant's output for the same prompt and seed. Beside another output of a cell, its first
 * one stands third; beside the baseline variant's own, the first variant that has it as its baseline.
 *
 * @param outputs of the same prompt and kind, in the order of the page
 */
export function besideBaseline(clicked: OutputFacts, outputs: readonly OutputFacts[]): ComparedAddress['outputs'] {
  const firsts = outputs.filter(({ cell, number }) => cell.seed === clicked.cell.seed && number === 0);
  const own = firsts.find(({ cell }) => cell === clicked.cell) ?? clicked;
  const left = firsts.find(({ cell }) => cell.variant === clicked.cell.baseline) ?? own;
  if (left !== clicked) return own === left || own === clicked ? [left, clicked] : [left, clicked, own];
  const right =
    firsts.find(({ cell }) => cell.baseline === clicked.cell.variant) ??
    firsts.find((each) => each !== clicked) ??
    outputs.find((each) => each.cell === clicked.cell && each !== clicked);
  return [clicked, right ?? clicked];
}
