import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sample } from '../../src/record/journal.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { RunPrompt } from '../../src/record/run.ts';
import type { ScoreLine } from '../../src/record/score.ts';
import { programScorer, type ScoringProgram } from '../../src/score/program-scorer.ts';
import { type ScoringEnd, scoreRun } from '../../src/score/score-run.ts';
import type { CommandScorer, GivenValue } from '../../src/suite/scorer.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import {
  buildFailure,
  buildOk,
  buildStoredRun,
  digestOf,
  inputOf,
  type RunParts,
} from '../fixtures/stored-run-builder.ts';

/*
 * A program scores the outputs of a record. It is a shell script that keeps what it is sent; a file that is shown to it
 * has the output's content and what was done to it as its name.
 */

const HIGHER: GivenValue = { value: 'hps', better: 'higher', range: null, unit: 'score', meaning: null };

/** Gives 0.5, and less to a copy. */
const ANSWERS = `case "$line" in *'/blurred '*|*'/jpeg '*) v=0.25;; *) v=0.5;; esac
printf '{"id":"%s","scores":{"hps":%s}}\\n' "$id" "$v"`;

interface Setting {
  readonly gives: readonly GivenValue[];
  readonly version: string;
  readonly body: string;
  readonly files: Readonly<Record<string, string>>;
  readonly original: boolean;
  /** Digests of media that are gone. */
  readonly pruned: readonly string[];
}

const USUAL: Setting = { gives: [HIGHER], version: '1', body: ANSWERS, files: {}, original: false, pruned: [] };

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

/** Lines that were appended to those of the record, and the questions that were sent. */
interface Scored {
  readonly record: StoredRun;
  readonly lines: readonly ScoreLine[];
  readonly asked: readonly Readonly<Record<string, unknown>>[];
  readonly started: boolean;
  readonly end: ScoringEnd;
}

async function score(record: StoredRun, setting: Partial<Setting> = {}): Promise<Scored> {
  const { gives, version, body, files, original, pruned } = { ...USUAL, ...setting };
  const log = join(folder, 'log');
  const script = `echo started >>starts
echo '{"retake":1,"version":"${version}"}'
while read -r line; do
  printf '%s\\n' "$line" >>log
  id=\${line#*'"id":"'}; id=\${id%%'"'*}
  ${body}
done`;
  const declared: CommandScorer = {
    use: 'command',
    name: 'hps',
    gives: [...gives],
    command: ['program'],
    env: [],
    timeoutMs: 10_000,
    frames: 8,
    original,
  };
  const program: ScoringProgram = {
    declared,
    command: ['sh', '-c', script],
    files,
    env: { PATH: process.env.PATH ?? '' },
    redact: (text) => text,
  };
  writeFileSync(log, '');
  writeFileSync(join(folder, 'starts'), '');
  const lines: ScoreLine[] = [];
  const scorer = programScorer(program, {
    folder,
    show: async (_scorer, _output, shown, control) => {
      const media = [`/${control ?? 'usual'} ${shown.digest}.png`];
      return { ok: true, shown: { media, image: null, remove: () => {} } };
    },
  });
  const end = await scoreRun(record, [scorer], {
    signal: new AbortController().signal,
    append: (more) => lines.push(...more),
    isStored: (sha256) => !pruned.includes(sha256),
    starting: () => {},
    progress: () => {},
  });
  const asked = readFileSync(log, 'utf8').trim().split('\n');
  return {
    record: { ...record, scores: [...record.scores, ...lines] },
    lines,
    asked: asked.flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    started: readFileSync(join(folder, 'starts'), 'utf8') !== '',
    end,
  };
}

const PROMPTS = ['fox', 'sign', 'sea', 'sky', 'tree'];

/** Takes of the standard and the fast variant; the fast one gives `outputs` other images in all. */
function recordOf(outputs: number, parts: Partial<RunParts> = {}): StoredRun {
  const samples = Array.from({ length: outputs }, (_, at): Sample[] => {
    const trial = { prompt: PROMPTS[at % PROMPTS.length] ?? '', seed: at, variant: 'fast' };
    return [buildOk(100, `fast ${at}`, { trial })];
  }).flat();
  return buildStoredRun({ prompts: PROMPTS, variants: [{ name: 'standard' }, { name: 'fast' }], samples, ...parts });
}

function withPrompt(record: StoredRun, id: string, change: Partial<RunPrompt>): StoredRun {
  const prompts = record.run.prompts.map((prompt) => (prompt.id === id ? { ...prompt, ...change } : prompt));
  return { ...record, run: { ...record.run, prompts } };
}

/** How many lines of each kind. */
function counted(lines: readonly ScoreLine[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { line } of lines) counts[line] = (counts[line] ?? 0) + 1;
  return counts;
}

describe('scoreRun', () => {
  it('scoreRun counts the scorers that it asks, and a second time starts nothing', async () => {
    const first = await score(recordOf(5));
    expect(first.end).toEqual({ complete: true, started: 1, failed: [] });
    expect((await score(first.record)).end).toEqual({ complete: true, started: 0, failed: [] });
  });

  it('scoreRun sends nothing that names a variant, a seed or a digest of a record, in the order of the keys', async () => {
    const { asked, lines } = await score(
      withPrompt(recordOf(5), 'sign', { expect: { row: 7, values: { text: 'OPEN' } } }),
    );
    expect(Object.keys(asked[0] ?? {}).sort()).toEqual(['expect', 'id', 'image', 'kind', 'media', 'prompt']);
    const sign = asked.find(({ prompt }) => prompt === 'A sign');
    expect(sign).toMatchObject({ expect: { text: 'OPEN' }, kind: 'text-to-image', image: null });
    const keys = lines.flatMap((line) => (line.line === 'scorer' ? [] : [line.key]));
    expect(keys).toEqual(keys.toSorted());
  });

  it.each<readonly [what: string, values: number, change: (record: StoredRun) => StoredRun]>([
    ['a prompt', 1, (record) => withPrompt(record, 'sign', { text: 'Another sign' })],
    ['what is expected', 1, (record) => withPrompt(record, 'sea', { expect: { row: 1, values: { text: 'x' } } })],
    ['an input image', 1, (record) => withPrompt(record, 'sky', { media: [inputOf('another image')] })],
    [
      'an output',
      1,
      (record) => {
        const samples = [
          ...record.samples.slice(1),
          buildOk(100, 'new', { trial: { prompt: 'fox', variant: 'fast' } }),
        ];
        return { ...buildStoredRun({ prompts: PROMPTS, samples }), scores: record.scores };
      },
    ],
  ])('scoreRun makes the lines again that %s touches, and no others', async (_what, values, change) => {
    const first = await score(recordOf(5));
    const changed = change(first.record);
    const second = await score(changed);
    expect(counted(second.lines)).toEqual({ value: values });
    expect(second.asked).toHaveLength(values);
    // Back again: nothing is asked, and what was said before counts again.
    const back = await score({ ...first.record, scores: second.record.scores });
    expect(back).toMatchObject({ asked: [], started: false });
    expect(counted(back.lines).value ?? 0).toBeLessThanOrEqual(values);
  });

  it('scoreRun scores all again with another version, and nothing with one that was there before', async () => {
    const first = await score(recordOf(3));
    const files = { 'hps.py': digestOf('changed') };
    const second = await score(first.record, { version: '2', files });
    expect(counted(second.lines)).toEqual({ scorer: 1, value: 3 });
    const third = await score(second.record, { version: '1', files: {} });
    expect(counted(third.lines)).toEqual({ scorer: 1 });
    expect(third.started).toBe(false);
    // Something is missing, so the program starts, and says that it is another one.
    const more = { ...recordOf(4), scores: third.record.scores };
    expect(counted((await score(more, { version: '3' })).lines)).toEqual({ scorer: 1, value: 4 });
    expect(counted((await score(more, { version: '1' })).lines)).toEqual({ value: 1 });
  });

  it('scoreRun leaves out warm-ups, probes, failures and blank images, and asks about twins', async () => {
    const ok = (content: string, trial: Parameters<typeof buildOk>[2]) => buildOk(100, content, trial);
    const record = recordOf(0, {
      samples: [
        ok('one', { trial: { variant: 'fast' } }),
        ok('one', { trial: { variant: 'standard' } }),
        ok('warm', { trial: { variant: 'fast', phase: 'warmup' } }),
        ok('probe', { trial: { variant: 'fast', phase: 'probe' } }),
        ok('twin', { trial: { variant: 'fast', phase: 'against' } }),
        ok('blank', { trial: { variant: 'fast', seed: 2 } }),
        buildFailure('moderated', { trial: { variant: 'fast', seed: 3 } }),
      ],
    });
    const facts = record.facts.map((fact) =>
      fact.fact === 'output' && fact.decodes === true && fact.sha256 === digestOf('blank')
        ? { ...fact, shown: { ...fact.shown, blank: true } }
        : fact,
    );
    const { asked } = await score({ ...record, facts });
    const shown = asked.map(({ media }) => String(media)).sort();
    const reversed = (content: string) => [...digestOf(content)].reverse().join('');
    expect(shown).toEqual(['one', 'twin'].map((content) => `/usual ${reversed(content)}.png`).sort());
  });

  it('scoreRun says why an output is not asked about, without starting the program', async () => {
    const plain = recordOf(3);
    const broken = plain.facts.map((fact) =>
      fact.fact === 'output' && fact.sha256 === digestOf('fast 1')
        ? ({ ...fact, decodes: false, reason: { code: 'unknown_format' } } as const)
        : fact,
    );
    const record = withPrompt({ ...plain, facts: broken }, 'sea', { media: [inputOf('input')] });
    const pruned = [digestOf('fast 0'), digestOf('input')];
    const first = await score(record, { pruned });
    expect(first.started).toBe(false);
    const codes = first.lines.flatMap((line) => (line.line === 'unscored' ? [line.why.code] : []));
    expect(codes.sort()).toEqual(['input_missing', 'media_missing', 'undecodable']);
    expect((await score(first.record, { pruned })).lines).toEqual([]);
    // The media are back, and the program says its version.
    expect(counted((await score(first.record)).lines)).toEqual({ scorer: 1, unscored: 1, value: 2 });
  });

  it('scoreRun asks again only about what the program was not asked', async () => {
    const dying = await score(recordOf(5), { body: 'exit 1' });
    const codes = dying.lines.flatMap((line) => (line.line === 'unscored' ? [line.why.code] : []));
    expect(codes).toEqual(['died', 'command_failed', 'command_failed', 'command_failed', 'command_failed']);
    expect(dying.end.failed).toMatchObject([{ scorer: { name: 'hps' }, reason: '' }]);
    const second = await score(dying.record);
    expect(counted(second.lines)).toEqual({ value: 4 });
  });

  it('scoreRun scores nothing with a program that does not start, under the declaration alone', async () => {
    const { lines, started } = await score(recordOf(3), { version: '1"', body: '' });
    expect(started).toBe(true);
    expect(counted(lines)).toEqual({ scorer: 1, unscored: 3 });
    expect(lines[0]).toMatchObject({ version: null, weights: null });
  });

  describe('controls', () => {
    const controlsOf = (lines: readonly ScoreLine[]) =>
      lines.flatMap((line) => (line.line === 'control' ? [line] : []));

    it('controls are 16 outputs, each beside three copies, and are made once', async () => {
      const first = await score(recordOf(20));
      const controls = controlsOf(first.lines);
      expect(controls).toHaveLength(3 * 16);
      for (const kind of ['blurred', 'jpeg', 'other_prompt'] as const) {
        const own = controls.filter(({ control }) => control === kind);
        expect(new Set(own.map(({ media }) => media[0])).size).toBe(16);
        expect(own.map(({ found }) => found)).toEqual(Array(16).fill({ hps: kind !== 'other_prompt' }));
      }
      const texts = new Map(first.record.run.prompts.map(({ id, text }) => [id, text]));
      const promptOf = new Map(
        first.lines.flatMap((line) => (line.line === 'value' ? [[line.media[0], line.prompt]] : [])),
      );
      for (const { control, prompt, media } of controls) {
        if (control !== 'other_prompt') continue;
        expect(texts.get(promptOf.get(media[1] ?? '') ?? '')).not.toBe(texts.get(prompt));
      }
      expect(await score(first.record)).toMatchObject({ lines: [], started: false });
    });

    it('controls follow the direction of each value, and have none for a value without one', async () => {
      const gives = [
        { ...HIGHER, value: 'a', better: 'lower' as const },
        { ...HIGHER, value: 'b', better: null },
      ];
      const body = ANSWERS.replace('"hps":%s', '"a":%s,"b":1');
      const { lines } = await score(recordOf(16), { gives, body });
      expect(controlsOf(lines).map(({ found }) => found)).toEqual(Array(48).fill({ a: false }));
      const without = await score(recordOf(16), { gives: gives.slice(1), body: ANSWERS.replace('hps', 'b') });
      expect(counted(without.lines)).toEqual({ scorer: 1, value: 16 });
    });

    it('controls are not made of fewer than 16 outputs with values', async () => {
      expect(controlsOf((await score(recordOf(15))).lines)).toEqual([]);
      const body = `case "$line" in *'A fox"'*) printf '{"id":"%s","unscored":"no"}\\n' "$id";; *) ${ANSWERS};; esac`;
      expect(controlsOf((await score(recordOf(19), { body })).lines)).toEqual([]);
      expect(controlsOf((await score(recordOf(20), { body })).lines)).toHaveLength(48);
    });

    it('controls of one prompt alone have no other prompt', async () => {
      const record = recordOf(20);
      const alone = record.run.prompts
        .map(({ id }) => id)
        .reduce((all, id) => withPrompt(all, id, { text: 'A fox' }), record);
      const controls = controlsOf((await score(alone)).lines);
      expect(new Set(controls.map(({ control }) => control))).toEqual(new Set(['blurred', 'jpeg']));
      expect(controls).toHaveLength(32);
    });

    it('controls find nothing where a copy has no value', async () => {
      const body = ANSWERS.replace('v=0.25', 'v=null');
      const { lines } = await score(recordOf(16), { body });
      const controls = controlsOf(lines);
      expect(controls.filter(({ found }) => found === null)).toHaveLength(32);
    });
  });
});
