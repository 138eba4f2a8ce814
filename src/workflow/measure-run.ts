import { extensionOf } from '../media/header.ts';
import { trialCosts } from '../plan/estimate.ts';
import type { Stop } from '../record/journal.ts';
import type { Run } from '../record/run.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Clock } from '../run/clock.ts';
import type { CallRequest, RunnerEvent } from '../run/events.ts';
import type { Server } from '../run/limits.ts';
import type { Barrier, Measurement, RunnerEdge } from '../run/measurement.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { Resumption } from '../run/resumption.ts';
import { measure } from '../run/runner.ts';
import { withWire } from '../run/wire.ts';
import { type Proxies, proxiesOf, proxyFor } from '../targets/origins.ts';
import { renderSubmit } from '../targets/request.ts';
import { keyNames, type Secrets } from '../targets/secrets.ts';
import type { Variant } from '../targets/target.ts';
import { type Endpoints, withEndpoints } from './endpoints.ts';
import type { ReadyRun } from './prepare-run.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** A run whose record is open and locked. */
export interface OpenRun extends ReadyRun {
  readonly record: RecordWriter;
  readonly run: Run;
  readonly resumption: Resumption | null;
  readonly clock: Clock;
  /** Absent: not a worker of a fleet. */
  readonly fleet?: FleetPart | undefined;
}

/** Keeps a run in step with the other shards of its fleet. */
export interface FleetPart {
  readonly barrier: Barrier;
  readonly observe: (event: RunnerEvent) => void;
  /** Called when measuring has ended. Resolves when the others have measured too, so that no call is disturbed. */
  readonly measured: (stop: Stop) => Promise<void>;
}

/**
 * Opens endpoints and wire, measures the plan into the record, and closes them. The first interrupt lets the requests
 * in flight end, the second aborts them. Gives why measuring ended.
 * @param look decides the gate between the parts of a plan
 */
export async function measureRun(
  { record, prepared, secrets, clock, resumption, fleet }: OpenRun,
  edge: Pick<WorkflowEdge, 'env' | 'program' | 'drain' | 'abort'>,
  observe: (event: RunnerEvent) => void,
  look: RunnerEdge['look'],
): Promise<Stop> {
  const { suite, variants, plan } = prepared;
  const proxies = proxiesOf(edge.env);
  try {
    keepInputs(prepared, record);
    return await withEndpoints(variants, secrets, edge, async (endpoints) => {
      const setup = {
        origin: clock.origin,
        targets: Object.fromEntries(variants.map(({ target }) => [target.id, target])),
        connections: suite.load.concurrency,
        proxies,
        secrets: endpoints.secretValues,
        jitter: suite.load.shuffle,
      };
      const asks = asksOf(prepared, endpoints, proxies);
      const measurement = {
        plan,
        load: suite.load,
        limits: suite.limits,
        holds: suite.hold !== null,
        resumption,
        ...asks,
      };
      const observeAll = (event: RunnerEvent) => {
        fleet?.observe(event);
        observe(event);
      };
      const { service } = endpoints;
      const run = { clock, record, drain: edge.drain, observe: observeAll, look, barrier: fleet?.barrier, service };
      return withWire(setup, { abort: edge.abort }, (wire) => measure(measurement, { ...run, wire }));
    });
  } finally {
    record.close();
  }
}

/** Stores each input image and mask once, to show it beside its outputs. */
function keepInputs({ plan, suite }: Pick<PreparedSuite, 'plan' | 'suite'>, { keepMedia }: RecordWriter): void {
  const asked = new Set(plan.slices.flatMap(({ trials }) => trials.map(({ prompt }) => prompt)));
  for (const { id, images, mask } of suite.cases) {
    if (!asked.has(id)) continue;
    for (const { mime, bytes } of [...images, ...(mask === null ? [] : [mask])]) {
      const extension = extensionOf(mime);
      if (extension !== null) keepMedia(bytes, extension);
    }
  }
}

function asksOf(
  { suite, variants }: Pick<PreparedSuite, 'suite' | 'variants'>,
  endpoints: Endpoints,
  proxies: Proxies,
): Pick<Measurement, 'requestOf' | 'costOf' | 'isPerSecond' | 'expectedOf' | 'serverOf'> {
  const calls = new Map(variants.map((variant) => [variant.name, callsOf(variant, endpoints, proxies)]));
  const cases = new Map(suite.cases.map((promptCase) => [promptCase.id, promptCase]));
  const { onThrottle } = suite.load;
  return {
    requestOf: ({ variant: name, prompt, seed, requestDigest: digest }): CallRequest => {
      const { variant, baseUrl, secrets } = planned(calls, name);
      const inputs = { case: planned(cases, prompt), seed };
      const submit = renderSubmit(variant, inputs, { baseUrl, secrets, digest });
      const { target, origins, timeoutMs } = variant;
      return { target: target.id, baseUrl, origins, submit, timeoutMs, onThrottle };
    },
    costOf: trialCosts(variants, suite.cases),
    isPerSecond: ({ variant }) => planned(calls, variant).variant.price?.per === 'second',
    expectedOf: ({ variant }) => planned(calls, variant).variant.target.result.expect,
    serverOf: (name) => planned(calls, name).server,
  };
}

/** Shared by the calls of a variant: a plan may have 200,000 of them. */
interface VariantCalls {
  readonly variant: Variant;
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly server: Server;
}

function callsOf(variant: Variant, { baseUrlOf, secretsOf }: Endpoints, proxies: Proxies): VariantCalls {
  const baseUrl = baseUrlOf(variant);
  const url = new URL(baseUrl);
  const secrets = secretsOf(variant);
  const keys = variant.target.secrets.length === 0 ? {} : { keys: keyNames(variant.target, secrets) };
  return {
    variant,
    baseUrl,
    secrets,
    server: { origin: url.origin, proxy: proxyFor(url, proxies), variable: variant.baseUrlVariable ?? null, ...keys },
  };
}

function planned<T>(items: ReadonlyMap<string, T>, key: string): T {
  const item = items.get(key);
  if (item === undefined) throw new Error(`the plan names ${key}, which the suite does not have`);
  return item;
}
