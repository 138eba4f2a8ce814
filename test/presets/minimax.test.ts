import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadTargetFile } from '../../src/prepare/load-target.ts';
import type { Target } from '../../src/targets/model/target.ts';
import { callPreset, presetContract } from '../contracts/preset.ts';
import type { PresetRecording, RecordedReply } from '../fixtures/preset-recording.ts';
import { IMAGE_01, NO_IMAGE, RECORDINGS, REFUSALS, TEXT_TO_VIDEO } from '../fixtures/presets/minimax.ts';
import * as h3 from '../fixtures/presets/minimax-h3.ts';
import { serveRecorded } from '../fixtures/recorded-provider.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));

for (const recording of [...RECORDINGS, ...h3.RECORDINGS]) presetContract(recording);

describe('the refusals of MiniMax', () => {
  for (const { reply, outcome, code } of REFUSALS) {
    test(`code ${code} of MiniMax inside a 200 is ${outcome}`, async () => {
      expect(await answerTo(TEXT_TO_VIDEO, reply)).toMatchObject({ outcome, error: { code } });
    });
  }

  for (const { reply, outcome } of h3.REFUSALS) {
    test(`HTTP ${reply.status} of MiniMax H3 is ${outcome}`, async () => {
      expect((await answerTo(h3.TEXT_TO_VIDEO, reply)).outcome).toBe(outcome);
    });
  }

  test('an image that is held back is only counted', async () => {
    expect((await answerTo(IMAGE_01, NO_IMAGE)).outcome).toBe('moderated');
  });
});

async function answerTo(recording: PresetRecording, reply: RecordedReply) {
  const provider = await serveRecorded({ 'POST *': [reply] }, recording.media);
  const { result } = await callPreset(recording, await loadPreset(recording), provider, { onThrottle: 'fail' });
  return result;
}

async function loadPreset({ preset }: PresetRecording): Promise<Target> {
  const loaded = await loadTargetFile(`${PRESETS}/${preset}.yaml`, { env: {}, cwd: PRESETS });
  if (!loaded.ok) throw new Error(`${preset} does not load`);
  return loaded.value;
}
