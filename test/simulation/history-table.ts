import type { ChangeTally, HistoryTally, RuleTally } from './history.ts';
import { shareOf } from './table.ts';

/** Two Markdown tables: what the rule decides, and which changes the history names. Shares have their Monte Carlo error (95 %). */
export function historyTables(tallies: readonly HistoryTally[]): string {
  return [
    tableOf(
      [
        'nights vary by',
        'limit',
        'fails a year',
        'years with a fail',
        'nights that pass',
        'found by the 10th',
        'by the 11th',
        'by the 14th',
      ],
      tallies.flatMap(({ spread, rules }) => [...rules].map(([limit, rule]) => ruleRow(spread, limit, rule))),
    ),
    tableOf(
      [
        'nights vary by',
        'changes a year',
        'years with one',
        'after 12 nights: the 9th',
        'or one beside it',
        'after 30: the 9th',
        'or one beside it',
      ],
      tallies.map(({ spread, changes }) => changesRow(spread, changes)),
    ),
  ].join('\n\n');
}

function ruleRow(spread: number, limit: number, tally: RuleTally): readonly string[] {
  const { services, alarms, yearsWithAlarm, nightsPassed, nightsDecided, foundBy } = tally;
  return [
    points(spread),
    `+${points(limit)}`,
    rate(alarms, services),
    shareOf(yearsWithAlarm, services),
    // Nights of one year are not independent of each other: an interval would be too narrow.
    `${Number(((100 * nightsPassed) / nightsDecided).toFixed(1))}`,
    ...[foundBy.tenth, foundBy.eleventh, foundBy.fourteenth].map((count) => shareOf(count, services)),
  ];
}

function changesRow(spread: number, tally: ChangeTally): readonly string[] {
  const { services, falseChanges, yearsWithChange, after12, after30 } = tally;
  return [
    points(spread),
    rate(falseChanges, services),
    shareOf(yearsWithChange, services),
    ...[after12.ninth, after12.beside, after30.ninth, after30.beside].map((count) => shareOf(count, services)),
  ];
}

function points(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Events a year. */
function rate(events: number, years: number): string {
  return String(Number((events / years).toFixed(3)));
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
