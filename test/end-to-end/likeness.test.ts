import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/*
 * Services that stand for one whose model was changed: the same sampler with a declared change. A baseline is compared
 * with each in one run.
 */

const CHANGED = {
  quantised: ['{ one_bit: {} }'],
  soft: ['{ blurred: { radius: 2 } }'],
  turned: ['{ mirrored: {}, when: { prompt: harbour } }'],
  random: ['{ seed_ignored: {} }'],
} as const;

const NAMES = Object.keys(CHANGED);
const SCENES = ['fox', 'harbour', 'tower'];

const SUITE = `suite: 1
name: changed
variants:
  standard: { target: reference/text-to-image, const: { model: fast-lcm }, baseline: true }
${NAMES.map((name) => `  ${name}: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: "\${env.URL_${name.toUpperCase()}}" }\n`).join('')}prompts:
${SCENES.map((scene) => `  - { id: ${scene}, text: A ${scene} at dusk }\n`).join('')}seeds: [1]
repeats: 2
load: { warmup: 0 }
reports: [csv]
`;

describe('likeness to the baseline', () => {
  let folder: string;
  let services: readonly (readonly [string, ServedService])[];
  const run = () => join(folder, 'results', 'changed', 'one');
  const likeness = () => readTable(readFileSync(join(run(), 'likeness.csv'), 'utf8'));
  const wordsOf = (variant: string) =>
    likeness().flatMap((row) => (row.variant === variant ? ((row.likeness || row.why_not) ?? '') : []));

  beforeAll(async () => {
    const usual = await serveHere();
    services = await Promise.all(
      NAMES.map(async (name, at) => [name, await serveHere(Object.values(CHANGED)[at])] as const),
    );
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    const env = Object.fromEntries(services.map(([name, { url }]) => [`URL_${name.toUpperCase()}`, url]));
    const origins = services.flatMap(([, { url }]) => ['--allow-origin', url]);
    const ended = await retakeHere(['run', 'suite.yaml', '--run', 'one', '--quiet', ...origins], folder, {
      ...usual.env,
      ...env,
    });
    expect(ended.stderr).toBe('');
    return async () => {
      await Promise.all([usual, ...services.map(([, service]) => service)].map(({ close }) => close()));
    };
  });

  it('likeness to the baseline is kept by a change that nobody sees, and lost by one of detail in every image', () => {
    expect(wordsOf('quantised')).toEqual(SCENES.map(() => 'similar'));
    expect(wordsOf('soft')).toEqual(SCENES.map(() => 'changed'));
  });

  it('likeness to the baseline names the one prompt that shows another composition', () => {
    const another = likeness().filter((row) => row.variant === 'turned' && row.likeness === 'another');
    expect(another.map(({ prompt }) => prompt)).toEqual(['harbour']);
  });

  it('likeness to the baseline accuses no service that ignores its seeds', () => {
    // Two seeds give similar images now and then.
    expect(wordsOf('random').filter((word) => word === 'candidate_varies').length).toBeGreaterThanOrEqual(1);
  });

  it('likeness to the baseline stays known when the media are deleted', async () => {
    const before = readFileSync(join(run(), 'likeness.csv'), 'utf8');
    rmSync(join(run(), 'media'), { recursive: true });
    expect((await retakeHere(['report', run(), '--quiet'], folder)).code).toBe(0);
    expect(readFileSync(join(run(), 'likeness.csv'), 'utf8')).toBe(before);
  });
});
