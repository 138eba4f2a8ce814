import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseHTML } from 'linkedom';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { goldenVideo } from '../fixtures/golden-video.ts';
import { retakeHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* The images that videos were made from, in the record and on the page. */

const TARGET = (url: string) => `target: 1
id: own/animate
kind: image-to-video
base_url: ${url}
submit: { path: /g, encoding: json, body: { prompt: "\${case.prompt}", image: "\${case.image | data_uri}", name: "\${const.name}" } }
const: { name: a }
result: { from: body, expect: video/* }
`;

const SUITE = `suite: 1
name: moving
variants:
  a: { target: own/animate, baseline: true }
  b: { target: own/animate, const: { name: b } }
prompts:
  - { id: red, text: It grows, image: red.png }
  - { id: wide, text: It turns, image: wide.jpg }
seeds: [1, 2]
repeats: 1
load: { warmup: 0, concurrency: 2 }
reports: [html]
`;

interface World {
  readonly folder: string;
  /** The folder of its runs. */
  readonly suite: string;
  /** Where a record has the input images, the first prompt's first. */
  readonly inputs: readonly [red: string, wide: string];
}

async function world(): Promise<World> {
  const folder = freshFolder();
  const video = goldenVideo('plain.mp4');
  const { url } = await serve((_, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end(video));
  const image = (width: number, background: string) =>
    sharp({ create: { width, height: 40, channels: 3, background } });
  const red = await image(40, 'red').png().toBuffer();
  const wide = await image(90, 'teal').jpeg().toBuffer();
  writeFileSync(join(folder, 'red.png'), red);
  writeFileSync(join(folder, 'wide.jpg'), wide);
  mkdirSync(join(folder, 'targets', 'own'), { recursive: true });
  writeFileSync(join(folder, 'targets', 'own', 'animate.yaml'), TARGET(url));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  const stored = (bytes: Buffer, ending: string) => {
    const digest = hash('sha256', bytes, 'hex');
    return `media/${digest.slice(0, 2)}/${digest}.${ending}`;
  };
  return { folder, suite: join(folder, 'results', 'moving'), inputs: [stored(red, 'png'), stored(wide, 'jpg')] };
}

const pageOf = (run: string) => parseHTML(readFileSync(join(run, 'report.html'), 'utf8')).document;
const shownInputs = (run: string) =>
  [...pageOf(run).querySelectorAll('figure.input img, td.input img')].map((image) => image.getAttribute('alt'));

const digestIn = (path: string) => basename(path).replace(/\..*/, '');

describe('the input images of a run', () => {
  it('input images that are sent: are kept by their digest, merged, shown first in the row of their prompt, and left there by prune', async () => {
    const { folder, suite, inputs } = await world();
    const whole = join(suite, 'whole');
    await retakeHere(['run', 'suite.yaml', '--quiet', '--run', 'whole', '--shard', '1/1'], folder);
    expect(await retakeHere(['merge', join(suite, 'whole-1of1'), '--quiet'], folder)).toMatchObject({ code: 0 });
    for (const [at, path] of inputs.entries()) {
      expect(readFileSync(join(whole, path))).toEqual(readFileSync(join(folder, ['red.png', 'wide.jpg'][at] ?? '')));
    }
    const page = pageOf(whole);
    const strip = page.querySelector('.strip-images');
    expect(strip?.querySelector('figure')?.textContent).toContain('input');
    const [image, ...others] = [...(strip?.querySelectorAll('figure.input img') ?? [])];
    expect(others).toEqual([]);
    expect([image?.getAttribute('alt'), image?.getAttribute('width')]).toEqual(['red, input image', '40']);
    for (const [at, prompt] of ['red', 'wide'].entries()) {
      const rows = [...page.querySelectorAll(`#images [data-prompt=${prompt}] tbody tr`)];
      expect(rows.map((row) => row.querySelector('td')?.className)).toEqual(['input', 'input']);
      // Its bytes stand once.
      expect(rows[0]?.querySelector('td.input img')?.getAttribute('src')).toMatch(/^data:image\/webp;base64,/);
      expect(rows[1]?.querySelector('td.input img')).toBeNull();
      expect(rows[0]?.querySelector('td.input a.original')?.getAttribute('href')).toBe(inputs[at]);
    }
    const before = shownInputs(whole);
    const prune = () => retakeHere(['prune', 'moving', '--keep', '0', '--thumbs'], folder);
    expect(await prune()).toMatchObject({ code: 0 });
    const media = execFileSync('find', ['media', '-type', 'f'], { cwd: whole, encoding: 'utf8' });
    expect(media.trim().split('\n').sort()).toEqual([...inputs].sort());
    expect(await retakeHere(['report', whole, '--quiet'], folder)).toMatchObject({ code: 0 });
    expect(shownInputs(whole)).toEqual(before);
    expect((await prune()).stdout).toMatch(/^Deleted the media and thumbnails of 0 /);
  });

  it('a run that is resumed keeps input images that are missing; a record without them shows none; a link is not read', async () => {
    const { folder, suite, inputs } = await world();
    const limit = (requests: number) => ['--set', `limits.requests=${requests}`, '--quiet', '--yes'];
    expect(await retakeHere(['run', 'suite.yaml', '--run', 'part', ...limit(2)], folder)).toMatchObject({ code: 3 });
    const run = join(suite, 'part');
    const older = join(suite, 'older');
    cpSync(run, older, { recursive: true });
    for (const path of inputs) rmSync(join(older, path));
    writeFileSync(join(older, 'facts.jsonl'), '');
    rmSync(join(older, 'thumbs'), { recursive: true });
    expect(await retakeHere(['report', older, '--quiet'], folder)).toMatchObject({ code: 0, stderr: '' });
    expect(shownInputs(older)).toEqual([]);
    expect(pageOf(older).querySelector('.input')).toBeNull();

    const [first, second] = inputs;
    symlinkSync(join(folder, 'red.png'), join(older, first));
    writeFileSync(join(older, 'facts.jsonl'), '');
    await retakeHere(['report', older, '--quiet'], folder);
    expect(existsSync(join(older, 'thumbs', `${digestIn(first)}.webp`))).toBe(false);

    for (const path of [first, second]) rmSync(join(run, path));
    const resumed = await retakeHere(['run', 'suite.yaml', '--resume', run, ...limit(99)], folder);
    expect(resumed).toMatchObject({ code: 0 });
    expect(readFileSync(join(run, second))).toEqual(readFileSync(join(folder, 'wide.jpg')));
    expect(shownInputs(run)).toEqual(['red, input image', 'red, input image', 'wide, input image']);
    expect(readdirSync(join(run, 'thumbs'))).toContain(`${digestIn(second)}.webp`);
  });
});
