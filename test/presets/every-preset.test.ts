import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { PresetRecording } from '../fixtures/preset-recording.ts';

const PRESETS = fileURLToPath(new URL('../../suites/targets', import.meta.url));
const RECORDINGS = fileURLToPath(new URL('../fixtures/presets', import.meta.url));
const TESTS = fileURLToPath(new URL('.', import.meta.url));

test('every preset is recorded once, and every recording is held to the contract', async () => {
  const presets = readdirSync(PRESETS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length));
  const files = readdirSync(RECORDINGS);
  const modules: readonly { readonly RECORDINGS: readonly PresetRecording[] }[] = await Promise.all(
    files.map((file) => import(join(RECORDINGS, file))),
  );
  const recorded = modules.flatMap((module) => module.RECORDINGS.map(({ preset }) => preset));
  expect(recorded.toSorted()).toEqual(presets.toSorted());
  const tests = readdirSync(TESTS)
    .map((file) => readFileSync(join(TESTS, file), 'utf8'))
    .filter((text) => text.includes('presetContract(recording)'))
    .join('\n');
  expect(files.filter((file) => !tests.includes(`../fixtures/presets/${file}`))).toEqual([]);
});
