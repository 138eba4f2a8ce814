import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import type { JsonObject } from '../../src/suite/document/json.ts';
import type { Target } from '../../src/targets/model/target.ts';
import { callPreset, presetContract } from '../contracts/preset.ts';
import type { PresetRecording } from '../fixtures/preset-recording.ts';
import { MODERATED_JOB, RECORDINGS, REFUSALS, TEXT_TO_VIDEO } from '../fixtures/presets/kling.ts';
import { serveRecorded } from '../fixtures/recorded-provider.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

for (const recording of RECORDINGS) presetContract(recording);

describe('the token of an access key and a secret key', () => {
  for (const recording of RECORDINGS.filter(({ secrets }) => Object.hasOwn(secrets, 'KLING_SECRET_KEY'))) {
    test(`the token of Kling goes along with every request of ${recording.preset}, and to the API alone`, async () => {
      const { replies } = recording.pending ?? recording.success;
      const provider = await serveRecorded(replies, recording.media);
      const { result } = await callPreset(recording, await loadPreset(recording), provider);
      expect(result.outcome).toBe('ok');
      expect(provider.api.seen.length).toBeGreaterThan(1);
      for (const { headers } of provider.api.seen) expectToken(headers.authorization ?? '', recording);
      for (const { headers } of provider.media.seen) expect(headers).not.toHaveProperty('authorization');
    });
  }
});

describe('the codes of Kling', () => {
  for (const { reply, outcome, code } of REFUSALS) {
    test(`code ${code} of Kling in HTTP ${reply.status} is ${outcome}`, async () => {
      const provider = await serveRecorded({ 'POST *': [reply] }, 'mp4');
      const target = await loadPreset(TEXT_TO_VIDEO);
      const { result } = await callPreset(TEXT_TO_VIDEO, target, provider, { onThrottle: 'fail' });
      expect(result).toMatchObject({ outcome, error: { code } });
    });
  }

  test('a job that fails for its content is moderated', async () => {
    const replies = { ...TEXT_TO_VIDEO.success.replies, 'GET *': [MODERATED_JOB] };
    const polled = Object.fromEntries(Object.entries(replies).filter(([key]) => !key.startsWith('GET /')));
    const provider = await serveRecorded(polled, 'mp4');
    const { result } = await callPreset(TEXT_TO_VIDEO, await loadPreset(TEXT_TO_VIDEO), provider);
    expect(result).toMatchObject({ outcome: 'moderated', error: { code: 'failed' } });
  });
});

/** A JSON Web Token as RFC 7519 has it, signed with HMAC SHA-256, of the times that Kling's own example takes. */
function expectToken(header: string, { secrets }: PresetRecording): void {
  const [, token = ''] = /^Bearer (\S+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  expect(token.split('.')).toHaveLength(3);
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
  const now = Date.parse('2026-01-01T00:00:00Z') / 1000; // of the clock that the contract gives
  expect(read(claims)).toEqual({ iss: secrets.KLING_ACCESS_KEY, exp: now + 1800, nbf: now - 5 });
  const signed = createHmac('sha256', secrets.KLING_SECRET_KEY ?? '').update(`${head}.${claims}`);
  expect(signature).toBe(signed.digest('base64url'));
}

function read(part: string): JsonObject {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as JsonObject;
}

async function loadPreset({ preset }: PresetRecording): Promise<Target> {
  const loaded = await loadTargetFile(`${PRESETS}/${preset}.yaml`, { env: {}, cwd: PRESETS });
  if (!loaded.ok) throw new Error(`${preset} does not load`);
  return loaded.value;
}
