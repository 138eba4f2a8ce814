import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../suite/document/json.ts';

/** A JSON Web Token, signed again when it expires. */
export interface JwtRule {
  /** As text. */
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
 * @param wallMs milliseconds since 1970
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
    .map(encode)
    .join('.');
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}
