import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../../src/record/journal.ts';
import { EXAMINE_OPTIONS, examineOutputs, examineRun, recordOf } from '../fixtures/examined-outputs.ts';
import { outputFacts, pairFacts } from '../fixtures/found-facts.ts';
import { paint } from '../fixtures/painted-images.ts';
import { plainPng, rawPng } from '../fixtures/plain-png.ts';

let images: Buffer[];
beforeAll(async () => {
  images = await Promise.all([0, 60, 120, 180, 240].map((grey) => plainPng({ r: grey, g: 90, b: 20 }, 300, 200)));
});

const factLines = (folder: string) =>
  existsSync(join(folder, 'facts.jsonl')) ? readFileSync(join(folder, 'facts.jsonl'), 'utf8').trim().split('\n') : [];

describe('examineRun', () => {
  it('examineRun examines each distinct output once, and not again', async () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = images;
    const { folder, samples, digests } = recordOf([first, second, first]);
    const { found, complete } = await examineOutputs({ folder, samples });
    expect(complete).toBe(true);
    const outputs = outputFacts(found);
    expect(outputs.map(({ sha256 }) => sha256).sort()).toEqual([...new Set(digests)].sort());
    expect(outputs).toEqual(
      outputs.map((fact) => expect.objectContaining({ sha256: fact.sha256, decodes: true, width: 300, height: 200 })),
    );
    expect(pairFacts(found)).toMatchObject([{ compared: true, difference: { frames: 1, unpaired: 0 } }]);
    // Of each two thumbnails, and a copy of all its pixels.
    const small = readdirSync(join(folder, 'thumbs')).map((name) => name.slice(64));
    expect(small.sort()).toEqual(['.1024.webp', '.1024.webp', '.200.webp', '.200.webp', '.webp', '.webp']);
    const again = await examineOutputs({ folder, samples }, found);
    expect(again.found).toEqual([]);
    expect(factLines(folder)).toHaveLength(3);
  });

  it('examineRun says why bytes do not decode', async () => {
    const [first = Buffer.alloc(0)] = images;
    const { folder, samples } = recordOf([first.subarray(0, first.length / 2), Buffer.from('<html>'), Buffer.alloc(0)]);
    const { found } = await examineOutputs({ folder, samples });
    expect(outputFacts(found).map(({ decodes }) => decodes)).toEqual([false, false, false]);
  });

  it('examineRun finds a stored file that was changed behind its digest', async () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = images;
    const { folder, samples, digests } = recordOf([first]);
    const [sha256 = ''] = digests;
    rmSync(join(folder, 'media', sha256.slice(0, 2), `${sha256}.png`));
    writeFileSync(join(folder, 'media', sha256.slice(0, 2), `${sha256}.png`), second);
    expect(createHash('sha256').update(second).digest('hex')).not.toBe(sha256);
    const { found } = await examineOutputs({ folder, samples });
    expect(found).toMatchObject([{ decodes: false, reason: { code: 'digest_changed' } }]);
  });

  it('examineRun kills a decoder that overruns its time, says so, and goes on with the next', async () => {
    const { folder, samples } = recordOf(images);
    const { found } = await examineOutputs({ folder, samples }, [], {
      workers: 1,
      timeLimitMs: { image: 1, video: 1 },
    });
    expect(found).toHaveLength(images.length);
    for (const fact of found) expect(fact).toMatchObject({ decodes: false, reason: { code: 'timed_out', limitMs: 1 } });
  });

  it('examineRun leaves what it did not get to without a fact when it is aborted', async () => {
    const { folder, samples } = recordOf(images);
    const abort = new AbortController();
    const progress = () => abort.abort();
    const { found, complete } = await examineOutputs({ folder, samples }, [], {
      workers: 1,
      progress,
      signal: abort.signal,
    });
    expect(complete).toBe(false);
    expect(found.length).toBeLessThan(images.length);
    expect(outputFacts(found).every(({ decodes }) => decodes === true)).toBe(true);
    const rest = await examineOutputs({ folder, samples }, found);
    expect(outputFacts([...found, ...rest.found])).toHaveLength(images.length);
  });

  it('examineRun compares the distinct images of a cell, each pair once, and none with equal pixels or of other cells', async () => {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] = images;
    const repacked = await sharp(first).png({ compressionLevel: 0 }).toBuffer();
    const { folder, samples, digests } = recordOf([first, second, first, repacked, third]);
    const elsewhere = samples.map((sample, at) =>
      at < 4 ? sample : { ...sample, trial: { ...sample.trial, seed: 2 } },
    );
    const { found } = await examineOutputs({ folder, samples: elsewhere });
    const [one = '', other = ''] = [digests[0], digests[1]].sort();
    expect(pairFacts(found)).toMatchObject([
      { a: one, b: other, compared: true, difference: { samples: { maxDifference: 60 / 255 } } },
    ]);
    const again = await examineOutputs({ folder, samples }, found);
    expect(pairFacts(again.found).map(({ a, b }) => [a, b].includes(digests[4] ?? ''))).toEqual([true, true]);
  });

  it('examineRun records where two images took too long to compare', async () => {
    const { folder, samples } = recordOf(images.slice(0, 2));
    const { found } = await examineOutputs({ folder, samples });
    const { found: pairs } = await examineOutputs({ folder, samples }, outputFacts(found), {
      timeLimitMs: { image: 1, video: 1 },
    });
    expect(pairs).toMatchObject([{ fact: 'pair', compared: false, reason: { code: 'timed_out', limitMs: 1 } }]);
  });

  it('examineRun keeps a heat map of a variant and its baseline, of repeats and other seeds none', async () => {
    // One colour shows nothing.
    const scenes = [1, 2, 3, 4].map(async (seed) => {
      const { data, width, height } = paint({ texture: 'fractal', width: 300, height: 200, seed });
      return rawPng(data, width, height);
    });
    const { folder, samples, digests } = recordOf(await Promise.all(scenes));
    const of = (at: number, variant: string, seed: number, repeat: number): readonly Sample[] => {
      const sample = samples[at];
      return sample === undefined ? [] : [{ ...sample, trial: { ...sample.trial, variant, seed, repeat } }];
    };
    const delivered = [
      ...of(0, 'standard', 1, 1),
      ...of(1, 'standard', 2, 1),
      ...of(2, 'fast', 1, 1),
      ...of(2, 'fast', 1, 2),
      ...of(3, 'fast', 1, 3),
    ];
    const kind = samples[0]?.trial.kind ?? 'text-to-image';
    const variants = ['standard', 'fast'].map((name) => ({ name, kind, baseline: name === 'standard' }));
    const { found } = await examineRun(folder, { run: { variants }, samples: delivered, facts: [] }, EXAMINE_OPTIONS);
    expect(pairFacts(found)).toHaveLength(3);
    const [standard = '', , fast = ''] = digests;
    const name = `${[standard, fast].sort().join('.')}.heat.webp`;
    expect(readdirSync(join(folder, 'thumbs')).filter((file) => file.includes('heat'))).toEqual([name]);
    expect(await sharp(join(folder, 'thumbs', name)).metadata()).toMatchObject({ width: 120, height: 80 });
  });

  it('examineRun throws when a thumbnail cannot be written, and says nothing of the output', async () => {
    const { folder, samples } = recordOf(images);
    rmSync(join(folder, 'thumbs'), { recursive: true });
    writeFileSync(join(folder, 'thumbs'), 'a file where the folder should be');
    await expect(examineOutputs({ folder, samples })).rejects.toThrow();
    expect(factLines(folder)).toEqual([]);
  });
});
