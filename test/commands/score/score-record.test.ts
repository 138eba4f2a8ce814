import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { ScoreLine } from '../../../src/record/score.ts';
import type { CommandScorer } from '../../../src/suite/scorer.ts';
import { built } from '../../fixtures/built.ts';
import { examinedRecord } from '../../fixtures/examined-outputs.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { goldenVideo } from '../../fixtures/golden-video.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { ROOT } from '../../test-options.ts';

const { programScorers }: typeof import('../../../src/commands/score/program-scorers.ts') = await built(
  'commands/score/program-scorers.js',
);
const { scoreRecord }: typeof import('../../../src/commands/score/score-record.ts') = await built(
  'commands/score/score-record.js',
);

const signal = new AbortController().signal;

const paintedPng = (grey: number) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: grey, g: 90, b: 20 } } })
    .composite([{ input: { create: { width: 9, height: 9, channels: 3, background: 'white' } }, left: 3, top: 3 }])
    .png()
    .toBuffer();

/** An image, and a video whose prompt has an input image. */
async function recordOf() {
  const still = { variant: 'still', prompt: 'fox', bytes: await paintedPng(60), mime: 'image/png' };
  const video = { prompt: 'sea', bytes: goldenVideo('plain.mp4'), mime: 'video/mp4' };
  return examinedRecord([still, { variant: 'moving', kind: 'image-to-video', ...video }], await paintedPng(200));
}

function scorerOf(command: readonly string[], value: string, more: Partial<CommandScorer> = {}): CommandScorer {
  const gives = [{ value, better: null, range: null, unit: 'score', meaning: null } as const];
  const limits = { env: [], timeoutMs: 60_000, frames: 3, original: true };
  return { use: 'command', name: 'hps', gives, command, ...limits, ...more };
}

async function score(
  { folder, record }: { readonly folder: string; readonly record: StoredRun },
  scorer: CommandScorer,
  suiteFolder: string,
): Promise<readonly ScoreLine[]> {
  const programs = await programScorers([scorer], suiteFolder, { PATH: process.env.PATH });
  const edge = { signal, starting: () => {}, progress: () => {} };
  const asked = { scorers: [scorer], programs, judges: [], secrets: {}, suiteFolder };
  await scoreRecord(
    { folder, record },
    { ...asked, ...edge },
    { drain: signal, abort: signal, env: {}, idleExaminers: memoryEdge(folder).idleExaminers },
  );
  const lines = readFileSync(join(folder, 'scores.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line): ScoreLine => JSON.parse(line));
}

describe('scoring a record', () => {
  it('scoring a record shows images, frames, input images and files as they came, and leaves no file', async () => {
    const suite = freshFolder();
    // What is shown is gone after the answer, so the program keeps what it sees.
    const script = `echo '{"retake":1}'; n=0
while read -r line; do
  n=$((n + 1)); printf '%s\\n' "$line" >"question-$n"
  mkdir "seen-$n"; for file in $(printf '%s' "$line" | tr '",[]' '    '); do case "$file" in /*) cp "$file" "seen-$n";; esac; done
  id=\${line#*'"id":"'}; id=\${id%%'"'*}; printf '{"id":"%s","scores":{"n":%s}}\\n' "$id" "$n"
done`;
    writeFileSync(join(suite, 'keep.sh'), script);
    const lines = await score(await recordOf(), scorerOf(['sh', 'keep.sh'], 'n'), suite);
    expect(lines.map(({ line }) => line)).toEqual(['scorer', 'value', 'value']);
    const seen = [1, 2].map((at) => ({ at, ...JSON.parse(readFileSync(join(suite, `question-${at}`), 'utf8')) }));
    const still = seen.find(({ kind }) => kind === 'text-to-image');
    const moving = seen.find(({ kind }) => kind === 'image-to-video');
    expect(still).toMatchObject({
      image: null,
      media: [expect.stringMatching(/\.png$/)],
      original: expect.stringMatching(/\.png$/),
    });
    expect(moving.media).toHaveLength(3);
    const kept = (path: string) => readFileSync(join(suite, `seen-${moving.at}`, path.slice(dirname(path).length + 1)));
    expect(kept(moving.original).equals(goldenVideo('plain.mp4'))).toBe(true);
    expect(kept(moving.image).equals(await paintedPng(200))).toBe(false);
    const input = await Promise.all(
      [kept(moving.image), await paintedPng(200)].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
    );
    expect(input[0]).toEqual(input[1]);
    expect(existsSync(dirname(moving.original))).toBe(false);
  });

  it('scoring a record fills in variables of a command line, and refuses those that are not set', async () => {
    const scorer = scorerOf(['sh', '${env.SCRIPT}', 'a b', '${env.MODEL:-small}'], 'n', { env: ['KEY'] });
    await expect(programScorers([scorer], ROOT, { PATH: '/bin' })).rejects.toMatchObject({
      diagnostics: [
        { place: null, cause: 'the environment variable KEY of scorer hps is not set' },
        { place: null, cause: 'scorer hps: the environment variable SCRIPT is not set' },
      ],
    });
    const env = { PATH: '/bin', SCRIPT: 'package.json', KEY: 'canary-1f2e3d4c', OTHER: 'x' };
    const [program] = await programScorers([scorer], ROOT, env);
    expect(program?.command).toEqual(['sh', 'package.json', 'a b', 'small']);
    expect(program?.env).toEqual({ PATH: '/bin', KEY: 'canary-1f2e3d4c' });
    // What a variable names is of this machine.
    expect(program?.files).toEqual({});
    expect(program?.redact('the key is canary-1f2e3d4c')).toBe('the key is [redacted]');
  });

  it('the example in Python that suites/README.md has is a scorer', async ({ skip }) => {
    skip(spawnSync('python3', ['--version']).status !== 0 && process.env.RETAKE_REQUIRE_TOOLS !== '1', 'no python3');
    const readme = readFileSync(join(ROOT, 'suites', 'README.md'), 'utf8');
    const [, code = ''] = /^```python\n([^`]*"retake[^`]*)```$/m.exec(readme) ?? [];
    const lines = await score(await recordOf(), scorerOf(['python3', '-c', code], 'detail'), ROOT);
    expect(lines.map(({ line }) => line)).toEqual(['scorer', 'value', 'value']);
  });
});
