import { isObject, type Json, type JsonObject } from '../kit/json.ts';
import { extensionOf, type SizeUnit } from '../media/header.ts';
import { trialCosts } from '../plan/estimate.ts';
import type { Trial } from '../plan/trial.ts';
import type { Stop } from '../record/journal.ts';
import type { Run } from '../record/run.ts';
import type { RecordWriter } from '../record/store.ts';
import type { Clock } from '../run/clock.ts';
import type { CallRequest, RunnerEvent } from '../run/events.ts';
import type { Server } from '../run/limits.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { Resumption } from '../run/resumption.ts';
import { type Barrier, type Measurement, measure, type RunnerEdge } from '../run/runner.ts';
import { startWire } from '../run/wire.ts';
import type { Suite } from '../suite/suite.ts';
import { type Proxies, proxiesOf, proxyFor } from '../targets/proxies.ts';
import { renderSubmit } from '../targets/request.ts';
import type { Secrets } from '../targets/secrets.ts';
import type { Variant } from '../targets/target.ts';
import type { Edge } from './edge.ts';
import { type Endpoints, withEndpoints } from './endpoints.ts';
import type { PreparedRun } from './prepare-run.ts';

/** A run whose record is open and locked. */
export interface OpenRun {
  readonly record: RecordWriter;
  readonly run: Run;
  readonly resumption: Resumption | null;
  readonly prepared: PreparedRun;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Of a worker of a fleet. */
  readonly fleet?: FleetPart | undefined;
}

/** How a run keeps step with the other shards of its fleet. */
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
  edge: Edge,
  observe: (event: RunnerEvent) => void,
  look: RunnerEdge['look'],
): Promise<Stop> {
  const { suite, variants, plan } = prepared;
  const proxies = proxiesOf(edge.env);
  try {
    keepInputs(prepared, record);
    return await withEndpoints(variants, secrets, edge, async (endpoints) => {
      const wire = await startWire({
        origin: clock.origin,
        targets: Object.fromEntries(variants.map(({ target }) => [target.id, target])),
        connections: suite.load.concurrency,
        proxies,
        secrets: endpoints.secretValues,
        jitter: suite.load.shuffle,
      });
      edge.abort.addEventListener('abort', wire.abort);
      try {
        const measurement = {
          plan,
          load: suite.load,
          limits: suite.limits,
          resumption,
          ...asksOf(prepared, endpoints, proxies),
        };
        const { service } = endpoints;
        const barrier = fleet?.barrier;
        return await measure(measurement, { clock, wire, record, drain: edge.drain, observe, look, barrier, service });
      } finally {
        edge.abort.removeEventListener('abort', wire.abort);
        await wire.close();
      }
    });
  } finally {
    record.close();
  }
}

/** Stores each input image once, to show it beside its outputs. */
function keepInputs({ plan, suite }: Pick<PreparedSuite, 'plan' | 'suite'>, { keepMedia }: RecordWriter): void {
  const asked = new Set(plan.slices.flatMap(({ trials }) => trials.map(({ prompt }) => prompt)));
  for (const { id, image } of suite.cases) {
    const extension = extensionOf(image?.mime ?? null);
    if (image !== null && extension !== null && asked.has(id)) keepMedia(image.bytes, extension);
  }
}

function asksOf(
  { suite, variants, against }: PreparedSuite,
  endpoints: Endpoints,
  proxies: Proxies,
): Pick<Measurement, 'requestOf' | 'costOf' | 'unitOf' | 'expectedOf' | 'serverOf'> {
  const variantOf = lookUp(variants, ({ name }) => name);
  const caseOf = lookUp(suite.cases, ({ id }) => id);

  const requestOf = (trial: Trial): CallRequest => {
    const variant = variantOf(trial.variant);
    const baseUrl = endpoints.baseUrlOf(variant);
    const inputs = { case: caseOf(trial.prompt), seed: trial.seed };
    return {
      target: variant.target.id,
      baseUrl,
      origins: variant.origins,
      submit: renderSubmit(variant, inputs, {
        baseUrl,
        secrets: endpoints.secretsOf(variant),
        digest: trial.requestDigest,
      }),
      timeoutMs: variant.timeoutMs,
      onThrottle: suite.load.onThrottle,
    };
  };

  const serverOf = (name: string): Server => {
    const variant = variantOf(name);
    const { declared } = variant.twinOf === undefined || against === null ? suite : against;
    const url = new URL(endpoints.baseUrlOf(variant));
    return {
      origin: url.origin,
      proxy: proxyFor(url, proxies),
      variable: baseUrlVariable({ declared }, { ...variant, name: variant.twinOf ?? name }),
    };
  };

  const costOf = trialCosts(variants, suite.cases);

  const unitOf = ({ variant }: Trial): SizeUnit | null => {
    const per = variantOf(variant).price?.per;
    return per === 'second' || per === 'megapixel' ? per : null;
  };

  return { requestOf, costOf, unitOf, serverOf, expectedOf: ({ variant }) => variantOf(variant).target.result.expect };
}

/** The first environment variable in a variant's base URL, in the suite or else in its target; null if none. */
function baseUrlVariable(
  { declared }: Pick<Suite, 'declared'>,
  { name, target }: Pick<Variant, 'name'> & { readonly target: Pick<Variant['target'], 'declared'> },
): string | null {
  // A variant of a matrix has the name of its entry and its values.
  const entries = Object.entries(objectOf(objectOf(declared).variants))
    .filter(([entry]) => name === entry || name.startsWith(`${entry}-`))
    .sort(([a], [b]) => b.length - a.length);
  const [[, entry] = []] = entries;
  const text = objectOf(entry ?? null).base_url ?? objectOf(target.declared).base_url;
  const [, variable] = (typeof text === 'string' && /\$\{env\.([A-Za-z_][A-Za-z0-9_]*)/.exec(text)) || [];
  return variable ?? null;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function lookUp<T>(items: readonly T[], keyOf: (item: T) => string): (key: string) => T {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return (key) => {
    const item = byKey.get(key);
    if (item === undefined) throw new Error(`the plan names ${key}, which the suite does not have`);
    return item;
  };
}
