import { startChild, startServer } from './child.ts';
import type { Row } from './figures.ts';
import { scratchFolder } from './scratch.ts';

const BODY_BYTES = 1024;

/** Of the main process of a run, when so many of its samples were in the record. */
export interface Memory {
  readonly samples: number;
  /** What is live. */
  readonly heapMb: number;
  readonly rssMb: number;
}

/** What a run of many samples took. */
export interface Spent {
  readonly memories: readonly Memory[];
  readonly peakRssMb: number;
  readonly perSecond: number;
  /** Samples in the journal, read again. */
  readonly read: number;
  readonly readMs: number;
  readonly analysisMs: number;
  /** Samples that the analysis tells of. */
  readonly analysed: number;
}

/** One run of so many samples of 1 KiB against a server that answers at once. */
export async function manySamplesRows(samples: number): Promise<readonly Row[]> {
  const { baseUrl, child: server } = await startServer('stalling-server', [String(BODY_BYTES)]);
  const run = await startChild('many-samples-run', [baseUrl, scratchFolder(), String(samples)], ['--expose-gc']);
  const spent = run.first as Spent;
  await run.close();
  await server.close();
  const work = `${samples.toLocaleString('en')} samples of 1 KiB in one run`;
  return [
    {
      what: `memory of the main process, ${work}`,
      measured: `${spent.memories.map(showMemory).join('; ')}; peak ${spent.peakRssMb.toFixed(0)} MB`,
      bar: '<= 200 MB, and flat from 1,000 on',
    },
    {
      what: `the journal of ${work}, read again`,
      measured: `${spent.read} of ${samples} in ${spent.readMs.toFixed(0)} ms (measured at ${spent.perSecond.toFixed(0)} / s)`,
      bar: 'all of them',
    },
    {
      what: `analysis of ${work}`,
      measured: `${spent.analysisMs.toFixed(0)} ms (${spent.analysed} ok)`,
      bar: samples === 100_000 ? '<= 5000 ms' : 'none: the bar is for 100,000',
    },
  ];
}

function showMemory({ samples, heapMb, rssMb }: Memory): string {
  return `${samples}: ${rssMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)})`;
}
