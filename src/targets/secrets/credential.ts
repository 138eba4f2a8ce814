import { type JwtRule, signJwt } from './jwt.ts';
import type { KnownSecrets } from './known-secrets.ts';

/** The credential, as sent. */
export interface Credential {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: string;
}

/** A credential that holds a token between two texts. */
export interface SignedCredential extends Omit<Credential, 'value'> {
  readonly before: string;
  readonly after: string;
  readonly jwt: JwtRule;
}

/** The credentials of calls. */
export interface Credentials {
  /** Gives what a call sends, whenever it sends: null where it needs none. */
  readonly of: (credential: Credential | SignedCredential | null) => () => Credential | null;
}

/** Told of every value that is sent as a credential and must not get out, and when it is worth nothing any more. */
export type SecretSink = Pick<KnownSecrets, 'isIn' | 'add' | 'forget'>;

interface SignedToken {
  readonly credential: Credential;
  readonly token: string;
  readonly renewMs: number;
  readonly expiresMs: number;
}

/** A token is a secret for this much longer than it says: clocks differ. */
const GRACE_MS = 60_000;

/**
 * Makes credentials. A token is signed when it is first asked for, and again when half of its life is over; calls that
 * need the same one share it, so that there are few to be kept secret.
 *
 * @param wallMs milliseconds since 1970
 */
export function createCredentials(wallMs: () => number, secrets: SecretSink): Credentials {
  const current = new Map<string, SignedToken>();
  let past: readonly SignedToken[] = [];
  const forgetExpired = (nowMs: number): void => {
    const over = past.filter(({ expiresMs }) => nowMs > expiresMs + GRACE_MS);
    if (over.length === 0) return;
    past = past.filter((token) => !over.includes(token));
    for (const { token } of over) secrets.forget(token);
  };
  const sign = ({ before, after, jwt, ...place }: SignedCredential, nowMs: number): SignedToken => {
    const token = signJwt(jwt, nowMs);
    secrets.add(token);
    return {
      credential: { ...place, value: before + token + after },
      token,
      renewMs: nowMs + jwt.expiresMs / 2,
      expiresMs: nowMs + jwt.expiresMs,
    };
  };
  return {
    of: (credential) => {
      if (credential === null || 'value' in credential) {
        if (credential !== null) for (const part of secretParts(credential.value, secrets)) secrets.add(part);
        return () => credential;
      }
      const key = JSON.stringify(credential);
      return () => {
        const nowMs = wallMs();
        const known = current.get(key);
        if (known !== undefined && nowMs < known.renewMs) return known.credential;
        if (known !== undefined) past = [...past, known];
        forgetExpired(nowMs);
        const fresh = sign(credential, nowMs);
        current.set(key, fresh);
        return fresh.credential;
      };
    },
  };
}

/**
 * What of a credential must not get out, as sent. The words that hold a known secret: one that is made of it, such as `user:key` in base64,
 * has forms of its own. The whole value where no word of it does.
 */
function secretParts(value: string, { isIn }: Pick<SecretSink, 'isIn'>): readonly string[] {
  const parts = value.split(/\s+/).filter(isIn);
  return parts.length === 0 && !isIn(value) ? [value] : parts;
}
