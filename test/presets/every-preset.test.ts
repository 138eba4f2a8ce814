import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { presetContract, shapeContract, shapeOf } from '../contracts/preset.ts';
import { loadPreset, PRESETS } from '../fixtures/called-preset.ts';
import { RECORDINGS, readRecordings } from '../fixtures/preset-recording.ts';

const RECORDED = await Promise.all(
  RECORDINGS.map(async (recording) => ({ recording, target: await loadPreset(recording.preset) })),
);

test('every preset is recorded', () => {
  const presets = readdirSync(PRESETS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length));
  expect(RECORDINGS.map(({ preset }) => preset).toSorted()).toEqual(presets.toSorted());
});

test('a recording with a field that is unknown or missing is refused with file and field', () => {
  const text = 'presets: { images: { prompt: a fox, sumbit: POST /v1/images, failures: [{ is: rejected }] } }';
  const reading = () => readRecordings('acme.yaml', text);
  for (const part of ['acme.yaml:', 'presets.images.failures[0].code', '"sumbit"']) expect(reading).toThrow(part);
});

for (const { recording, target } of RECORDED) describe(recording.preset, () => presetContract(recording, target));

describe('one preset of each shape', () => {
  const first = new Map(RECORDED.toReversed().map((each) => [shapeOf(each.target), each]));
  for (const { recording, target } of first.values()) shapeContract(recording, target);
});
