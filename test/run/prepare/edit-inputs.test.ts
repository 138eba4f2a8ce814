import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { prepareSuite } from '../../../src/run/prepare-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

let cwd = '';

/** A chunk of a PNG in front of its image data; its checksum is not read. */
function withChunk(png: Uint8Array, type: string, content: Buffer): Uint8Array {
  const at = Buffer.from(png).indexOf('IDAT') - 4;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4);
  return Buffer.concat([png.subarray(0, at), head, content, Buffer.alloc(4), png.subarray(at)]);
}

beforeAll(async () => {
  const painted = (background: string, width = 24, channels: 3 | 4 = 3) =>
    sharp({ create: { width, height: 8, channels, background } });
  /** White but for this many columns. */
  const masked = (black: number) =>
    painted('white', 24 - black)
      .extend({ right: black, background: 'black' })
      .png();
  const png = await painted('red').png().toBuffer();
  const samples = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => Math.imul(at, 2654435761) >>> 24));
  const noise = () => sharp(samples, { raw: { width: 64, height: 64, channels: 3 } });
  const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2);
  const frames = await sharp([png, await painted('blue').png().toBuffer()], { join: { animated: true } });
  cwd = freshFolder();
  mkdirSync(join(cwd, 'targets/own'), { recursive: true });
  write({
    'fox.png': png,
    'hat.png': await painted('green').png().toBuffer(),
    'fox.jpg': await painted('red').jpeg().toBuffer(),
    'fox.webp': await painted('red').webp().toBuffer(),
    'clear.png': await painted('#f008', 24, 4).png().toBuffer(),
    'mask.png': await masked(12).toBuffer(),
    'white.png': await painted('white').png().toBuffer(),
    'thin.png': await masked(7).toBuffer(),
    'black.png': await painted('black').png().toBuffer(),
    'wide.png': await painted('white', 32).png().toBuffer(),
    'moving.webp': await frames.webp().toBuffer(),
    'moving.png': withChunk(png, 'acTL', Buffer.alloc(8)),
    'moving.gif': await frames.gif().toBuffer(),
    'cut.png': png.subarray(0, 20),
    'cut-mask.png': (await masked(12).toBuffer()).subarray(0, 60),
    'cut.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
    'half.png': half(await noise().png().toBuffer()),
    'half.jpg': half(await noise().jpeg().toBuffer()),
    'half.webp': half(await noise().webp({ lossless: true }).toBuffer()),
    'empty.png': new Uint8Array(),
    'large.png': withChunk(png, 'tEXt', Buffer.alloc(6000)),
  });
});

function write(files: Files): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
}

const TAKES = `target: 1
id: own/edit
kind: image-edit
base_url: http://127.0.0.1:9
media: { images: { most: 3, types: [png, jpeg], most_bytes: 5000 }, mask: { changes: transparent } }
submit:
  path: /edit
  encoding: multipart
  body: { prompt: "\${case.prompt}", image: "\${case.images | file}", mask: "\${case.mask | file}" }
result: { from: body }
`;
const SUITE = 'suite: 1\nname: s\nvariants: { a: { target: own/edit } }\n';

/** What is wrong with a suite, one line each; its prompts begin in line 4. */
async function faults(prompts: string, { target = TAKES, ...files }: Files = {}): Promise<readonly string[]> {
  write({ 'targets/own/edit.yaml': target, 's.yaml': `${SUITE}${prompts}`, ...files });
  const prepared = await prepareSuite('s.yaml', { env: {}, cwd });
  return (prepared.ok ? (prepared.warnings ?? []) : prepared.diagnostics).map(formatDiagnostic);
}

const GOLDEN = new URL('../../golden/edit-inputs.txt', import.meta.url);

/** The fault of one line of the golden file. */
async function faultOf(kind: string, line: string): Promise<readonly string[]> {
  if (kind === '# a prompt of a suite') return faults(`prompts: [{ id: a, text: a, ${line} }]\n`);
  const [name = '', text = ''] = line.split(/ (.*)/);
  if (kind === '# a prompt of a file')
    return faults(`prompts: [{ from: ${name} }]`, { [name]: text.replace('\\n', '\n') });
  const [from = '', to = ''] = line.split(/ => ?/);
  expect(TAKES).toContain(from);
  const asked = 'prompts: [{ id: a, text: a, images: [fox.png, hat.png], mask: mask.png }]';
  return faults(asked, { target: TAKES.replace(from, () => to) });
}

test('what of an edit cannot be sent is one fault, with place, cause and remedy', async () => {
  const lines: string[] = [];
  let kind = '';
  for (const line of readFileSync(GOLDEN, 'utf8').trimEnd().split('\n')) {
    if (line.startsWith('    ')) continue;
    lines.push(line);
    if (line.startsWith('#')) kind = line;
    else if (line !== '') {
      const [fault = '', ...others] = await faultOf(kind, line);
      expect(others, line).toEqual([]);
      lines.push(`    ${fault.replace(dirname(cwd), '').replace(/has [\d,]+ bytes/, 'has N bytes')}`);
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(fileURLToPath(GOLDEN));
});

test('images that are cut in their middle are named all at once, each once, before anything is sent', async () => {
  const prompts =
    'prompts: [{ id: a, text: a, images: [half.png, fox.png, half.jpg] }, { id: b, text: b, image: half.webp }]';
  const broken = (name: string) => expect.stringContaining(`cannot use ${name}: it does not decode; save it again`);
  expect(await faults(prompts)).toEqual(['half.png', 'half.jpg', 'half.webp'].map(broken));
});

test('an image whose path is written for Windows is refused with the way to write it', async () => {
  mkdirSync(join(cwd, 'in'), { recursive: true });
  write({ 'in/fox.png': readFileSync(join(cwd, 'fox.png')) });
  const asked = (path: string) => faults(`prompts: [{ id: a, text: a, image: '${path}' }]`);
  expect(await asked('in\\fox.png')).toEqual([
    's.yaml:4:36: cannot use in\\fox.png: there is no such file; write "/" in the path in place of "\\"',
  ]);
  expect(await asked('in\\none.png')).toEqual([expect.stringContaining('there is no such file; correct the path')]);
});

test('transparency of an image counts as a mask where the mask of a target is transparent: a warning', async () => {
  const warned = async (prompt: string, target = TAKES) =>
    await faults(`prompts: [{ id: a, text: a, ${prompt} }]`, { target });
  expect(await warned('image: clear.png')).toEqual([
    's.yaml:4:11: prompt "a" for own/edit: clear.png may have transparent pixels, which may count as a mask; save it without transparency, or add a mask',
  ]);
  expect(await warned('images: [fox.png, clear.png]')).toEqual([]);
  expect(await warned('image: clear.png, mask: mask.png')).toEqual([]);
  expect(await warned('image: clear.png', TAKES.replace('changes: transparent', 'changes: white'))).toEqual([]);
});
