import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { unexamined } from '../../src/examine/pairs.ts';
import type { OutsideFact } from '../../src/record/fact.ts';
import type { Run } from '../../src/record/run.ts';
import { EXAMINE_OPTIONS, examineRun, recordOf } from '../fixtures/examined-outputs.ts';
import { outputFacts, pairFacts } from '../fixtures/found-facts.ts';
import { inputOf } from '../fixtures/stored-run-builder.ts';

const [WIDTH, HEIGHT] = [64, 40];
/** What the mask changes: columns from here on. */
const FROM = 32;

/** Three bands; `at` says what is added to each value in a column. */
function picture(at: (x: number) => number = () => 0): Sharp {
  const data = Buffer.alloc(3 * WIDTH * HEIGHT);
  for (let i = 0; i < data.length; i += 1) {
    const pixel = Math.floor(i / 3);
    data[i] = 60 + 30 * Math.floor((3 * Math.floor(pixel / WIDTH)) / HEIGHT) + at(pixel % WIDTH);
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

const mask = () => {
  const data = Buffer.from(Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % WIDTH < FROM ? 0 : 1)));
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .png()
    .toBuffer();
};

/** A record of these edits of one input with a mask. */
async function edited(outputs: readonly Buffer[], input: Buffer) {
  const all = [...outputs, input, await mask()];
  const { folder, samples: every, digests } = recordOf(all);
  const [image = '', masked = ''] = digests.slice(-2);
  const media = [
    { ...inputOf(''), sha256: image },
    { ...inputOf(''), sha256: masked, role: 'mask' as const },
  ];
  const prompts: Run['prompts'] = [{ id: 'fox', text: '', tags: [], kinds: ['image-edit'], media, inputs: {} }];
  const run = { variants: [{ name: 'standard', kind: 'image-edit' as const, baseline: true }], prompts };
  const samples = every.slice(0, -2);
  const record = { run, samples, facts: [], inputs: new Set([image, masked]) };
  const { found } = await examineRun(folder, record, EXAMINE_OPTIONS);
  const outside = found.filter((fact): fact is OutsideFact => fact.fact === 'outside');
  const levels = digests.slice(0, -2).map((sha256) => outside.find(({ output }) => output === sha256)?.levels);
  return { folder, record, found, image, outside, levels };
}

describe('examineRun of edits', () => {
  it('examineRun of edits compares each distinct edit with its input and measures it outside the mask, and not again', async () => {
    const input = await picture().png().toBuffer();
    const outputs = await Promise.all(
      [
        picture((x) => (x < FROM ? 0 : 90)).png(),
        // Of 25 columns that lie 8 pixels and more outside, one differs by 50; columns nearer to the mask do not count.
        picture((x) => (x === 24 ? 50 : x > 24 ? 90 : 0)).png(),
        picture((x) => (x < FROM ? 5 : 0)).png(),
        // The same pixels in another file.
        picture((x) => (x < FROM ? 5 : 0)).png({ compressionLevel: 0 }),
      ].map((image) => image.toBuffer()),
    );
    const { folder, record, found, image, outside, levels } = await edited([...outputs, input], input);
    expect(levels).toEqual([0, 50 / 25, 5, undefined, 0]);
    expect(outside).toHaveLength(4);
    // The last edit is the input itself: no pair.
    expect(pairFacts(found).filter(({ a, b }) => a === image || b === image)).toHaveLength(3);
    expect(unexamined({ ...record, facts: found })).toBe(0);
    expect(unexamined({ ...record, facts: found.filter(({ fact }) => fact !== 'outside') })).toBe(4);
    const again = await examineRun(folder, { ...record, facts: found }, EXAMINE_OPTIONS);
    expect(again.found).toEqual([]);
    expect(readFileSync(join(folder, 'facts.jsonl'), 'utf8').trim().split('\n')).toHaveLength(found.length);
  });

  it('examineRun of edits scales outputs of the same shape, turns inputs upright, and has no number for another shape', async () => {
    const turned = await picture().rotate(-90).withMetadata({ orientation: 6 }).png().toBuffer();
    const outputs = await Promise.all(
      [
        picture()
          .resize(2 * WIDTH, 2 * HEIGHT, { kernel: 'nearest' })
          .png(),
        picture()
          .resize(WIDTH, HEIGHT + 1, { fit: 'fill' })
          .png(),
        picture().ensureAlpha(0.5).png(),
      ].map((image) => image.toBuffer()),
    );
    const { levels, found } = await edited(outputs, turned);
    expect(outputFacts(found)).toHaveLength(5);
    expect(levels[0]).toBeLessThan(1);
    expect(levels[1]).toBeNull();
    // Half of it is white.
    expect(levels[2]).toBeGreaterThan(60);
  });

  it('examineRun of edits has no number where the decoder overruns its time', async () => {
    const input = await picture().png().toBuffer();
    const { folder, record, found } = await edited(
      [
        await picture((x) => x)
          .png()
          .toBuffer(),
      ],
      input,
    );
    const facts = found.filter(({ fact }) => fact !== 'outside');
    const options = { ...EXAMINE_OPTIONS, timeLimitMs: { image: 1, video: 1 } };
    expect((await examineRun(folder, { ...record, facts }, options)).found).toMatchObject([
      { fact: 'outside', levels: null },
    ]);
  });
});
