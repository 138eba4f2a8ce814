import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VoteLine } from '../../src/record/score.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type ImageServer, serveImages, smallImage, writePainter } from '../fixtures/image-server.ts';
import { describeInBrowser } from '../fixtures/opened-page.ts';
import { retakeHere } from '../fixtures/retake-process.ts';

/* A colleague votes on the images of a run from one file; the votes come back as a file. */

const SUITE = `suite: 1
name: voted
variants:
  careful-one: { target: ./painter.yaml, const: { model: careful }, baseline: true }
  hasty-one: { target: ./painter.yaml, const: { model: hasty } }
prompts:
  - { id: prompt-fox, text: 'A red fox </script> in snow' }
  - { id: prompt-cat, text: A cat }
seeds: [7101, 7102, 7103, 7104, 7105]
repeats: 1
load: { concurrency: 2 }
gate: [{ metric: score.votes, max_rise: 20% }]
reports: [csv, html, markdown]
`;

let server: ImageServer;
let folder: string;

const inRun = (...path: readonly string[]) => join(folder, 'results', 'voted', 'evening-run', ...path);
const vote = (...args: readonly string[]) => retakeHere(['vote', 'results/voted', ...args], folder);
const linesOf = (): readonly VoteLine[] =>
  readFileSync(inRun('votes.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const ballotsOf = () => linesOf().flatMap((line) => (line.line === 'ballot' ? [line] : []));

beforeAll(async () => {
  server = await serveImages();
  folder = freshFolder();
  writePainter(folder, server.url);
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  expect(await retakeHere(['run', 'suite.yaml', '--run', 'evening-run', '--quiet'], folder)).toMatchObject({ code: 4 });
});

afterAll(() => server.close());

describe('retake vote', () => {
  it('votes without ballots, options that contradict each other, and wrong numbers are refused', async () => {
    writeFileSync(join(folder, 'early.csv'), 'ballot,choice,voter\na,left,b\n');
    for (const [args, said] of [
      [['--import', 'early.csv'], 'has no ballots'],
      [['--import', 'gone.csv'], 'gone.csv'],
      [['--export', 'votes.html', '--port', '0'], '--port and --host cannot be used with --export'],
      [['--import', 'early.csv', '--host', '127.0.0.1'], '--port and --host cannot be used with'],
      [['--host', 'localhost'], '--host takes an IP address'],
      [['--host', '::1%lo'], '--host takes an IP address without a zone'],
      [['--port', '70000'], '--port takes a whole number'],
      [['--import', 'early.csv', '--export', 'votes.html'], 'both given'],
      [['--export', 'votes.html', '--pairs', '0'], '--pairs'],
      [['--export', 'votes.html', '--pairs', '2.5'], '--pairs'],
    ] as const) {
      const ended = await vote(...args);
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain(said);
    }
    expect(existsSync(inRun('votes.jsonl'))).toBe(false);
  });

  it('the exported page is drawn once, names no variant, prompt id, seed or digest, and both sides have one length', async () => {
    expect(await vote('--export', 'votes.html')).toMatchObject({ code: 0 });
    const drawn = readFileSync(inRun('votes.jsonl'), 'utf8');
    const page = readFileSync(join(folder, 'votes.html'), 'utf8');
    expect(await vote('--export', 'votes.html')).toMatchObject({ code: 0 });
    expect(readFileSync(inRun('votes.jsonl'), 'utf8')).toBe(drawn);
    const again = await vote('--export', 'votes.html', '--pairs', '4');
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('already has ballots');

    const ballots = ballotsOf();
    expect(ballots).toHaveLength(13);
    const secrets = ['careful', 'hasty', 'prompt-fox', '7101', 'evening-run', folder, server.url];
    for (const { block, left, right } of ballots) secrets.push(block, left.sha256, right.sha256);
    for (const secret of secrets) expect(page.includes(secret), secret).toBe(false);
    const shown = [...page.matchAll(/<script type="application\/json" class="shown">(.*)<\/script>/g)];
    expect(shown).toHaveLength(13);
    for (const [, data = ''] of shown) {
      const { left, right } = JSON.parse(data);
      expect(left.length).toBe(right.length);
    }
  });

  it('a wrong row writes nothing, and says its line and column', async () => {
    const before = linesOf();
    const [ballot] = ballotsOf();
    writeFileSync(
      join(folder, 'wrong.csv'),
      `ballot,choice,voter\n${ballot?.ballot},left,${'a'.repeat(32)}\n${ballot?.ballot},both,${'b'.repeat(32)}\n`,
    );
    const ended = await vote('--import', 'wrong.csv');
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('wrong.csv:3:34');
    expect(linesOf()).toEqual(before);
  });
});

it('an image beside an animation is no ballot: it would tell the variants apart', async () => {
  const moving = await serveImages(async (body) => {
    const { type, bytes } = await smallImage(body);
    if (body.includes('careful')) return { type, bytes };
    const frames = await sharp(bytes).extend({ bottom: 64, extendWith: 'mirror' }).raw().toBuffer();
    const gif = sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } }).gif();
    return { type: 'image/gif', bytes: await gif.toBuffer() };
  });
  const own = freshFolder();
  writePainter(own, moving.url);
  writeFileSync(join(own, 'suite.yaml'), SUITE.replace(/^gate:.*\n/m, ''));
  expect(await retakeHere(['run', 'suite.yaml', '--quiet'], own)).toMatchObject({ code: 0 });
  const ended = await retakeHere(['vote', 'results/voted', '--export', 'votes.html'], own);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('has no pair to vote on');
  await moving.close();
});

describeInBrowser('the voting page', (open) => {
  const votes = () => join(folder, 'votes.csv');

  it('votes by keyboard alone come back into the run, whose report says what people prefer', async () => {
    const ballots = new Map(ballotsOf().map((ballot) => [ballot.ballot, ballot]));
    await open(pathToFileURL(join(folder, 'votes.html')).href, { own: {} }, async (page, { requests }) => {
      for (let at = 0; at < 13; at += 1) {
        if (at === 5) await page.reload();
        await expect.poll(() => page.textContent('.count')).toBe(`${at + 1} of 13`);
        await page.waitForSelector('main:not([aria-busy])');
        const src = await page.getAttribute('.side[data-choice=left] img', 'src');
        const shown: { readonly ballot: string; readonly left: string }[] = await page.evaluate(
          `[...document.querySelectorAll('script.shown')].map(({ text }) => JSON.parse(text))`,
        );
        const current = shown.find(({ left }) => left === src);
        const isLeft = ballots.get(current?.ballot ?? '')?.left.variant === 'careful-one';
        await page.keyboard.press(isLeft ? 'ArrowLeft' : 'ArrowRight');
      }
      await page.waitForSelector('.end:not([hidden])');
      const download = page.waitForEvent('download');
      await page.focus('.save-votes');
      await page.keyboard.press('Enter');
      await (await download).saveAs(votes());
      expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
    });
    const added = await vote('--import', 'votes.csv');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stderr).toContain('13 votes of 1 voter added');
    const said = 'One voter prefers careful-one to hasty-one: 10 of 10 pairs, 0 the other way, 0 neither';
    expect(added.stdout.replace(/\s+/g, ' ')).toContain('One voter prefers careful-one to hasty-one: 10 : 0 pairs.');
    expect(readFileSync(inRun('report.html'), 'utf8')).toContain(said);
    expect(readFileSync(inRun('report.html'), 'utf8')).toContain('3 of 3 repeated answers alike');
    const before = linesOf();
    expect((await vote('--import', 'votes.csv')).stderr).toContain('13 votes of the file were already in the run');
    expect(linesOf()).toEqual(before);
    expect(await retakeHere(['gate', 'results/voted', '--quiet'], folder)).toMatchObject({ code: 1 });
  });

  it('votes on a pruned run are still added, and its page is refused with what is gone', async () => {
    rmSync(inRun('media'), { recursive: true });
    const served = await vote('--port', '0');
    expect(served).toMatchObject({ code: 2 });
    expect(served.stderr).toContain('the media of all 13 ballots');
    const ended = await vote('--export', 'late.html');
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain('the media of all 13 ballots');
    expect(await vote('--import', 'votes.csv')).toMatchObject({ code: 0 });
  });
});
