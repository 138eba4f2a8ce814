import { expandPlan } from '../../../src/plan/expand.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { Sample } from '../../../src/record/journal.ts';
import type { Run } from '../../../src/record/run.ts';
import { createRecord } from '../../../src/record/store.ts';
import { type Clock, startClock } from '../../../src/run/clock.ts';
import { measure } from '../../../src/run/runner.ts';
import { startWire } from '../../../src/run/wire.ts';
import type { ClosedLoad, Load } from '../../../src/suite/load.ts';
import { NO_PROXIES } from '../../../src/targets/origins.ts';
import { renderSubmit } from '../../../src/targets/request.ts';
import type { Variant } from '../../../src/targets/target.ts';
import { caseWith, targetWith, variantOf } from '../../targets/target-fixture.ts';

const benchCase = caseWith({ text: 'a fox' });

/** A server that answers a POST with an image's bytes. */
function benchVariant(): Variant {
  const body = { prompt: '${case.prompt}', seed: '${case.seed}' };
  return variantOf(
    targetWith({
      id: 'bench/body',
      base_url: 'http://127.0.0.1:1',
      inputs: { seed: { claim: 'none', omit_means: 'random' } },
      submit: { path: '/generate', encoding: 'json', body },
      result: { from: 'body', expect: 'image/*' },
    }),
  );
}

/** A run of the bench's one variant: the wire thread is up, the record open. */
export interface BenchRun {
  readonly clock: Clock;
  /** The folder of the record that is open. */
  readonly folder: () => string;
  /** Measures a plan as `retake run` does; `ended` is told of each sample. */
  readonly measure: (plan: Plan, ended?: (sample: Sample) => void) => Promise<void>;
  /** Closes the record and opens another in a new folder; the wire thread stays. */
  readonly openRecord: (results: string) => void;
  readonly close: () => Promise<void>;
}

/** Closed load without warm-ups, all in one slice. */
export function closedLoad(concurrency: number): ClosedLoad {
  return { mode: 'closed', steps: null, concurrency, order: 'mixed', warmup: 0, onThrottle: 'fail', shuffle: 1 };
}

/** As many requests for each seed as there are repeats. */
export function planOf(seeds: readonly number[], load: Load, repeats = 1): Plan {
  return expandPlan({ variants: [benchVariant()], cases: [benchCase], seeds, repeats, load, probes: [], nonce: 0 });
}

/** Opens a run against a server whose answers are images. */
export async function openBenchRun(baseUrl: string, load: Load, results: string): Promise<BenchRun> {
  const variant = benchVariant();
  const clock = startClock();
  const wire = await startWire({
    origin: clock.origin,
    targets: { [variant.target.id]: variant.target },
    connections: load.concurrency,
    proxies: NO_PROXIES,
    secrets: [],
    jitter: 1,
  });
  const recordIn = (folder: string) =>
    createRecord(folder, { format: 1, id: 'bench', suite: { name: 'bench' } } as Run);
  let record = recordIn(results);
  return {
    clock,
    folder: () => record.folder,
    measure: async (plan, ended = () => {}) => {
      await measure(
        {
          plan,
          load,
          limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
          holds: false,
          resumption: null,
          requestOf: ({ seed, requestDigest: digest }) => ({
            target: variant.target.id,
            baseUrl,
            submit: renderSubmit(variant, { case: benchCase, seed }, { baseUrl, secrets: {}, digest }),
            timeoutMs: 60_000,
            onThrottle: 'fail',
          }),
          isPerSecond: () => false,
          costOf: () => ({ leastUsd: 0, mostUsd: 0, delivered: null }),
          serverOf: () => null,
          expectedOf: () => 'image/*',
        },
        {
          clock,
          wire,
          record,
          drain: new AbortController().signal,
          observe: (event) => {
            if (event.event === 'ended') ended(event.sample);
          },
        },
      );
    },
    openRecord: (folder) => {
      record.close();
      record = recordIn(folder);
    },
    close: async () => {
      record.close();
      await wire.close();
    },
  };
}
