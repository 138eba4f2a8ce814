import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../../src/record/journal.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { csv } from '../../src/report/reporters/csv.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import type { Hold, OpenLoad } from '../../src/suite/load.ts';
import { rendered } from '../contracts/reporter.ts';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { only } from '../fixtures/only.ts';
import { reported } from '../fixtures/report-source.ts';
import { SERVICE_LAWS, simulateSlice } from '../fixtures/simulated-service.ts';
import { buildFailure, buildOk, buildStoredRun, type SampleParts } from '../fixtures/stored-run-builder.ts';
import { ROOT } from '../test-options.ts';

const WITHOUT_PYTHON = process.env.RETAKE_REQUIRE_TOOLS !== '1' && spawnSync('python3', ['--version']).status !== 0;

/** What becomes of a take that would be ok. */
type Told = (totalMs: number, parts: SampleParts, random: Random) => Sample;

const answered: Told = (totalMs, parts) => buildOk(totalMs, 'image', parts);

/** Some of the takes end otherwise. */
function some(share: number, otherwise: Told, rest: Told = answered): Told {
  return (totalMs, parts, random) => (random.uniform() < share ? otherwise : rest)(totalMs, parts, random);
}

const flagged =
  (flag: string): Told =>
  (totalMs, parts) =>
    buildOk(totalMs, 'image', { ...parts, flags: [flag] });

interface Design {
  readonly hold: Hold;
  /** In flight; of open load arrivals per second. */
  readonly steps: readonly number[];
  readonly variants?: readonly string[];
  /** Groups of ten takes for each one in flight; of open load takes at each rate. */
  readonly groups?: number;
  readonly calls?: number;
  readonly told?: Told;
}

/** A sweep on two workers that take a second on average: each variant at each load, group after group. */
function sweep({ hold, steps, variants = ['standard'], groups = 8, calls, told = answered }: Design): StoredRun {
  const random = createRandom(7);
  const samples: Sample[] = [];
  let slice = 0;
  for (let group = 0; group < (calls === undefined ? groups : 1); group += 1)
    for (const step of steps)
      for (const variant of variants) {
        const taken =
          calls === undefined ? simulateSlice(10 * step, step, 2, LAW, random) : arriving(calls, step, random);
        for (const { fromMs, untilMs } of taken) {
          const startedMs = 1e6 * slice + 1000 * fromMs;
          const trial = { variant, phase: 'step', step, repeat: samples.length + 1 } as const;
          const due = calls === undefined ? {} : { scheduledMs: startedMs - 0.5 };
          samples.push(told(1000 * (untilMs - fromMs), { trial, slice, startedMs, ...due }, random));
        }
        slice += 1;
      }
  const load = calls === undefined ? { steps, concurrency: Math.max(...steps) } : { ...OPEN, steps };
  return buildStoredRun({ variants: variants.map((name) => ({ name })), load, hold, samples });
}

/** Open load, in seconds. */
function arriving(calls: number, perSecond: number, random: Random) {
  const free: [number, number] = [0, 0];
  let fromMs = 0;
  return Array.from({ length: calls }, () => {
    fromMs -= Math.log(1 - random.uniform()) / perSecond;
    const worker = free[0] <= free[1] ? 0 : 1;
    const untilMs = Math.max(fromMs, free[worker]) + LAW.draw(random);
    free[worker] = untilMs;
    return { fromMs, untilMs };
  });
}

const LAW = only(SERVICE_LAWS.filter(({ name }) => name === 'lognormal, CV 50 %'));

const OPEN: OpenLoad = {
  mode: 'open',
  order: 'sequential',
  concurrency: 64,
  arrivals: 'poisson',
  stages: [],
  warmup: 0,
  onThrottle: 'wait',
  shuffle: 1,
};

const dropped: Told = (_, { scheduledMs, ...parts }) =>
  buildFailure('dropped', { ...parts, ...(scheduledMs === undefined ? {} : { scheduledMs }) });
const timedOut: Told = (_, parts) => buildFailure('timed_out', { ...parts, afterMs: 9000 });
const broken: Told = (_, parts) => buildFailure('error', { ...parts, afterMs: 700 });
const moderated: Told = (_, parts) => buildFailure('moderated', parts);
const refused: Told = (_, parts) => buildFailure('throttled', parts);
const waited: Told = (totalMs, parts) =>
  buildOk(totalMs, 'image', { ...parts, throttleWaitMs: 800, startedMs: (parts.startedMs ?? 0) + 800 });

/** The process ends in the middle of a group; the next one resumes. */
function resumed(record: StoredRun): StoredRun {
  const from = Math.floor(record.samples.length / 2);
  const [{ started, ended } = { started: null, ended: null }] = record.segments;
  if (started === null || ended === null) throw new Error('a record has a segment');
  const samples = record.samples.map((sample, at) =>
    at < from ? sample : { ...sample, segment: 2, flags: at < from + 3 ? ['resumed'] : sample.flags },
  );
  const second = { started: { ...started, segment: 2 }, ended: { ...ended, segment: 2 } };
  return { ...record, samples, segments: [...record.segments, second] };
}

const P95 = { p95Ms: 2600 };

const DESIGNS: readonly (readonly [of: string, record: StoredRun, shows: RegExp])[] = [
  ['closed load', sweep({ hold: P95, steps: [2, 4, 6] }), /holds.*fails/],
  [
    'two variants, of which one fails more',
    sweep({
      hold: { p90Ms: 2600, errors: 0.02 },
      steps: [2, 4],
      variants: ['a', 'b'],
      told: (ms, parts, random) => some(parts.trial?.variant === 'a' ? 0.01 : 0.2, broken)(ms, parts, random),
    }),
    /fails/,
  ],
  [
    'failures and time-outs of one load',
    sweep({
      hold: { p50Ms: 1500, p95Ms: 4000, errors: 0.05 },
      steps: [4],
      groups: 12,
      told: some(0.04, some(0.5, timedOut, broken)),
    }),
    /./,
  ],
  [
    'refused takes, and takes that waited',
    sweep({ hold: P95, steps: [1, 2], told: some(0.12, some(0.5, waited, refused)), groups: 20 }),
    /fails/,
  ],
  [
    'takes sent at a lowered concurrency',
    sweep({ hold: P95, steps: [2, 3], told: some(0.4, flagged('slowed')) }),
    /fails/,
  ],
  [
    'takes refused for their content',
    sweep({ hold: { p99Ms: 6000 }, steps: [2], told: some(0.2, moderated), groups: 40 }),
    /holds/,
  ],
  ['a machine that stamped late', sweep({ hold: P95, steps: [2, 4], told: some(0.4, flagged('harness_lag')) }), /^ *$/],
  ['a run that was resumed', resumed(sweep({ hold: P95, steps: [2, 6] })), /fails/],
  [
    'rates, the highest above what it can do',
    sweep({ hold: { p95Ms: 5000 }, steps: [0.5, 1, 3], calls: 500 }),
    /holds.*fails/,
  ],
  [
    'rates with drops and time-outs, too short for the limit',
    sweep({
      hold: { p90Ms: 3000, errors: 0.1 },
      steps: [0.5, 4],
      calls: 60,
      told: some(0.04, some(0.5, dropped, timedOut)),
    }),
    /./,
  ],
];

describe.skipIf(WITHOUT_PYTHON)('capacity in measures.csv, beside a script in Python (skipped without python3)', () => {
  /** Of each design in its order: measures.csv, and what the script prints. */
  let tables: readonly string[];
  let scripted: readonly string[];
  beforeAll(async () => {
    const written = await Promise.all(DESIGNS.map(([, record]) => rendered(csv, reported(record))));
    tables = written.map((files) => files.get('measures.csv') ?? '');
    const folders = written.map((files, at) => {
      const folder = freshFolder();
      writeFileSync(join(folder, 'run.json'), JSON.stringify(DESIGNS[at]?.[1].run));
      writeFileSync(join(folder, 'samples.csv'), files.get('samples.csv') ?? '');
      return folder;
    });
    const script = join(ROOT, 'test/report/recompute-hold.py');
    const { stdout, stderr } = spawnSync('python3', [script, ...folders], { encoding: 'utf8' });
    expect(stderr).toBe('');
    scripted = stdout.split('\n\n');
  });

  it.each(DESIGNS)('capacity of %s is what the script makes of samples.csv', (of, _, shows) => {
    const at = DESIGNS.findIndex(([name]) => name === of);
    const found: readonly unknown[] = (scripted[at] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const measured = readTable(tables[at] ?? '').filter(({ metric }) => metric === 'capacity');
    const near = (cell = '') => (cell === '' ? null : expect.closeTo(Number(cell), 6));
    const said = ({ note = '' }) => /(?<=(?:^|;)load_)(?:holds|fails)(?=;|$)/.exec(note)?.[0] ?? null;
    // Sorted: measures.csv has what is over all loads first.
    const wanted = measured.map((row) => ({
      variant: row.variant,
      step: row.step === '' ? null : Number(row.step),
      statistic: row.statistic,
      value: near(row.value),
      ...(row.step === ''
        ? {}
        : {
            n: Number(row.n),
            low: near(row.ci_low),
            high: near(row.ci_high),
            level: near(row.ci_level),
            shows: said(row),
          }),
    }));
    const whole = ({ step }: { readonly step: unknown }) => Number(step === null);
    expect(found).toEqual(wanted.toSorted((a, b) => (a.variant === b.variant ? whole(a) - whole(b) : 0)));
    expect(measured.map(said).join(' ')).toMatch(shows);
  });
});
