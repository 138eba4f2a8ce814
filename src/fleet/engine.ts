import { type Checked, codeOf, refused } from '../suite/document/diagnostic.ts';

/** What a fleet uses of NATS. Nothing else imports its client. */
export interface Engine {
  readonly makeKey: () => Key;
}

export interface Key {
  /** Secret: who has it can connect. */
  readonly seed: string;
  /** What the server knows. */
  readonly publicKey: string;
}

/** An optional dependency, pinned: later versions have parts that want Node 22. */
export const ENGINE_PACKAGE = '@nats-io/transport-node@3.3.1';

/** Loads the client on first use: most processes never need it. */
export async function loadEngine(): Promise<Checked<Engine>> {
  try {
    const { nkeys } = await import('@nats-io/transport-node');
    return { ok: true, value: { makeKey: () => makeKey(nkeys.createUser()) } };
  } catch (error) {
    // Itself, or one of the packages that it loads.
    if (!ABSENT.has(codeOf(error) ?? '')) throw error;
    return refused('a fleet needs the client of NATS, which is not installed', `run npm i ${ENGINE_PACKAGE}`);
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

function makeKey(pair: { readonly getSeed: () => Uint8Array; readonly getPublicKey: () => string }): Key {
  return { seed: Buffer.from(pair.getSeed()).toString('ascii'), publicKey: pair.getPublicKey() };
}
