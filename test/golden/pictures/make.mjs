/*
 * Makes the JPEG files beside it where they are missing, and vectors.json: what SciPy and Meta's PDQ program say of pictures
 * that test/fixtures paints from formulas. Run it from the project's folder as
 *
 *   g++ -std=c++17 -O3 -I$THREAT_EXCHANGE test/golden/pictures/pdq-of-luma.cpp -o $PDQ \
 *     $THREAT_EXCHANGE/pdq/cpp/{downscaling/downscaling,hashing/pdqhashing,hashing/torben,common/pdqhashtypes,common/pdqhamming}.cpp
 *   node test/golden/pictures/make.mjs $PDQ
 *
 * with THREAT_EXCHANGE a copy of github.com/facebook/ThreatExchange. Needs Python 3 with NumPy and SciPy, ImageMagick and
 * FFmpeg; the tests need none of them. What these programs get are raw samples in a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const pdq = process.argv[2];
if (pdq === undefined) throw new Error('name the compiled PDQ program');
const python = process.env.PYTHON ?? 'python3';
const run = (command, args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const versionOf = (command, ...args) => run(command, args).split('\n')[0].replace(/^Version: | https?:.*$/g, '');

// The first shares its decoder's ancestry with ours; the second has one of its own.
const DECODERS = [
  'convert FILE -depth 8 rgb:RAW',
  'ffmpeg -v error -i FILE -sws_flags accurate_rnd+full_chroma_int+bicubic -f rawvideo -pix_fmt rgb24 RAW',
];

// The compiled fixtures import zod: they must lie below the project's node_modules.
const cache = join(here, '../../../node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'golden-'));
const compiled = mkdtempSync(join(cache, 'golden-'));
try {
  run('npx', [
    ...['tsc', '--ignoreConfig', '--rootDir', '.', '--outDir', compiled, '--target', 'es2023', '--module', 'nodenext'],
    ...['--types', 'node', '--skipLibCheck', '--rewriteRelativeImportExtensions'],
    ...['test/fixtures/changed-pictures.ts', 'test/fixtures/golden-pictures.ts'],
  ]);
  writeFileSync(join(compiled, 'package.json'), '{"type":"module"}');
  const load = (name) => import(pathToFileURL(join(compiled, 'test/fixtures', `${name}.js`)).href);
  const { PAIRS, FILES } = await load('golden-pictures');
  const { paintPair } = await load('changed-pictures');
  const { paint } = await load('painted-pictures');

  let raws = 0;
  const store = ({ width, height, channels, depth, data }) => {
    raws += 1;
    const raw = join(folder, `${raws}.raw`);
    writeFileSync(raw, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return { raw, width, height, channels, depth };
  };

  const files = FILES.map(({ file, painting, options }) => {
    const { raw, width, height } = store(paint(painting));
    const path = join(here, file);
    if (!existsSync(path)) {
      run('convert', ['-size', `${width}x${height}`, '-depth', '8', `rgb:${raw}`, ...options.split(' '), '-strip', path]);
    }
    const size = { width, height, channels: 3, depth: 8 };
    const raws = DECODERS.map((command) => {
      const raw = join(folder, `${file}.${command.split(' ')[0]}`);
      const [program, ...args] = command.split(' ').map((word) => word.replace('FILE', path).replace('RAW', raw));
      run(program, args);
      return { raw, ...size };
    });
    return { file, ...size, decoded: raws };
  });
  const pairs = PAIRS.map((pair) => ({ name: pair.name, pictures: paintPair(pair).map(store) }));
  const work = join(folder, 'work.json');
  writeFileSync(work, JSON.stringify({ pairs, files }));
  const facts = JSON.parse(run(python, [join(here, 'make.py'), work, resolve(pdq)]));

  const list = (rows) => `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
  const made = {
    commands: [
      'g++ -std=c++17 -O3 -I$THREAT_EXCHANGE test/golden/pictures/pdq-of-luma.cpp -o $PDQ $THREAT_EXCHANGE/pdq/cpp/{downscaling/downscaling,hashing/pdqhashing,hashing/torben,common/pdqhashtypes,common/pdqhamming}.cpp',
      'node test/golden/pictures/make.mjs $PDQ',
      ...FILES.map(({ file, options }) => `convert -size WxH -depth 8 rgb:painted.raw ${options} -strip ${file}`),
      ...DECODERS,
    ],
    versions: { ...facts.versions, gxx: versionOf('g++', '--version'), convert: versionOf('convert', '-version'), ffmpeg: versionOf('ffmpeg', '-version') },
    reference:
      'github.com/facebook/ThreatExchange: pdq/cpp/hashing/pdqhashing.cpp as of 0234393607957d573302487725d896c358026de7, pdq/cpp/downscaling/downscaling.cpp as of 6bce5cb890ecd652272b31998e4d4a30741152e5, torben.cpp and pdqhashtypes of the same. THREAT_EXCHANGE was not a whole copy: of each file the functions that a hash of luma runs through were copied out, statement for statement but for one unrolled loop written as a loop',
  };
  writeFileSync(
    join(here, 'vectors.json'),
    `${JSON.stringify(made, null, 1).slice(0, -2)},\n"pairs": ${list(facts.pairs)},\n"files": ${list(facts.files)}\n}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
  rmSync(compiled, { recursive: true });
}
