/*
 * Makes the AVIF images beside it with the programs of libheif (1.15.1) and libavif (0.11.1): each is one image with others
 * beside it. The tests need neither. Run it as `node test/golden/avif/make.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const folder = new URL('.', import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), 'retake-avif-'));
process.chdir(work);

const plain = (name, width, height, background) =>
  sharp({ create: { width, height, channels: background.length > 7 ? 4 : 3, background } })
    .png()
    .toFile(name);
const run = (command) => execFileSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });

await plain('red.png', 64, 48, '#cc0033');
await plain('wide.png', 96, 32, '#0033cc');
await plain('green.png', 64, 48, '#00aa55');
await plain('clear.png', 64, 48, '#cc003380');
for (const [at, colour] of ['#cc0033', '#0033cc', '#00aa55', '#ffcc00'].entries()) {
  await plain(`tile-${at}.png`, 64, 64, colour);
}
run(`heif-enc -A red.png wide.png -o ${folder}two-sizes.avif`);
run(`heif-enc -A red.png green.png -o ${folder}one-size.avif`);
run(`heif-enc -A -t 32 red.png -o ${folder}thumbnail.avif`);
run(`heif-enc -A clear.png -o ${folder}alpha.avif`);
run(`avifenc --grid 2x2 tile-0.png tile-1.png tile-2.png tile-3.png ${folder}tiles.avif`);
rmSync(work, { recursive: true });
