import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/kit/json.ts';
import { CALLED_AT, callPreset } from '../fixtures/called-preset.ts';
import { type PresetRecording, RECORDINGS, repliesOf } from '../fixtures/preset-recording.ts';

const SIGNED = RECORDINGS.filter(({ secrets }) => Object.hasOwn(secrets, 'KLING_SECRET_KEY'));

test.each(SIGNED)('the token of Kling goes along with every request of $preset, and to the API alone', async (each) => {
  const { result, provider } = await callPreset(each, repliesOf(each));
  expect(result.outcome).toBe('ok');
  expect(provider.api.seen.length).toBeGreaterThan(1);
  for (const { headers } of provider.api.seen) expectToken(headers.authorization ?? '', each);
  for (const { headers } of provider.media.seen) expect(headers).not.toHaveProperty('authorization');
});

/** A JSON Web Token as RFC 7519 has it, signed with HMAC SHA-256, of the times that Kling's own example takes. */
function expectToken(header: string, { secrets }: PresetRecording): void {
  const [, token = ''] = /^Bearer (\S+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(token.split('.')).toHaveLength(3);
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  const now = CALLED_AT / 1000;
  expect(read(claims)).toEqual({ iss: secrets.KLING_ACCESS_KEY, exp: now + 1800, nbf: now - 5 });
  const signed = createHmac('sha256', secrets.KLING_SECRET_KEY ?? '').update(`${head}.${claims}`);
  expect(signature).toBe(signed.digest('base64url'));
}

function read(part: string): JsonObject {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as JsonObject;
}
