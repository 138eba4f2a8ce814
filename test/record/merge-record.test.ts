import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import type { Trial } from '../../src/plan/trial.ts';
import type { Fact } from '../../src/record/fact.ts';
import type { JournalEvent, Sample } from '../../src/record/journal.ts';
import { appendLines } from '../../src/record/line-files.ts';
import { type MergedRecord, mergeRecords } from '../../src/record/merge-record.ts';
import { writeSmall } from '../../src/record/output-files.ts';
import { readRecord } from '../../src/record/read-record.ts';
import type { Run } from '../../src/record/run.ts';
import { createRecord } from '../../src/record/store.ts';
import type { DeclaredScorer } from '../../src/suite/scorer.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { buildCalibration, buildOk, buildStoredRun } from '../fixtures/stored-run-builder.ts';

/** A shard of a run of 3 shards, each with one prompt of three, a warm-up and two takes. */
interface ShardParts {
  readonly index: number;
  readonly of?: number;
  readonly run?: Partial<Run>;
  readonly name?: string;
  readonly samples?: readonly Sample[];
  readonly facts?: readonly Fact[];
}

const PROMPTS = ['fox', 'cat', 'owl'];
const RATED: DeclaredScorer = {
  use: 'file',
  name: 'rated',
  gives: [{ value: 'rated', better: null, range: null, unit: 'score', meaning: null }],
};

function samplesOf(index: number): readonly Sample[] {
  const prompt = PROMPTS[index - 1] ?? '';
  const sample = (content: string, slice: number, trial: Partial<Trial>) => buildOk(100, content, { slice, trial });
  return [
    sample('warm', 0, { prompt: 'fox', seed: 9, phase: 'warmup' }),
    sample(`${prompt} 1`, 1, { prompt, repeat: 1 }),
    sample(`${prompt} 2`, 2, { prompt, repeat: 2 }),
  ];
}

/** Writes the record of a shard and gives its folder. */
function writeShard(results: string, parts: ShardParts): string {
  const { index, of = 3, name = 'r1', samples = samplesOf(index) } = parts;
  const { run, intents, facts } = buildStoredRun({ prompts: PROMPTS, load: { concurrency: 1 }, samples });
  const whole = {
    plan: { ...run.plan, requests: 7, load: { ...run.plan.load, concurrency: 3 } },
    limits: { ...run.limits, requests: 90 },
    plannedTrials: { standard: 6 },
  };
  const record = createRecord(results, {
    ...run,
    id: `${name}-${index}of${of}`,
    shard: { run: name, index, of, whole },
    ...parts.run,
  });
  record.append({ event: 'segment', state: 'started', segment: 1, originAt: `2026-11-20T15:4${index}:00.000Z` });
  for (const intent of intents) record.append(intent);
  for (const sample of samples) record.append({ event: 'sample', sample });
  for (const content of ['warm', ...samples.flatMap(({ trial }) => `${trial.prompt} ${trial.repeat}`)]) {
    record.keepMedia(Buffer.from(content), 'png');
  }
  const stop = { reason: 'finished' } as const;
  record.append({ event: 'segment', state: 'ended', segment: 1, atMs: 999, stop, orphans: 1, loopDelay: null });
  record.close();
  appendLines(record.folder, 'facts.jsonl', parts.facts ?? facts);
  for (const { sha256 } of facts.flatMap((fact) => (fact.fact === 'output' ? [fact] : []))) {
    writeSmall(record.folder, sha256, 'webp', Buffer.from('small'));
    writeSmall(record.folder, sha256, '200.webp', Buffer.from('smaller'));
  }
  return record.folder;
}

async function merged(folders: readonly string[], results = freshFolder()): Promise<MergedRecord> {
  return accepted(await mergeRecords(folders, results));
}

async function refusal(folders: readonly string[], results = freshFolder()): Promise<readonly string[]> {
  const found = await mergeRecords(folders, results);
  return found.ok ? [] : found.diagnostics.map(({ cause }) => cause);
}

const eventsOf = (folder: string): readonly JournalEvent[] =>
  readFileSync(join(folder, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('mergeRecords', () => {
  it('a merged record has the trials of all shards, each shard with its own segment and clock', async () => {
    const results = freshFolder();
    const folders = [3, 1, 2].map((index) => writeShard(results, { index }));
    const { folder } = await merged(folders, results);
    expect(folder).toBe(join(results, 'images', 'r1'));
    const { segments, samples, intents } = accepted(await readRecord(folder));
    expect(segments.map(({ started }) => [started.segment, started.originAt.slice(14, 16)])).toEqual([
      [1, '41'],
      [2, '42'],
      [3, '43'],
    ]);
    expect(segments.map(({ ended }) => [ended?.segment, ended?.orphans])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    const trials = samples.map(({ trial, segment, slice }) => `${segment} ${trial.phase} ${trial.prompt} ${slice}`);
    expect(trials).toEqual([
      '1 warmup fox 0',
      '1 trial fox 1',
      '1 trial fox 2',
      '2 trial cat 1',
      '2 trial cat 2',
      '3 trial owl 1',
      '3 trial owl 2',
    ]);
    expect(intents.map(({ segment, trial }) => `${segment} ${trial.id}`)).toEqual(
      samples.map(({ segment, trial }) => `${segment} ${trial.id}`),
    );
  });

  it('a merged run is described as the whole run, with the machine and noise floor of each shard', async () => {
    const results = freshFolder();
    const floors = [0.6, 4.5, 0.9];
    const folders = [1, 2, 3].map((index) => {
      const calibration = buildCalibration({ floorMs: floors[index - 1] ?? 0 });
      const git = { commit: 'c0ffee', dirty: index === 2 };
      return writeShard(results, {
        index,
        run: {
          calibration,
          git,
          scorers: [RATED],
          createdAt: `2026-11-20T15:4${9 - index}:00.000Z`,
        },
      });
    });
    const { run } = await merged(folders, results);
    expect(run).toMatchObject({
      id: 'r1',
      createdAt: '2026-11-20T15:46:00.000Z',
      shard: null,
      scorers: [RATED],
      plan: { requests: 7, load: { concurrency: 3 } },
      limits: { requests: 90 },
      variants: [{ name: 'standard', plannedTrials: 6 }],
      calibration: { floorMs: 4.5 },
      git: { commit: 'c0ffee', dirty: true },
    });
    expect(
      run.merged.shards.map(({ index, segments, concurrency, calibration, warmupsLeftOut }) => [
        index,
        segments,
        concurrency,
        calibration?.floorMs,
        warmupsLeftOut,
      ]),
    ).toEqual([
      [1, [1], 1, 0.6, 0],
      [2, [2], 1, 4.5, 1],
      [3, [3], 1, 0.9, 1],
    ]);
  });

  it('shards of one vantage merge into a run of that vantage; shards of two are refused with the way to compare them', async () => {
    const results = freshFolder();
    const [first = '', second = ''] = [1, 2].map((index) => writeShard(results, { index, run: { vantage: 'eu' } }));
    const far = writeShard(freshFolder(), { index: 2, run: { vantage: 'us' } });
    expect(await mergeRecords([first, far], results)).toEqual({
      ok: false,
      diagnostics: [
        {
          place: null,
          cause: `${first} and ${far} have different vantages: eu and us`,
          remedy: 'measure all shards of a run from one vantage; compare two runs with retake compare',
        },
      ],
    });
    const { run } = await merged([first, second], results);
    expect(run.vantage).toBe('eu');
  });

  it('a merged run names the proxies of its shards', async () => {
    const { run } = buildStoredRun({ prompts: PROMPTS, samples: samplesOf(1) });
    const through = async (...proxies: readonly (string | undefined)[]) => {
      const results = freshFolder();
      const folders = proxies.map((proxy, at) => {
        const variants = run.variants.map((variant) => ({ ...variant, ...(proxy === undefined ? {} : { proxy }) }));
        return writeShard(results, { index: at + 1, run: { variants } });
      });
      const merged = await mergeRecords(folders, results);
      return merged.ok ? merged.value.run.variants.map(({ proxy }) => proxy) : merged;
    };
    expect(await through(undefined, undefined)).toEqual([undefined]);
    expect(await through('http://a', 'http://a')).toEqual(['http://a']);
    expect(await through('http://b', undefined, 'http://a')).toEqual(['http://b, none, http://a']);
  });

  it('media are linked, thumbnails copied, and each fact stands once', async () => {
    const results = freshFolder();
    const folders = [1, 2, 3].map((index) => writeShard(results, { index }));
    const { folder } = await merged(folders, results);
    const [shelf = ''] = readdirSync(join(folder, 'media'));
    const [name = ''] = readdirSync(join(folder, 'media', shelf));
    expect(statSync(join(folder, 'media', shelf, name)).nlink).toBeGreaterThan(1);
    const sha256 = name.replace('.png', '');
    expect(statSync(join(folder, 'thumbs', `${sha256}.webp`)).nlink).toBe(1);
    const stored = await readRecord(folder);
    const facts = stored.ok ? stored.value.facts.map((fact) => (fact.fact === 'output' ? fact.sha256 : '')) : [];
    // 1 warm-up and 6 takes.
    expect(facts).toHaveLength(7);
    expect(new Set(facts).size).toBe(7);
    expect(readdirSync(join(folder, 'thumbs'))).toHaveLength(14);
  });

  it.runIf(existsSync('/dev/shm'))('media on another disk than the results are copied', async () => {
    const { folder } = await merged([writeShard(freshFolder('/dev/shm'), { index: 1 })]);
    const media = readdirSync(join(folder, 'media'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(media.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).toSorted()).toEqual([
      'fox 1',
      'fox 2',
      'warm',
    ]);
  });

  it('an output that one shard had no decoder for has the fact of another shard', async () => {
    const results = freshFolder();
    const same = (index: number) =>
      buildOk(100, 'the same', { trial: { prompt: PROMPTS[index - 1] ?? '' }, slice: index });
    const blind = (samples: readonly Sample[]): readonly Fact[] =>
      buildStoredRun({ samples }).facts.flatMap((fact): readonly Fact[] => {
        if (fact.fact !== 'output') return [];
        const { sha256, bytes, mime } = fact;
        return [
          {
            fact: 'output',
            sha256,
            bytes,
            mime,
            decodes: null,
            reason: { code: 'not_supported', detail: 'no decoder' },
          },
        ];
      });
    const folders = [
      writeShard(results, { index: 1, samples: [same(1)], facts: blind([same(1)]) }),
      writeShard(results, { index: 2, samples: [same(2)] }),
    ];
    const { folder } = await merged(folders, results);
    const lines = readFileSync(join(folder, 'facts.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).decodes)).toEqual([true]);
  });

  it('a missing shard leaves its number out, and the warm-ups of the first shard that is there are kept', async () => {
    const results = freshFolder();
    const { run, folder } = await merged(
      [2, 3].map((index) => writeShard(results, { index })),
      results,
    );
    expect(run.merged).toMatchObject({ of: 3, shards: [{ index: 2 }, { index: 3 }] });
    const warmups = eventsOf(folder).filter(
      (event) => event.event === 'sample' && event.sample.trial.phase === 'warmup',
    );
    expect(warmups).toHaveLength(1);
  });

  it('a torn last line of a shard is dropped with a notice that names the shard', async () => {
    const results = freshFolder();
    const [first = '', second = ''] = [1, 2].map((index) => writeShard(results, { index }));
    appendFileSync(join(second, 'journal.jsonl'), '{"event":"sample","sam');
    const { notices } = await merged([first, second], results);
    expect(notices).toEqual([expect.stringMatching(/r1-2of3: journal\.jsonl.*torn/)]);
  });

  const DIGEST = 'f'.repeat(64);
  const STORED = { run: 'kept', createdAt: '2026-11-01T08:00:00.000Z', digest: DIGEST };
  const NO_ENCODER = { code: 'no_video_encoder', encoder: 'libx264' } as const;

  it.each<[what: string, other: (run: Run) => Partial<ShardParts>, says: RegExp]>([
    ['another run', () => ({ name: 'r2' }), /are shards of two runs: r1 and r2$/],
    ['another split', () => ({ of: 4 }), /overlap: a run was split into 3 shards and into 4$/],
    [
      'another version of Retake',
      ({ machine }) => ({ run: { machine: { ...machine, retake: '0.2.0' } } }),
      /were measured by Retake 0\.1\.0 and 0\.2\.0$/,
    ],
    [
      'another suite',
      ({ suite }) => ({ run: { suite: { ...suite, digest: DIGEST } } }),
      /have different suites \(SHA-256 \w{12} and f{12}\)$/,
    ],
    [
      'another stored baseline',
      () => ({ run: { against: { ...STORED, environment: {}, changedEnvironment: [], missing: [] } } }),
      /are not measured against the same stored baseline$/,
    ],
    [
      'another target',
      ({ targets }) => ({ run: { targets: targets.map((target) => ({ ...target, digest: DIGEST })) } }),
      /have different targets: reference\/text-to-image$/,
    ],
    [
      'another environment',
      ({ suite }) => ({ run: { suite: { ...suite, environment: { RETAKE_BASE_URL: DIGEST } } } }),
      /have different environment variables: RETAKE_BASE_URL$/,
    ],
    [
      'another variant left out',
      () => ({
        run: {
          leftOut: [{ variant: 'video', twinOf: null, kind: 'text-to-video', reason: NO_ENCODER, optional: true }],
        },
      }),
      /left out different variants: video$/,
    ],
    [
      'another plan',
      ({ plan }) => ({ run: { plan: { ...plan, digest: DIGEST } } }),
      /have different plans \(SHA-256 \w{12} and f{12}\)$/,
    ],
    ['a vantage, beside one without', () => ({ run: { vantage: 'eu' } }), /have different vantages: none and eu$/],
  ])('a shard of %s is refused, and the difference is named', async (_, other, says) => {
    const results = freshFolder();
    const { run } = buildStoredRun({ samples: samplesOf(2) });
    const folders = [writeShard(results, { index: 1 }), writeShard(results, { index: 2, ...other(run) })];
    expect(await refusal(folders, results)).toEqual([expect.stringMatching(says)]);
    expect(readdirSync(join(results, 'images')).filter((name) => !/of\d$/.test(name))).toEqual([]);
  });

  it('the same shard twice is refused', async () => {
    const [here, there] = [freshFolder(), freshFolder()];
    const folders = [writeShard(here, { index: 2 }), writeShard(there, { index: 2 })];
    expect(await refusal(folders)).toEqual([`${folders[0]} and ${folders[1]} are both shard 2 of 3`]);
    expect(await refusal([folders[0] ?? '', folders[0] ?? ''])).toHaveLength(1);
  });

  it('two shards that hold the same trial are refused, and nothing is left behind', async () => {
    const results = freshFolder();
    const folders = [writeShard(results, { index: 1 }), writeShard(results, { index: 2, samples: samplesOf(1) })];
    expect(await refusal(folders, results)).toEqual([
      `${folders[0]} and ${folders[1]} overlap: both have trial standard.trial.fox.1.1`,
    ]);
    expect(readdirSync(join(results, 'images')).toSorted()).toEqual(['r1-1of3', 'r1-2of3']);
  });

  it('a whole run, and a merged one, are no shards', async () => {
    const results = freshFolder();
    const { run } = buildStoredRun({ samples: [] });
    const whole = createRecord(results, run);
    whole.close();
    expect(await refusal([whole.folder])).toEqual([`${whole.folder} is a whole run, not a shard`]);
    const { folder } = await merged([writeShard(results, { index: 1 })], results);
    expect(await refusal([folder])).toEqual([`${folder} is a merged run, not a shard`]);
  });

  it('a run that is there already is not overwritten', async () => {
    const results = freshFolder();
    const shard = writeShard(results, { index: 1 });
    mkdirSync(join(results, 'images', 'r1'));
    writeFileSync(join(results, 'images', 'r1', 'scores.csv'), 'votes');
    expect(await refusal([shard], results)).toEqual([
      `${join(results, 'images', 'r1')} exists, and was not merged from shards`,
    ]);
    expect(readFileSync(join(results, 'images', 'r1', 'scores.csv'), 'utf8')).toBe('votes');
    expect(existsSync(join(results, 'images', 'r1', 'run.json'))).toBe(false);
  });

  describe('an earlier merge', () => {
    const nobody = { own: { pid: 1, host: 'here', startedAt: null }, find: () => null };
    const again = (folders: readonly string[], results: string) =>
      mergeRecords(folders, results, { together: null, replace: nobody });
    const vote = { line: 'vote', ballot: 'a'.repeat(32), choice: 'left', voter: 'b'.repeat(32) } as const;

    it('an earlier merge is replaced where that is asked for; its votes and scores stay, each once', async () => {
      const results = freshFolder();
      const [first = '', second = '', third = ''] = [1, 2, 3].map((index) => writeShard(results, { index }));
      appendLines(first, 'votes.jsonl', [{ ...vote, choice: 'right' }]);
      const { folder } = await merged([first, second], results);
      appendLines(folder, 'votes.jsonl', [vote, vote]);
      expect(await refusal([first, second, third], results)).toEqual([`${folder} exists: the run was merged before`]);
      expect((await again([first, second, third], results)).ok).toBe(true);
      const stored = accepted(await readRecord(folder));
      expect(stored.run.merged?.shards.map(({ index }) => index)).toEqual([1, 2, 3]);
      expect(stored.votes).toEqual([{ ...vote, choice: 'right' }, vote, vote]);
      const left = [...readdirSync(join(results, 'images')), ...readdirSync(folder)];
      expect(left.filter((name) => /^\.|^lock$/.test(name))).toEqual([]);
    });

    it('an earlier merge is not replaced where it holds what Retake did not write; all of that is named', async () => {
      const results = freshFolder();
      const shards = [1, 2].map((index) => writeShard(results, { index }));
      const { folder } = await merged(shards, results);
      const [shelf = ''] = readdirSync(join(folder, 'media'));
      const others = [`media/${shelf}/edited.png`, 'media/mine', 'report.html', 'thesis.txt'];
      mkdirSync(join(folder, 'media', 'mine'));
      mkdirSync(join(folder, 'report.html'));
      for (const name of [others[0] ?? '', 'thesis.txt']) writeFileSync(join(folder, name), 'words');
      writeFileSync(join(folder, 'summary.md'), 'a report of Retake');
      const there = readdirSync(folder, { recursive: true });
      const refusedBy = await again(shards, results);
      expect(refusedBy.ok ? [] : refusedBy.diagnostics.map(({ cause }) => cause)).toEqual([
        `${folder} has ${others.slice(0, 3).join(', ')} and ${others[3]}, not written by Retake`,
      ]);
      expect(readdirSync(folder, { recursive: true })).toEqual(there);
      for (const name of others) rmSync(join(folder, name), { recursive: true });
      symlinkSync(results, join(folder, 'media', shelf, 'link'));
      expect((await again(shards, results)).ok).toBe(false);
      rmSync(join(folder, 'media', shelf, 'link'));
      expect((await again(shards, results)).ok).toBe(true);
      expect(existsSync(join(folder, 'summary.md'))).toBe(false);
    });

    it('an earlier merge stays where a shard of it is not named, where it is in use, and where it is a run', async () => {
      const results = freshFolder();
      const [first = '', second = ''] = [1, 2].map((index) => writeShard(results, { index }));
      const { folder } = await merged([first, second], results);
      const causes = async (folders: readonly string[]) => {
        const found = await again(folders, results);
        return found.ok ? [] : found.diagnostics.map(({ cause }) => cause);
      };
      expect(await causes([second])).toEqual([`${folder} has shards that you did not name: 1`]);
      writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 7, host: 'elsewhere', startedAt: null }));
      expect(await causes([first, second])).toEqual([expect.stringContaining('process 7')]);
      expect(existsSync(join(folder, 'journal.jsonl'))).toBe(true);
    });
  });

  it('the shards stay as they were, and a merged journal is readable by its owner only', async () => {
    const results = freshFolder();
    const shard = writeShard(results, { index: 1 });
    const before = readdirSync(shard, { recursive: true }).length;
    const journal = readFileSync(join(shard, 'journal.jsonl'));
    const { folder } = await merged([shard], results);
    expect(readdirSync(shard, { recursive: true })).toHaveLength(before);
    expect(readFileSync(join(shard, 'journal.jsonl')).equals(journal)).toBe(true);
    expect(statSync(join(folder, 'journal.jsonl')).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o777).toBe(statSync(join(results, 'images')).mode & 0o777);
  });
});
