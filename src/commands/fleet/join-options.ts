import { MOST_MESSAGE_BYTES } from '../../fleet/channel.ts';
import { type Connection, loadEngine } from '../../fleet/engine.ts';
import { accepted, refusal } from '../../kit/diagnostic.ts';
import { isLocalName, isLoopback } from '../../kit/loopback.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import type { ShardIdentity } from '../../record/run.ts';
import { identityOf } from '../../record/shard-identity.ts';
import { isClaim } from '../../suite/gate.ts';
import { loadNamed } from '../../suite/named-file.ts';
import { isEmbedded } from '../../workflow/endpoints.ts';
import type { PlannedSuite } from '../../workflow/plan-suite.ts';
import { describeRun } from '../../workflow/run-header.ts';
import type { run } from '../declared/measuring-commands.ts';
import type { Edge } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

export type FleetRunArguments = ArgumentsOf<typeof run> & {
  readonly suite: string;
  readonly fleet: string;
  readonly workers: number;
};

/**
 * The first patch of a minor version of the server without known security faults: NATS advisories 2026-16 and 2026-18,
 * GHSA-fhg8-qxh5-7q3w.
 */
const LEAST_PATCH: Readonly<Record<string, number>> = { '2.11': 16, '2.12': 7 };
const LEAST_MINOR = 14;

export interface FleetEntry {
  readonly fleet: string;
  readonly isLocal: boolean;
  readonly seed: string | null;
}

/** Reads how to join a fleet, before anything that takes time. */
export async function readEntry(
  { fleet, key }: Pick<FleetRunArguments, 'fleet' | 'key'>,
  cwd: string,
): Promise<FleetEntry> {
  return { fleet, isLocal: isLocalServer(fleet), seed: await readKey(key, cwd) };
}

/** Connects to the server of a fleet, and refuses what is not safe beyond this machine. */
export async function connectToFleet({ fleet, isLocal, seed }: FleetEntry, name: string): Promise<Connection> {
  const engine = accepted(await loadEngine());
  const connected = accepted(await engine.connect({ url: fleet, name, key: seed }));
  const { serverVersion } = connected;
  const mostBytes = connected.mostBytes();
  const isSmall = mostBytes < MOST_MESSAGE_BYTES;
  if (!isSmall && (isLocal || isSafe(serverVersion))) return connected;
  await connected.close();
  if (isSmall) {
    throw refusal(
      `the NATS server at ${fleet} takes messages of at most ${plural(mostBytes, 'byte')}`,
      'write max_payload: 1MB in its nats.conf, and start it again',
    );
  }
  throw refusal(
    `the NATS server at ${fleet} is version ${serverVersion}, which has known security faults`,
    'use 2.11.16 or a later 2.11, 2.12.7 or a later 2.12, or 2.14.0 or later',
  );
}

/** Refuses another machine without encryption. */
function isLocalServer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '') {
    throw refusal(
      `--fleet "${text}" is not a valid URL of a NATS server`,
      'write nats://127.0.0.1:4222, or tls://HOST:4222 for another machine',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal('--fleet contains a user or a password', 'use --key with a file that retake fleet keys wrote');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = isLoopback(host) || isLocalName(host);
  if (url.protocol === 'tls:' || isLocal) return isLocal;
  throw refusal(
    `--fleet ${text} sends records without encryption to another machine`,
    'use tls://, and give the server a certificate',
  );
}

async function readKey(file: string | undefined, cwd: string): Promise<string | null> {
  if (file === undefined) return null;
  const loaded = accepted(await loadNamed(file, cwd));
  const seed = loaded.text.trim();
  if (/^SU[A-Z2-7]{50,}$/.test(seed)) return seed;
  throw refusal(
    `${file} does not contain a key of a worker or coordinator`,
    'name a .key file that retake fleet keys wrote',
  );
}

function isSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  if (major !== 2) return major > 2;
  return minor >= LEAST_MINOR || patch >= (LEAST_PATCH[`2.${minor}`] ?? Infinity);
}

/** What shards of a run must have in common. @param vantage null: a coordinator, which takes that of its workers */
export async function identityOfSuite(
  whole: PlannedSuite,
  vantage: string | null,
  edge: Pick<Edge, 'cwd' | 'env'>,
): Promise<ShardIdentity> {
  const named = { run: null, label: null, vantage };
  return identityOf(await describeRun({ ...whole, shard: null }, new Date(0).toISOString(), named, null, edge));
}

/** Refuses a suite that no fleet can measure. */
export function refuseForFleet({ variants, suite }: PlannedSuite): void {
  if (suite.gate.some(isClaim)) {
    const cause = 'a claim cannot be measured by several machines: it is decided pair after pair';
    throw refusal(cause, 'run the suite without --fleet, or remove claim');
  }
  const embedded = variants.filter(isEmbedded).map(({ name }) => name);
  if (embedded.length === 0) return;
  throw refusal(
    `${listedInShort(embedded)}: base_url is embedded:, so each worker would start its own service`,
    'set base_url to a server that all workers can reach (RETAKE_BASE_URL for the reference targets)',
  );
}
