import type { HistoryTally } from './history.ts';
import { type Column, markdownTable, shareOf } from './table.ts';

const SPREAD: Column<{ readonly spread: number }> = ['nights vary by', ({ spread }) => points(spread)];
const LIMIT: Column<{ readonly limit: number }> = ['limit', ({ limit }) => `+${points(limit)}`];

/** A share of services or years, with its Monte Carlo error (95 %). */
function share<Row extends { readonly services: number }>(head: string, count: (row: Row) => number): Column<Row> {
  return [head, (row) => shareOf(count(row), row.services)];
}

/** Three Markdown tables: what the rule decides, what a plan says of it, and which changes the history names. */
export function historyTables(tallies: readonly HistoryTally[]): string {
  const rules = tallies.flatMap(({ spread, rules }) => [...rules].map(([limit, rule]) => ({ spread, limit, ...rule })));
  const plans = rules.flatMap(({ planned, spread, limit, services }) =>
    [...planned].map(([earlier, plan]) => ({ spread, limit, services, earlier, ...plan })),
  );
  const changes = tallies.map(({ spread, changes }) => ({ spread, ...changes }));
  return [
    markdownTable(rules, [
      SPREAD,
      LIMIT,
      ['fails a year', ({ alarms, services }) => rate(alarms, services)],
      share('years with a fail', ({ yearsWithAlarm }) => yearsWithAlarm),
      // Nights of one year are not independent of each other: an interval would be too narrow.
      [
        'nights that pass',
        ({ nightsPassed, nightsDecided }) => Number(((100 * nightsPassed) / nightsDecided).toFixed(1)),
      ],
      ['passed, bound above the limit', ({ passedBeyond }) => passedBeyond],
      share('passed at the limit', ({ passedAtLimit }) => passedAtLimit),
      share('found by the 10th', ({ foundBy }) => foundBy.tenth),
      share('by the 11th', ({ foundBy }) => foundBy.eleventh),
      share('by the 14th', ({ foundBy }) => foundBy.fourteenth),
    ]),
    markdownTable(plans, [
      SPREAD,
      LIMIT,
      ['earlier runs', ({ earlier }) => earlier],
      ['plan: finds', ({ detects }) => `${detects.toFixed(2)}x`],
      share('found', ({ found }) => found),
      ['plan: passes within', ({ passes }) => `+${(100 * (passes - 1)).toFixed(0)} %`],
      share('passed', ({ passed }) => passed),
    ]),
    markdownTable(changes, [
      SPREAD,
      ['changes a year', ({ falseChanges, services }) => rate(falseChanges, services)],
      share('years with one', ({ yearsWithChange }) => yearsWithChange),
      share('after 12 nights: the 9th', ({ after12 }) => after12.ninth),
      share('or one beside it', ({ after12 }) => after12.beside),
      share('after 30: the 9th', ({ after30 }) => after30.ninth),
      share('or one beside it', ({ after30 }) => after30.beside),
    ]),
  ].join('\n\n');
}

function points(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Events a year. */
function rate(events: number, years: number): number {
  return Number((events / years).toFixed(3));
}
