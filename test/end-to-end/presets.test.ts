import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { recordingOf, repliesOf } from '../fixtures/preset-recording.ts';
import { serveRecorded } from '../fixtures/recorded-provider.ts';
import { filesBelow, journalOf, onlyRun, retakeHere } from '../fixtures/retake-process.ts';

test('presets of several providers run in one suite, each at a server of its own', async () => {
  const presets = ['automatic1111/text-to-image', 'comfyui/text-to-image', 'imagine/text-to-video'];
  const served = await Promise.all(
    presets.map(async (preset) => {
      const recording = recordingOf(preset);
      return { preset, provider: await serveRecorded(repliesOf(recording), recording.media) };
    }),
  );
  const variants = served.map(
    ({ preset }) =>
      `  ${preset.split('/')[0]}: { target: ${preset}, base_url: "\${env.SERVER_${preset.split('/')[0]}}" }`,
  );
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 's.yaml'),
    `suite: 1\nname: s\nprompts: [A red fox]\nrepeats: 2\nload: { warmup: 0 }\nvariants:\n${variants.join('\n')}\n`,
  );
  const key = 'vk-very-secret-0123456789';
  const env = Object.fromEntries(
    served.map(({ preset, provider }) => [`SERVER_${preset.split('/')[0]}`, provider.api.url]),
  );
  const ended = await retakeHere(['run', 's.yaml'], cwd, { ...env, VYRO_API_KEY: key });
  expect([ended.code, ended.stderr.match(/error|failure/i)]).toEqual([0, null]);

  const run = onlyRun(join(cwd, 'results'));
  const { samples } = journalOf(run);
  expect(samples.map(({ trial, outcome }) => `${trial.variant} ${outcome}`).toSorted()).toEqual([
    'automatic1111 ok',
    'automatic1111 ok',
    'comfyui ok',
    'comfyui ok',
    'imagine ok',
    'imagine ok',
  ]);
  const recorded = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
  expect(recorded.variants.map(({ baseUrl }: { baseUrl: string }) => baseUrl)).toEqual(
    served.map(({ provider }) => provider.api.url),
  );
  // The graph that was sent can be read again where the presets are not at hand.
  const [, comfyui] = recorded.targets;
  expect(Object.keys(comfyui.storedBody.prompt)).toContain('3');
  for (const file of filesBelow(run)) expect(readFileSync(file, 'latin1')).not.toContain(key);
});
