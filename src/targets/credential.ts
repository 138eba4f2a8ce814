import { createHmac } from 'node:crypto';
import type { JsonObject } from '../kit/json.ts';
import type { KnownSecrets } from './secrets.ts';

/** A JSON Web Token, signed again when it expires. */
export interface JwtRule {
  readonly key: string;
  /** Without the times. */
  readonly claims: JsonObject;
  readonly expiresMs: number;
  /** How long before its signing it is valid, for clocks that differ; null: no `nbf`. */
  readonly notBeforeMs: number | null;
}

/**
 * A token in compact form (RFC 7519, RFC 7515), signed with HMAC SHA-256 (`HS256`): the claims, `exp` and `nbf` in
 * whole seconds since 1970.
 */
export function signJwt({ key, claims, expiresMs, notBeforeMs }: JwtRule, wallMs: number): string {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  const times = {
    exp: seconds(wallMs + expiresMs),
    ...(notBeforeMs === null ? {} : { nbf: seconds(wallMs - notBeforeMs) }),
  };
  const signed = [
    { alg: 'HS256', typ: 'JWT' },
    { ...claims, ...times },
  ]
    .map((part) => Buffer.from(JSON.stringify(part), 'utf8').toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

export interface Credential {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: string;
}

export interface SignedCredential extends Omit<Credential, 'value'> {
  readonly before: string;
  readonly after: string;
  readonly jwt: JwtRule;
}

export interface Credentials {
  readonly of: (credential: Credential | SignedCredential | null) => () => Credential | null;
}

/** Gets every secret value that is sent as a credential, and when it expires. */
export type SecretSink = Pick<KnownSecrets, 'isIn' | 'add' | 'forget'>;

interface SignedToken {
  readonly credential: Credential;
  readonly token: string;
  readonly renewMs: number;
  readonly expiresMs: number;
}

/** A token stays secret for this much longer than its life, because clocks differ. */
const GRACE_MS = 60_000;

/**
 * Signs a token when first needed, and again after half of its life. Calls with equal rules share it, so that few must
 * be kept secret.
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

/** The words with a known secret, else the whole value: `user:key` in base64 has forms of its own. */
function secretParts(value: string, { isIn }: Pick<SecretSink, 'isIn'>): readonly string[] {
  const parts = value.split(/\s+/).filter(isIn);
  return parts.length === 0 && !isIn(value) ? [value] : parts;
}
