import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../src/record/journal.ts';
import type { StoredRun } from '../../../src/record/kept-run.ts';
import type { Run } from '../../../src/record/run.ts';
import type { ScoreLine } from '../../../src/record/score.ts';
import { createRecord } from '../../../src/record/store.ts';
import type { CommandScorer } from '../../../src/suite/scorer.ts';
import { built } from '../../fixtures/built.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { goldenVideo } from '../../fixtures/golden-video.ts';
import { buildOk, buildStoredRun, inputOf } from '../../fixtures/stored-run-builder.ts';
import { ROOT } from '../../test-options.ts';

const { examineRun }: typeof import('../../../src/examine/examine.ts') = await built('examine/examine.js');
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

/** An examined record of an image and a video; the prompt of the video has an input image. */
async function recordOf(): Promise<{ readonly folder: string; readonly record: StoredRun }> {
  const writer = createRecord(freshFolder(), { format: 1, id: 'run', suite: { name: 'scored' } } as Run);
  const input = writer.keepMedia(await paintedPng(200), 'png');
  const outputs = [
    ['still', writer.keepMedia(await paintedPng(60), 'png'), 'image/png', 'fox'],
    ['moving', writer.keepMedia(goldenVideo('plain.mp4'), 'mp4'), 'video/mp4', 'sea'],
  ] as const;
  writer.close();
  const samples = outputs.map(([variant, sha256, mime, prompt]): Sample => {
    const sample = buildOk(100, variant, { trial: { variant, prompt } });
    if (sample.outcome !== 'ok') throw new Error('not ok');
    return { ...sample, outputs: [{ sha256, bytes: 1, mime, declaredMime: mime }] };
  });
  const variants = [{ name: 'still' }, { name: 'moving', kind: 'image-to-video' as const }];
  const record = buildStoredRun({ variants, prompts: ['fox', 'sea'], samples, facts: [] });
  const media = [{ ...inputOf('sea'), sha256: input }];
  const prompts = record.run.prompts.map((prompt) => (prompt.id === 'sea' ? { ...prompt, media } : prompt));
  const run = { ...record.run, prompts };
  const { found } = await examineRun(
    writer.folder,
    { run, samples, facts: [], inputs: new Set([input]) },
    { workers: 1, timeLimitMs: { image: 60_000, video: 60_000 }, signal, progress: () => {} },
  );
  return { folder: writer.folder, record: { ...record, run, facts: found } };
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
  await scoreRecord({ folder, record }, { ...asked, ...edge }, { drain: signal, abort: signal, env: {} });
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
