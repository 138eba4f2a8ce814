import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalEvent, Sample } from '../../src/record/journal.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import { type Ended, journalOf, onlyRun, retakeHere } from '../fixtures/retake-process.ts';

/* A job from its submit to a video in the record, against the embedded service. */

const SUITE = `suite: 1
name: videos
variants:
  fast-lcm: { target: reference/text-to-video, const: { model: fast-lcm } }
inputs: { seconds: 1 }
prompts: [A red fox in the snow]
repeats: 2
load: { warmup: 0 }
reports: [html]
`;

if (NO_NODE_AV) console.warn('skipped: node-av, an optional dependency, is not installed');

describe.skipIf(NO_NODE_AV)('a run of jobs', () => {
  let run: string;
  let ended: Ended;
  let samples: readonly Sample[];

  beforeAll(async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), SUITE);
    ended = await retakeHere(['run', 'suite.yaml'], folder);
    run = onlyRun(join(folder, 'results'));
    ({ samples } = journalOf(run));
  });

  it('a run of jobs ends well', () => {
    expect(ended.stderr).not.toMatch(/defect/);
    expect(ended.code).toBe(0);
    expect(samples.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it('a run of jobs journals that a job was accepted, with what polls need, between its intent and its sample', () => {
    const lines = readFileSync(join(run, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
    const events: JournalEvent[] = lines.map((line) => JSON.parse(line));
    const [{ trial }] = samples as readonly [Sample, ...Sample[]];
    const story = events.flatMap((event) => {
      if (event.event === 'intent' && event.trial.id === trial.id) return ['intent'];
      if (event.event === 'accepted' && event.trial === trial.id) return [`accepted ${typeof event.captured.id}`];
      if (event.event === 'sample' && event.sample.trial.id === trial.id) return ['sample'];
      return [];
    });
    expect(story).toEqual(['intent', 'accepted string', 'sample']);
  });

  it('a run of jobs polls, and its marks stand in their order', () => {
    for (const { polls, marks } of samples) {
      expect(polls).toBeGreaterThan(0);
      const { startedMs, acceptedMs = 0, lastPendingMs = 0, readyMs = 0, firstByteMs = 0, doneMs = 0 } = marks;
      expect(startedMs).toBeLessThan(acceptedMs);
      expect(acceptedMs).toBeLessThanOrEqual(lastPendingMs);
      expect(lastPendingMs).toBeLessThan(readyMs);
      expect(readyMs).toBeLessThan(firstByteMs);
      expect(firstByteMs).toBeLessThanOrEqual(doneMs);
    }
  });

  it('a run of jobs records what came back: one video, the same bytes for the same seed', () => {
    const facts = readFileSync(join(run, 'facts.jsonl'), 'utf8').trimEnd().split('\n');
    expect(facts).toHaveLength(1);
    expect(JSON.parse(facts[0] ?? '')).toMatchObject({
      mime: 'video/mp4',
      decodes: true,
      frames: 24,
      video: { fps: 24, durationS: 1, codec: 'h264', preview: true },
    });
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain('data:video/mp4;base64,');
  });
});
