import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { unexamined } from '../../src/examine/pairs.ts';
import type { Run } from '../../src/record/run.ts';
import { EXAMINE_OPTIONS, examineRun, recordOf } from '../fixtures/examined-outputs.ts';
import { pairFacts } from '../fixtures/found-facts.ts';
import { inputOf } from '../fixtures/stored-run-builder.ts';

const [WIDTH, HEIGHT] = [64, 40];

/** Three bands, brighter in each column by `more`. */
function picture(more: (x: number) => number = () => 0): Sharp {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => 60 + (at >> 10) * 30 + more(at % WIDTH));
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .toColourspace('srgb')
    .png();
}

/** Examines edits of one input, whose mask changes the right half. */
async function examined(edits: readonly Sharp[], input: Sharp, options = EXAMINE_OPTIONS) {
  const raw = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % WIDTH < 32 ? 0 : 1));
  const mask = sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } }).png();
  const all = await Promise.all([...edits, input, mask].map((image) => image.toBuffer()));
  const { folder, samples, digests } = recordOf(all);
  const [image = '', masked = ''] = digests.slice(-2);
  const media = [
    { ...inputOf(''), sha256: image },
    { ...inputOf(''), sha256: masked, role: 'mask' as const },
  ];
  const prompts: Run['prompts'] = [{ id: 'fox', text: '', tags: [], kinds: ['image-edit'], media, inputs: {} }];
  const run = { variants: [{ name: 'standard', kind: 'image-edit' as const, baseline: true }], prompts };
  const record = { run, samples: samples.slice(0, -2), facts: [], inputs: new Set([image, masked]) };
  const { found } = await examineRun(folder, record, options);
  const levelsOf = (sha256: string) =>
    found.flatMap((fact) => (fact.fact === 'outside' && fact.output === sha256 ? [fact.levels] : []));
  return { folder, record, found, image, levels: digests.slice(0, -2).map((sha256) => levelsOf(sha256)[0]) };
}

describe('examineRun of edits', () => {
  it('examineRun of edits compares each distinct edit with its input and measures it outside the mask, and not again', async () => {
    const edits = [
      picture((x) => (x < 32 ? 0 : 90)),
      // Of the 25 columns that lie 8 pixels and more outside, one differs by 50; those nearer to the mask do not count.
      picture((x) => (x === 24 ? 50 : x > 24 ? 90 : 0)),
      picture((x) => (x < 32 ? 5 : 0)),
      // The same pixels in another file.
      picture((x) => (x < 32 ? 5 : 0)).png({ compressionLevel: 0 }),
      picture(),
    ];
    const { folder, record, found, image, levels } = await examined(edits, picture());
    expect(levels).toEqual([0, 50 / 25, 5, undefined, 0]);
    // The last one is the input.
    expect(pairFacts(found).filter(({ a, b }) => a === image || b === image)).toHaveLength(3);
    expect(unexamined({ ...record, facts: found })).toBe(0);
    expect(unexamined({ ...record, facts: found.filter(({ fact }) => fact !== 'outside') })).toBe(4);
    expect((await examineRun(folder, { ...record, facts: found }, EXAMINE_OPTIONS)).found).toEqual([]);
  });

  it('examineRun of edits scales outputs of the same shape, turns inputs upright, and has no number for another shape', async () => {
    const edits = [
      picture().resize(2 * WIDTH, 2 * HEIGHT, { kernel: 'nearest' }),
      picture().resize(WIDTH, HEIGHT + 1, { fit: 'fill' }),
      picture().ensureAlpha(0),
    ];
    const { levels } = await examined(edits, picture().rotate(-90).withMetadata({ orientation: 6 }));
    expect(levels).toEqual([expect.closeTo(0, 0), null, 171]);
  });
});
