import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readTable } from '../fixtures/csv-reader.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { serve } from '../targets/loopback.ts';

/* A service that draws what it likes, whatever seed it is sent: as a user meets it, without any probe. */

const target = (url: string, seedLine: string) => `target: 1
id: own/images
kind: text-to-image
base_url: ${url}
${seedLine === '' ? '' : 'inputs: { seed: { min: 0, max: 4294967295, claim: exact } }'}
submit: { path: /images, body: { prompt: "\${case.prompt}"${seedLine} } }
result: { from: body, expect: image/* }
meta: { seed: header:x-seed }
`;

const SUITE = `suite: 1
name: own
variants: { standard: { target: ./own.yaml } }
prompts: [A red fox]
seeds: [1, 2]
repeats: 2
load: { warmup: 0 }
`;

/** A plain noise of its own for each call, so that no two are alike. */
async function drawn(call: number): Promise<Buffer> {
  const side = 64;
  const pixels = Buffer.alloc(side * side * 3);
  let state = 12345 + 7919 * call;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    pixels[at] = state >> 16;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function moodyService() {
  let calls = 0;
  return serve(async (_seen, response) => {
    calls += 1;
    const bytes = await drawn(calls);
    response.writeHead(200, { 'content-type': 'image/png', 'x-seed': '0.37' }).end(bytes);
  });
}

function folderWith(url: string, seedLine: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, 'own.yaml'), target(url, seedLine));
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  return folder;
}

describe('a service that ignores the seed', () => {
  test('an ignored seed is reported by run, sample by sample and in words, and by try beside what was asked', async () => {
    const { url } = await moodyService();
    const folder = folderWith(url, ', seed: "${case.seed}"');
    const ran = await retakeHere(['run', 'suite.yaml'], folder);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^ standard .* 0\/2 pixels /m);
    expect(ran.stdout).toContain('! the seed of standard is not honoured: takes differ in 2 of 2 cells');
    const run = onlyRun(join(folder, 'results'));
    // The terminal shows fewer warnings where this machine has too much to do.
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain(
      'the service reports another seed than standard sent in 4 of 4 takes: 0.37 instead of',
    );
    const rows = readTable(readFileSync(join(run, 'samples.csv'), 'utf8'));
    expect(rows.map(({ seed_echo, flags }) => [seed_echo, flags?.includes('seed_echo')])).toEqual(
      Array.from({ length: 4 }, () => ['0.37', true]),
    );

    const tried = await retakeHere(['try', './own.yaml', '--prompt', 'A fox', '--seed', '5'], folder);
    expect(tried.stdout).toContain('the server reports seed 0.37 (sent: 5)');
  });

  test('an ignored seed is not reported where the target sends none: plan and run say that seeds make the same request', async () => {
    const { url } = await moodyService();
    const folder = folderWith(url, '');
    const planned = await retakeHere(['plan', 'suite.yaml'], folder);
    expect(planned.stdout).toContain('Seeds 1 and 2 make the same request for standard: the target takes no seed');
    const ran = await retakeHere(['run', 'suite.yaml'], folder);
    expect(ran.stdout).toContain('! seeds 1 and 2 make the same request for standard: no seed is sent');
    expect(ran.stdout).not.toMatch(/not honoured|another seed/);
    const tried = await retakeHere(['try', './own.yaml', '--prompt', 'A fox', '--seed', '5'], folder);
    expect(tried.stdout).toContain('no seed (the target takes none)');
    expect(tried.stdout).toContain('the server reports seed 0.37 (sent: none)');
  });
});
