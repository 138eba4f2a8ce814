import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { loadLibav } from '../../../src/media/libav.ts';
import { videoCopy } from '../../../src/media/video-copies.ts';
import type { ScoreLine } from '../../../src/record/score.ts';
import type { JudgeScorer } from '../../../src/suite/scorer.ts';
import { resolveJudge } from '../../../src/targets/resolve.ts';
import { built } from '../../fixtures/built.ts';
import { loadPreset } from '../../fixtures/called-preset.ts';
import { examinedRecord } from '../../fixtures/examined-outputs.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { NO_NODE_AV } from '../../fixtures/no-node-av.ts';
import { choose, type JudgeRequest, serveJudge } from '../../fixtures/scripted-judge.ts';

/* What a judge of videos is shown: a preset asks a server of the test, over the wire. */

const { scoreRecord }: typeof import('../../../src/commands/score/score-record.ts') = await built(
  'commands/score/score-record.js',
);

const signal = new AbortController().signal;
const KEY = 'sk-canary-of-the-judge-8842';

/** Its middle is this grey, below stripes: a plain image would count as blank. */
function striped(width: number, height: number, grey: number): Buffer {
  const isStripe = (row: number, column: number) => row < height / 4 && column % 16 < 8;
  return Buffer.from(
    Array.from({ length: width * height }, (_, at) => {
      const level = isStripe(Math.floor(at / width), at % width) ? 255 : grey;
      return [level, level, level];
    }).flat(),
  );
}

const GREYS = Array.from({ length: 12 }, (_, at) => 40 + 15 * at);

/** H.264 of 3 seconds, of which every frame has a grey of its own. */
async function videoOf(width: number, height: number, greys: readonly number[]): Promise<Uint8Array> {
  const loaded = await loadLibav();
  if (!loaded.ok) throw new Error('FFmpeg is not installed');
  const shape = { width, height, fps: 4, frames: greys.length };
  return videoCopy(
    loaded.libav,
    shape,
    (async function* () {
      for (const grey of greys) yield striped(width, height, grey);
    })(),
  );
}

const inputPng = () =>
  sharp(striped(48, 32, 90), { raw: { width: 48, height: 32, channels: 3 } })
    .png()
    .toBuffer();

/** Two videos of one prompt, which has an input image. */
async function recordOf() {
  const of = { prompt: 'sea', kind: 'image-to-video', mime: 'video/mp4' } as const;
  const rising = { ...of, variant: 'rising', bytes: await videoOf(128, 64, GREYS) };
  const falling = { ...of, variant: 'falling', bytes: await videoOf(96, 96, GREYS.toReversed()) };
  return examinedRecord([rising, falling], await inputPng());
}

/** The preset at another server, as a suite would declare it. */
async function judgeAt(url: string) {
  const scorer: JudgeScorer = {
    use: 'judge',
    name: 'better',
    target: 'judge/openai-chat',
    const: {},
    baseUrl: url,
    question: 'Which video is better?',
    priceUsd: null,
    limits: { requests: null, usd: null },
  };
  const source = { place: { file: 'suite.yaml', line: 1, column: 1 }, setBy: null, filled: false };
  const declared = {
    name: 'better',
    target: scorer.target,
    targetSource: source,
    place: source.place,
    constants: {},
    constantSources: {},
    price: null,
    baseUrl: { text: url, source },
    scorer,
    question: scorer.question,
  };
  const endpoint = resolveJudge(declared, await loadPreset(scorer.target), '2026-11-28');
  if (!endpoint.ok) throw new Error(endpoint.diagnostics[0]?.cause);
  return { ...declared, endpoint: endpoint.value };
}

/** The grey in the middle of each image. */
function greysOf(images: readonly Buffer[]): Promise<readonly number[]> {
  return Promise.all(
    images.map(async (png) => {
      const { width, height } = await sharp(png).metadata();
      const middle = { left: width / 2 - 4, top: height / 2 - 4, width: 8, height: 8 };
      const { channels } = await sharp(await sharp(png).extract(middle).toBuffer()).stats();
      return channels[0]?.mean ?? 0;
    }),
  );
}

const isNear = (greys: readonly number[], wanted: readonly number[]) =>
  greys.length === wanted.length && greys.every((grey, at) => Math.abs(grey - (wanted[at] ?? 0)) < 6);

it.skipIf(NO_NODE_AV)(
  'a judge of videos is shown four frames a side in their order and of one size, and the input image before A',
  async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' }, body: '{"error":{"code":"rate_limit_exceeded"}}' };
    const choices = [{ index: 0, message: { content: choose('A'), refusal: null }, finish_reason: 'stop' }];
    const answer = { status: 200, body: JSON.stringify({ choices, usage: { cost: 0.0004 } }) };
    const judge = await serveJudge(({ number }) => (number === 1 ? busy : answer));
    const { folder, record } = await recordOf();
    const better = await judgeAt(judge.url);
    const end = await scoreRecord(
      { folder, record },
      {
        scorers: [better.scorer],
        programs: [],
        judges: [better],
        secrets: { OPENAI_API_KEY: KEY },
        suiteFolder: folder,
        signal,
        starting: () => {},
        progress: () => {},
      },
      { drain: signal, abort: signal, env: {}, idleExaminers: memoryEdge(folder).idleExaminers },
    );
    await judge.close();
    expect(end).toMatchObject({ complete: true, failed: [] });

    // Both orders, one of which was sent again.
    expect(judge.requests).toHaveLength(3);
    const sides = new Map<string, readonly number[]>();
    for (const request of judge.requests) {
      expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(request.texts.slice(1)).toEqual([
        'The input image that came with the prompt:',
        'A: 4 frames of a video, in their order:',
        'B: 4 frames of a video, in their order:',
      ]);
      const { input, a, b } = request.images;
      expect(input).toHaveLength(1);
      expect(await rawOf(input[0])).toEqual(await rawOf(await inputPng()));
      expect(await sizesOf(request)).toEqual(Array(8).fill('png 96x64'));
      const [first, second] = [await greysOf(a), await greysOf(b)];
      // In the middle of each quarter: at 0.375, 1.125, 1.875 and 2.625 seconds.
      const wanted = [1, 4, 7, 10].map((at) => GREYS[at] ?? 0);
      const isRising = isNear(first, wanted);
      expect(
        isNear(
          isRising ? second : first,
          wanted.map((grey) => 40 + 205 - grey),
        ),
        `${first}, ${second}`,
      ).toBe(true);
      sides.set(isRising ? 'rising first' : 'falling first', first);
    }
    expect([...sides.keys()].sort()).toEqual(['falling first', 'rising first']);

    const lines = readFileSync(join(folder, 'scores.jsonl'), 'utf8').trim().split('\n');
    const written = lines.map((line): ScoreLine => JSON.parse(line));
    expect(written.filter(({ line }) => line === 'asked')).toHaveLength(3);
    expect(written.flatMap((line) => (line.line === 'charged' ? [line.usd] : []))).toEqual([0.0004, 0.0004]);
    expect(lines.join()).not.toContain(KEY);
  },
);

function rawOf(png: Buffer | undefined): Promise<Buffer> {
  return sharp(png).removeAlpha().raw().toBuffer();
}

function sizesOf({ images: { a, b } }: JudgeRequest): Promise<readonly string[]> {
  return Promise.all(
    [...a, ...b].map(async (png) => {
      const { format, width, height } = await sharp(png).metadata();
      return `${format} ${width}x${height}`;
    }),
  );
}
