import type { ChangeTally, HistoryTally, PlanTally, RuleTally } from './history.ts';
import { markdownTable, shareOf } from './table.ts';

/**
 * Three Markdown tables: what the rule decides, what a plan says of it, and which changes the history names. Shares
 * have their Monte Carlo error (95 %).
 */
export function historyTables(tallies: readonly HistoryTally[]): string {
  return [
    markdownTable(
      [
        'nights vary by',
        'limit',
        'fails a year',
        'years with a fail',
        'nights that pass',
        'passed, bound above the limit',
        'passed at the limit',
        'found by the 10th',
        'by the 11th',
        'by the 14th',
      ],
      tallies.flatMap(({ spread, rules }) => [...rules].map(([limit, rule]) => ruleRow(spread, limit, rule))),
    ),
    markdownTable(
      ['nights vary by', 'limit', 'earlier runs', 'plan: finds', 'found', 'plan: passes within', 'passed'],
      tallies.flatMap(({ spread, rules }) =>
        [...rules].flatMap(([limit, { services, planned }]) =>
          [...planned].map(([earlier, plan]) => planRow(spread, limit, earlier, plan, services)),
        ),
      ),
    ),
    markdownTable(
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
  const { services, alarms, yearsWithAlarm, nightsPassed, nightsDecided, passedBeyond, passedAtLimit, foundBy } = tally;
  return [
    points(spread),
    `+${points(limit)}`,
    rate(alarms, services),
    shareOf(yearsWithAlarm, services),
    // Nights of one year are not independent of each other: an interval would be too narrow.
    `${Number(((100 * nightsPassed) / nightsDecided).toFixed(1))}`,
    String(passedBeyond),
    shareOf(passedAtLimit, services),
    ...[foundBy.tenth, foundBy.eleventh, foundBy.fourteenth].map((count) => shareOf(count, services)),
  ];
}

function planRow(spread: number, limit: number, earlier: number, plan: PlanTally, services: number): readonly string[] {
  const { detects, found, passes, passed } = plan;
  return [
    points(spread),
    `+${points(limit)}`,
    String(earlier),
    `${detects.toFixed(2)}x`,
    shareOf(found, services),
    `+${(100 * (passes - 1)).toFixed(0)} %`,
    shareOf(passed, services),
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
