import { type JwtRule, signJwt } from './jwt.ts';

/** What proves who asks, as it is sent. */
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

/**
 * The credential of a call, whenever one is needed: a token is signed when it is first asked for, and again when half
 * of its life is over.
 *
 * @param wallMs milliseconds since 1970
 * @param secrets every value that is given is added: it must not get out
 */
export function keepCredential(
  credential: Credential | SignedCredential | null,
  wallMs: () => number,
  secrets: string[],
): () => Credential | null {
  if (credential === null || 'value' in credential) {
    if (credential !== null) secrets.push(credential.value);
    return () => credential;
  }
  const { before, after, jwt, ...place } = credential;
  let current: { readonly credential: Credential; readonly untilMs: number } | null = null;
  return () => {
    const nowMs = wallMs();
    if (current !== null && nowMs < current.untilMs) return current.credential;
    const token = signJwt(jwt, nowMs);
    secrets.push(token);
    current = { credential: { ...place, value: before + token + after }, untilMs: nowMs + jwt.expiresMs / 2 };
    return current.credential;
  };
}
