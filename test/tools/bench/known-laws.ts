import { Agent, request } from 'undici';
import { analyse } from '../../../src/analysis/analyse.ts';
import { METRICS } from '../../../src/analysis/metrics.ts';
import { joinedNotes } from '../../../src/analysis/note.ts';
import type { Measure } from '../../../src/analysis/summaries.ts';
import type { Sample } from '../../../src/record/journal.ts';
import { mean } from '../../../src/statistics/mean.ts';
import type { ClosedLoad } from '../../../src/suite/load.ts';
import { SERVICE_LAWS, trueThroughput } from '../../fixtures/simulated-service.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';
import { closedLoad, openBenchRun, planOf } from './bench-run.ts';
import { startServer } from './child.ts';
import type { Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

/**
 * A service and how it is asked: by a sweep whose steps are slices of `perSlot` calls for each slot, `SLICES` of each.
 */
interface Setup {
  readonly law: string;
  readonly meanMs: number;
  /** 0: as many as there are requests. */
  readonly workers: number;
  readonly steps: readonly number[];
  readonly perSlot: number;
}

const SLICES = 6;

/**
 * Throughput that is printed of a server whose true throughput is known, over HTTP: how often its interval holds it.
 * Without a queue the truth depends on how fast a slot asks again; what a bare loop takes for that is counted as
 * service.
 */
export async function knownLawRows(rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const shared of [
    { meanMs: 10, workers: 1, steps: [4], perSlot: 40 },
    { meanMs: 10, workers: 3, steps: [8], perSlot: 40 },
    { meanMs: 100, workers: 0, steps: [8], perSlot: 40 },
    { meanMs: 10, workers: 1, steps: [4], perSlot: 8 },
    { meanMs: 100, workers: 0, steps: [8], perSlot: 2 },
  ]) {
    const turnaroundMs = shared.workers === 0 ? await turnaroundOf(shared.meanMs, shared.steps[0] ?? 1) : 0;
    for (const { name } of SERVICE_LAWS) rows.push(await throughputRow({ ...shared, law: name }, turnaroundMs, rounds));
  }
  return [...rows, await kneeRow(rounds)];
}

async function throughputRow(setup: Setup, turnaroundMs: number, rounds: number): Promise<Row> {
  const [concurrency = 1] = setup.steps;
  const workers = setup.workers === 0 ? Infinity : setup.workers;
  const truth = trueThroughput(concurrency, workers) / (setup.meanMs + turnaroundMs);
  const said: { readonly low: number; readonly value: number | null; readonly high: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const measures = await sweep(setup, round);
    const of = (statistic: string) =>
      measures.find((one) => one.metric === 'throughput' && one.statistic === statistic);
    const rate = of('rate');
    const low = rate?.ciLow ?? of('rate_low')?.value;
    const high = rate?.ciHigh ?? of('rate_high')?.value;
    if (low !== null && low !== undefined && high !== null && high !== undefined) {
      said.push({ low, value: rate?.value ?? null, high });
    }
  }
  const holds = said.filter(({ low, high }) => low <= truth && truth <= high).length;
  const values = said.flatMap(({ value }) => value ?? []);
  const off = values.length === 0 ? '' : `; rate ${percent((mean(values) ?? 0) / truth - 1)} off on average`;
  const width = mean(said.map(({ low, high }) => (high - low) / 2 / truth)) ?? 0;
  return {
    what: `throughput over HTTP, ${setup.law}, ${setup.workers === 0 ? 'unlimited' : setup.workers} workers, ${concurrency} in flight, slices of ${setup.perSlot}c`,
    measured: `holds ${truth.toFixed(1)} / s in ${holds} of ${said.length}${off}; half-width ${percent(width)}`,
    bar: `${rounds} of ${rounds} where the truth is to be held in 95 %, but for chance`,
  };
}

/** Two workers: the most throughput for the latency is at two in flight. */
async function kneeRow(rounds: number): Promise<Row> {
  const found: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const setup = { law: 'lognormal, CV 30 %', meanMs: 10, workers: 2, steps: [1, 2, 4, 8], perSlot: 40 };
    const knee = (await sweep(setup, round)).find(({ metric }) => metric === 'knee');
    found.push(String(knee?.value ?? joinedNotes(knee?.notes ?? [])));
  }
  return {
    what: 'knee over HTTP, lognormal, CV 30 %, 2 workers, steps 1, 2, 4, 8',
    measured: found.join(', '),
    bar: '2, each time',
  };
}

/** What the analysis says of a sweep that was sent. */
async function sweep(setup: Setup, seed: number): Promise<readonly Measure[]> {
  const { law, meanMs, workers, steps, perSlot } = setup;
  const most = Math.max(...steps);
  const { baseUrl, child } = await startServer('law-server', [law, String(meanMs), String(workers), String(seed)]);
  const load: ClosedLoad = { ...closedLoad(most), order: 'paired', steps };
  const seeds = Array.from({ length: perSlot * most }, (_, at) => at);
  const run = await openBenchRun(baseUrl, load, scratchFolder());
  // The first calls compile both sides and open the sockets.
  await run.measure(planOf(seeds.slice(0, 4 * most), closedLoad(most)));
  const samples: Sample[] = [];
  await run.measure(planOf(seeds, load, SLICES), (sample) => samples.push(sample));
  await run.close();
  await child.close();
  const variants = [{ name: 'bench', plannedTrials: samples.length }];
  return analyse(buildStoredRun({ variants, samples, seeds, repeats: SLICES, load }), METRICS).analysis.measures;
}

/** What a bare loop waits beyond the service time: connection, both programs, late timers. */
async function turnaroundOf(meanMs: number, concurrency: number): Promise<number> {
  const { baseUrl, child } = await startServer('law-server', ['constant', String(meanMs), '0']);
  const agent = new Agent({ connections: concurrency, pipelining: 1 });
  const took: number[] = [];
  const slot = async (): Promise<void> => {
    for (let call = 0; call < 100; call += 1) {
      const startMs = performance.now();
      const { body } = await request(`${baseUrl}/generate`, { dispatcher: agent, method: 'POST', body: '{}' });
      await body.arrayBuffer();
      if (call >= 20) took.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, slot));
  await agent.close();
  await child.close();
  return (mean(took) ?? meanMs) - meanMs;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
