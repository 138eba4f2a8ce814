import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { queueTable } from './dependence.ts';
import { exactSizes } from './exact-sizes.ts';
import { familyTable } from './families.ts';
import { SPREADS, simulateHistory } from './history.ts';
import { historyTables } from './history-table.ts';
import { PARTS, SETTINGS } from './settings.ts';
import { addTallies, NO_RUNS, type Tally } from './simulate-setting.ts';
import type { Task } from './simulated-runs.ts';
import { tableOf } from './table.ts';
import { twoRunsTable } from './two-runs.ts';
import { furtherTable } from './votes.ts';

/*
 * npm run simulate: what the gate decides of services whose truth is known, through the functions that decide every
 * gate. Prints a table; nothing here passes or fails. The same number of runs gives the same table on every machine.
 *
 *   npm run simulate -- latency rates                      some parts only
 *   npm run simulate -- history                            a year of nights, and a service that becomes slower, against
 * earlier runs
 *   npm run simulate -- exact-sizes                        every outcome of max_rise at its limit; nothing is drawn
 *   npm run simulate -- two-runs                           two runs one after the other, with and without earlier runs
 *   npm run simulate -- dependence                         what is said of calls that wait for each other
 *   npm run simulate -- families                           several candidates beside one baseline variant; only if named
 *   RETAKE_SIMULATED_RUNS=20000 npm run simulate           the full count, 1 to 2 hours on two processors; 200 by
 * default
 *   RETAKE_SIMULATED_PROCESSES=1 npm run simulate          one process; by default one for each processor
 */

const runs = wholeNumber('RETAKE_SIMULATED_RUNS', 200);
const processes = wholeNumber('RETAKE_SIMULATED_PROCESSES', availableParallelism());

/** Runs that one process makes before it reports. */
const CHUNK = 100;

/** The part of years of nights: it has no setting of one run, and tables of its own. */
const HISTORY = 'history';

const asked = process.argv.slice(2);
/** The part that counts outcomes and draws none. */
const EXACT = 'exact-sizes';

/** The part of queues under open load: it has a table of its own. */
const DEPENDENCE = 'dependence';

/** The part of several candidates: it has a table of its own, and takes minutes, so it must be asked for. */
const FAMILIES = 'families';

/** The part of two runs, which have no gate. */
const TWO_RUNS = 'two-runs';

const parts: readonly string[] = [...PARTS, HISTORY, EXACT, DEPENDENCE, TWO_RUNS, FAMILIES];
const unknown = asked.filter((name) => !parts.includes(name));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${parts.join(', ')}`);

const chosen = SETTINGS.flatMap((setting, index) =>
  asked.length === 0 || asked.includes(setting.part) ? [{ setting, index }] : [],
);
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
if (asked.length === 0 || asked.includes(HISTORY)) {
  console.log(`\n${runs} years of nights, and ${runs} services that take 15 % longer from the ninth night on\n`);
  console.log(historyTables(SPREADS.map((spread) => simulateHistory(spread, runs))));
}

if (asked.length === 0 || asked.includes(EXACT)) {
  console.log(`\nHow often max_rise at concurrency 1 fails a rise of exactly its limit, at most\n`);
  console.log(exactSizes());
}

if (asked.length === 0 || asked.includes(DEPENDENCE)) {
  console.log(`\n${runs} runs of open load on a queue, where exactly 5 % of calls are slow\n`);
  console.log(queueTable(runs));
}

if (asked.includes(FAMILIES)) {
  console.log(`\n${runs} runs of several candidates, latencies that vary by 15 %\n`);
  console.log(familyTable(runs));
}

if (asked.length === 0 || asked.includes('votes')) {
  console.log(`\n${runs} continuations of votes that do not tell two variants apart\n`);
  console.log(furtherTable(runs));
}

if (asked.length === 0 || asked.includes(TWO_RUNS)) {
  console.log(`\n${runs} pairs of runs, compared without a gate\n`);
  console.log(twoRunsTable(runs));
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

function wholeNumber(name: string, usual: number): number {
  const given = Number(process.env[name] ?? usual);
  if (!Number.isInteger(given) || given < 1) throw new Error(`${name} takes a whole number from 1 on`);
  return given;
}
