import { isAtLeast } from '../../media/compare/level.ts';
import type { LoadTakes } from '../../record/probe-takes.ts';
import { exactMcNemar } from '../../statistics/mcnemar.ts';
import type { LevelOfPair, LoadFinding } from '../probe-finding.ts';

/** With fewer cells that disagree no test could reach one-sided 5 %. */
const FEWEST_DISCORDANT = 5;

/** One-sided. */
const SIGNIFICANCE = 0.05;

/**
 * Whether company changes the picture: over the cells, whether the take in company departs from the first alone more
 * often than the second alone does (exact McNemar, one-sided 5 %). Takes are the same when their pixels are.
 */
export function judgeLoadProbe(cells: readonly LoadTakes[], levelOf: LevelOfPair): LoadFinding {
  const compared = cells.flatMap(({ alone: [first, second], company }) => {
    const alone = sameAs(first, second, levelOf);
    const beside = sameAs(first, company, levelOf);
    return alone === null || beside === null ? [] : [{ alone, beside }];
  });
  const changedByCompany = compared.filter(({ alone, beside }) => alone && !beside).length;
  const changedAlone = compared.filter(({ alone, beside }) => !alone && beside).length;
  const counts = { cells: compared.length, changedByCompany, changedAlone };
  if (compared.length === 0) {
    const reason = cells.length === 0 ? 'no cell delivered all its takes' : 'the takes differ and were not compared';
    return { ...counts, word: 'not testable', p: null, reason };
  }
  if (changedByCompany + changedAlone < FEWEST_DISCORDANT)
    return { ...counts, word: 'counts only', p: null, reason: '' };
  const p = exactMcNemar(changedByCompany, changedAlone).greater;
  const word = p <= SIGNIFICANCE ? 'company changes the picture' : 'no sign that company matters';
  return { ...counts, word, p, reason: '' };
}

/** Null: other bytes, and whether other pixels is not known. */
function sameAs(a: string, b: string, levelOf: LevelOfPair): boolean | null {
  if (a === b) return true;
  const level = levelOf(a, b);
  return level === null ? null : isAtLeast(level, 'pixel');
}
