import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checked, refused } from '../kit/diagnostic.ts';
import { checkShards, type FoundRecord, type FoundShard } from './check-shards.ts';
import type { Fact } from './fact.ts';
import { encodeEvent, encodeFact } from './journal/journal-file.ts';
import type { JournalEvent } from './journal.ts';
import { mergeEvents, mergeFacts } from './merge/merge-events.ts';
import { type MergedPart, type MergedRun, mergeHeaders } from './merge/merge-header.ts';
import { mergeScores, type ShardScores } from './merge/merge-scores.ts';
import { inputImages } from './output-files.ts';
import { linkOutputs, makeFolder } from './own-files.ts';
import { readFacts, readJournal, readRun, readScores, readVotes } from './read-record.ts';
import type { RunTogether } from './run.ts';
import type { VoteLine } from './score.ts';
import { leftOutSpend } from './spend.ts';
import { appendScores, appendVotes } from './store.ts';

/* Joins the records of a run's shards into the record of the whole run. The shards are only read. */

export interface MergedRecord {
  readonly folder: string;
  readonly run: MergedRun;
  /** Unfinished last lines that were dropped, and scorers whose files differ. */
  readonly notices: readonly string[];
}

/**
 * Writes `<results>/<suite>/<run>/` completely or not at all. Refuses records that do not belong together, and an
 * existing run. Throws errors of the system. `together` is null if merged by hand.
 */
export async function mergeRecords(
  folders: readonly string[],
  results: string,
  together: RunTogether | null = null,
): Promise<Checked<MergedRecord>> {
  const headers = await readHeaders(folders);
  if (!headers.ok) return headers;
  const shards = checkShards(headers.value);
  if (!shards.ok) return shards;
  const [first] = shards.value;
  const folder = join(results, first.run.suite.name, first.run.shard.run);
  if (existsSync(folder)) return taken(folder);
  makeFolder(dirname(folder));
  // Beside its place, so that it can be renamed.
  const draft = mkdtempSync(join(dirname(folder), '.merging-'));
  try {
    chmodSync(draft, statSync(dirname(folder)).mode & 0o777);
    const written = await writeDraft(draft, shards.value, together);
    if (!written.ok) return written;
    if (existsSync(folder)) return taken(folder);
    renameSync(draft, folder);
    return { ok: true, value: { folder, ...written.value } };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function readHeaders(folders: readonly string[]): Promise<Checked<readonly FoundRecord[]>> {
  const records: FoundRecord[] = [];
  for (const folder of folders) {
    const run = await readRun(folder);
    if (!run.ok) return run;
    records.push({ folder, run: run.value });
  }
  return { ok: true, value: records };
}

async function writeDraft(
  draft: string,
  shards: readonly [FoundShard, ...FoundShard[]],
  together: RunTogether | null,
): Promise<Checked<Pick<MergedRecord, 'run' | 'notices'>>> {
  const parts: MergedPart[] = [];
  const notices: string[] = [];
  const facts: (readonly Fact[])[] = [];
  const scores: ShardScores[] = [];
  const votes: VoteLine[] = [];
  const owners = new Map<string, string>();
  const kept = new Set<string>();
  // Only its owner may read it, as any journal: it may contain signed URLs.
  const journal = openSync(join(draft, 'journal.jsonl'), 'wx', 0o600);
  try {
    for (const { folder, run } of shards) {
      const read = await readJournal(folder);
      if (!read.ok) return read;
      const before = parts.reduce((sum, { segments }) => sum + segments.length, 0);
      const merged = mergeEvents(read.value.values, before, parts.length === 0);
      const overlap = claim(merged.events, folder, owners);
      if (overlap !== null) return overlap;
      for (const sha256 of [...digestsOf(merged.events), ...inputImages(run)]) kept.add(sha256);
      append(journal, merged.events);
      const examined = await readFacts(folder);
      if (!examined.ok) return examined;
      facts.push(examined.value.values);
      const scored = await readScores(folder);
      if (!scored.ok) return scored;
      scores.push({ shard: `${run.shard.index}of${run.shard.of}`, scores: scored.value.values });
      const voted = await readVotes(folder);
      if (!voted.ok) return voted;
      votes.push(...voted.value.values);
      const torn = [read, examined, scored, voted].flatMap(({ value }) => value.notices);
      notices.push(...torn.map((notice) => `${folder}: ${notice}`));
      const { segments, warmupsLeftOut, leftOut } = merged;
      parts.push({ run, segments, warmupsLeftOut, spendLeftOut: leftOutSpend(leftOut, run.variants) });
    }
  } finally {
    closeSync(journal);
  }
  for (const { folder } of shards) linkOutputs(folder, draft, kept);
  writeFileSync(join(draft, 'facts.jsonl'), mergeFacts(facts, kept).map(encodeFact).join(''));
  const merged = mergeScores(scores, shards[0].run.prompts);
  notices.push(...merged.differing.map(differingFiles));
  appendScores(draft, merged.scores);
  appendVotes(draft, votes);
  const [head, ...rest] = parts;
  if (head === undefined) throw new Error('nothing was merged');
  const run = mergeHeaders([head, ...rest], together);
  writeFileSync(join(draft, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
  return { ok: true, value: { run, notices } };
}

function differingFiles(scorer: string): string {
  return (
    `${scorer}: the files of the shards differ in direction or unit, so only the values of the last shard count; ` +
    'add one file with the values of all shards (retake score)'
  );
}

/** Refuses a trial of another shard: records were changed or copied. */
function claim(
  events: readonly JournalEvent[],
  folder: string,
  owners: Map<string, string>,
): Extract<Checked<never>, { ok: false }> | null {
  for (const event of events) {
    if (event.event !== 'intent' && event.event !== 'sample') continue;
    const { id } = event.event === 'intent' ? event.trial : event.sample.trial;
    const owner = owners.get(id) ?? folder;
    if (owner !== folder)
      return refused(`${owner} and ${folder} overlap: both have trial ${id}`, 'restore the records');
    owners.set(id, folder);
  }
  return null;
}

function digestsOf(events: readonly JournalEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.event === 'sample' && 'outputs' in event.sample ? event.sample.outputs.map(({ sha256 }) => sha256) : [],
  );
}

/** Events are encoded in groups, so that no journal is in memory as text beside its values. */
const GROUP = 1000;

function append(file: number, events: readonly JournalEvent[]): void {
  for (let from = 0; from < events.length; from += GROUP) {
    const lines = events.slice(from, from + GROUP).map(encodeEvent);
    const bytes = Buffer.from(lines.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  }
}

function taken(folder: string): Extract<Checked<never>, { ok: false }> {
  return refused(
    `${folder} exists: the run was merged before, or measured as one`,
    'delete it to merge again, or name another folder with --out',
  );
}
