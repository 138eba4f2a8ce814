import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { askedOf, wholeNumber } from '../arguments.ts';
import { claimTable } from './claims.ts';
import { queueTable } from './dependence.ts';
import { exactSizes } from './exact-sizes.ts';
import { firstNightsTable } from './first-nights.ts';
import { SPREADS, simulateHistory } from './history.ts';
import { historyTables } from './history-table.ts';
import { HELD_LOADS, holdTable, unsettledTable } from './hold.ts';
import { PARTS, SETTINGS } from './settings.ts';
import { addTallies, NO_RUNS, type Tally } from './simulate-setting.ts';
import type { Task } from './simulated-runs.ts';
import { tableOf } from './table.ts';
import { furtherTable } from './votes.ts';

/*
 * npm run simulate: what the gate decides of services whose truth is known, through the functions that decide every
 * gate. Prints a table; nothing here passes or fails. The same number of runs gives the same table on every machine.
 *
 *   npm run simulate -- latency rates                      some parts only
 *   npm run simulate -- history                            a year of nights, and a service that becomes slower, against
 * earlier runs
 *   npm run simulate -- first-nights                       at_first, before there are enough earlier runs
 *   npm run simulate -- exact-sizes                        every outcome of max_rise at its limit; nothing is drawn
 *   npm run simulate -- dependence                         what is said of calls that wait for each other
 *   npm run simulate -- claims                             claims that are true, false and at their limit
 *   npm run simulate -- hold                               whether a load is said to hold its p95
 *   RETAKE_SIMULATED_RUNS=20000 npm run simulate           the full count, 1 to 2 hours on two processors; 200 by
 * default
 *   RETAKE_SIMULATED_PROCESSES=1 npm run simulate          one process; by default one for each processor
 */

const runs = wholeNumber('RETAKE_SIMULATED_RUNS', 200);
const processes = wholeNumber('RETAKE_SIMULATED_PROCESSES', availableParallelism());

/** Runs that one process makes before it reports. */
const CHUNK = 100;

/** Tables that are not made of settings, in the order they are printed. */
const TABLES: readonly {
  readonly part: string;
  readonly title: string;
  readonly table: () => string;
  /** It takes minutes. */
  readonly onlyIfNamed?: true;
}[] = [
  {
    part: 'history',
    title: `${runs} years of nights, and ${runs} services that take 15 % longer from the ninth night on`,
    table: () => historyTables(SPREADS.map((spread) => simulateHistory(spread, runs))),
  },
  {
    part: 'first-nights',
    title: `${runs} services of 9 nights, decided by at_first: 50 %, of 12 prompts x seeds`,
    table: () => firstNightsTable(runs),
  },
  {
    part: 'exact-sizes',
    title: 'How often max_rise at concurrency 1 fails a rise of exactly its limit, at most',
    table: exactSizes,
  },
  {
    part: 'dependence',
    title: `${runs} runs of open load on a queue, where exactly 5 % of calls are slow`,
    table: () => queueTable(runs),
  },
  {
    part: 'hold',
    title: `${runs} runs of closed load on a queue: whether a load is said to hold its p95`,
    table: () => holdTable(HELD_LOADS.closed, runs),
  },
  {
    part: 'claims',
    title: `${runs} claims, decided pair after pair`,
    table: () => claimTable(runs),
  },
  {
    part: 'hold-open',
    title: `${runs} runs of open load on a queue: whether a rate is said to hold its p95`,
    table: () => holdTable(HELD_LOADS.open, runs),
    onlyIfNamed: true,
  },
  {
    part: 'hold-several',
    title: `${runs} runs of a load that is exactly at both of its limits`,
    table: () => holdTable(HELD_LOADS.several, runs),
    onlyIfNamed: true,
  },
  {
    part: 'hold-unsettled',
    title: `${runs} runs of rates at and above what the workers can do`,
    table: () => unsettledTable(runs),
    onlyIfNamed: true,
  },
  {
    part: 'votes',
    title: `${runs} continuations of votes that do not tell two variants apart`,
    table: () => furtherTable(runs),
  },
];

const named = process.argv.length > 2;
const asked: readonly string[] = askedOf([...new Set<string>([...PARTS, ...TABLES.map(({ part }) => part)])]);
const chosen = SETTINGS.flatMap((setting, index) => (asked.includes(setting.part) ? [{ setting, index }] : []));
const tasks: Task[] = chosen.flatMap(({ index }) =>
  Array.from({ length: Math.ceil(runs / CHUNK) }, (_, at) => ({
    setting: index,
    from: at * CHUNK,
    to: Math.min(runs, (at + 1) * CHUNK),
  })),
);
const tallies = new Map<number, Tally>();

await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
if (chosen.length > 0) {
  console.log(`${runs} runs of each setting\n`);
  console.log(tableOf(chosen.map(({ setting, index }) => ({ setting, tally: tallies.get(index) ?? NO_RUNS }))));
}
for (const { part, title, table, onlyIfNamed } of TABLES) {
  if (asked.includes(part) && (named || onlyIfNamed === undefined)) console.log(`\n${title}\n\n${table()}`);
}

/** One process, which takes the next task until none is left. */
async function work(): Promise<void> {
  const child = fork(fileURLToPath(new URL('./simulated-runs.js', import.meta.url)));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a simulating process ended with ${code}`);
  });
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const answered = once(child, 'message');
    child.send(task);
    const [tally] = await Promise.race([answered, ended]);
    const whole = addTallies(tallies.get(task.setting) ?? NO_RUNS, tally);
    tallies.set(task.setting, whole);
    if (whole.runs === runs) console.error(`${SETTINGS[task.setting]?.what}, ${SETTINGS[task.setting]?.change}`);
  }
  ended.catch(() => {});
  child.disconnect();
}
