import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checked, type Diagnostic, refused } from '../kit/diagnostic.ts';
import type { Fact } from './fact.ts';
import type { JournalEvent } from './journal.ts';
import { appendLines, writeLines } from './line-files.ts';
import { type MergedPart, type MergedRun, mergeHeaders, type ShardRun } from './merge/merge-headers.ts';
import { mergeEvents, mergeFacts, mergeScores, type ShardScores, withoutUnited } from './merge/merge-lines.ts';
import { inputImages, linkOutputs } from './output-files.ts';
import { makeFolder } from './own-files.ts';
import { checkOnlyOwn, HEADER, JOURNAL } from './own-names.ts';
import { readAllLines, readLines, readRun } from './read-record.ts';
import type { Run, RunTogether } from './run.ts';
import type { ScoreLine, VoteLine } from './score.ts';
import { describeDifference, differenceOf, identityOf } from './shard-identity.ts';
import { type Lock, lockRecord, type Processes } from './store.ts';
import { leftOutSpend } from './trial-histories.ts';

interface FoundShard {
  readonly folder: string;
  readonly run: ShardRun;
}

interface FoundRecord {
  readonly folder: string;
  readonly run: Run;
}

/** The shards of one run by index: one `ShardIdentity`, different shares. Else a diagnostic for each difference. */
function checkShards(records: readonly FoundRecord[]): Checked<readonly [FoundShard, ...FoundShard[]]> {
  const others = records.filter(({ run }) => run.shard === null);
  const shards = records.filter(isShard).toSorted((a, b) => a.run.shard.index - b.run.shard.index);
  const [first, ...rest] = shards;
  if (others.length > 0 || first === undefined) return { ok: false, diagnostics: others.map(notShard) };
  const diagnostics = rest.flatMap((shard, at) => [...differences(first, shard), ...twice(shards[at] ?? first, shard)]);
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: [first, ...rest] };
}

function isShard(record: FoundRecord): record is FoundShard {
  return record.run.shard !== null;
}

function notShard({ folder, run }: FoundRecord): Diagnostic {
  const what = run.merged === null ? 'a whole run' : 'a merged run';
  return fault(`${folder} is ${what}, not a shard`, 'name the folders that runs with --shard wrote');
}

function twice(a: FoundShard, b: FoundShard): readonly Diagnostic[] {
  const { index, of } = b.run.shard;
  if (a.run.shard.index !== index || a.run.shard.of !== of) return [];
  return [fault(`${a.folder} and ${b.folder} are both shard ${index} of ${of}`, 'name each shard once')];
}

function differences({ folder: first, run: a }: FoundShard, { folder, run: b }: FoundShard): readonly Diagnostic[] {
  const differ = (cause: string, remedy: string) => [fault(`${first} and ${folder} ${cause}`, remedy)];
  const [left, right] = [a.shard, b.shard];
  if (left.run !== right.run) {
    return differ(`are shards of two runs: ${left.run} and ${right.run}`, 'name the shards of one run');
  }
  if (left.of !== right.of) {
    return differ(
      `overlap: a run was split into ${left.of} shards and into ${right.of}`,
      'name the shards of one split',
    );
  }
  const difference = differenceOf(identityOf(a), identityOf(b));
  return difference === null ? [] : differ(...describeDifference(difference));
}

function fault(cause: string, remedy: string): Diagnostic {
  return { place: null, cause, remedy };
}

/* Joins the records of a run's shards into the record of the whole run. The shards are only read. */

export interface MergedRecord {
  readonly folder: string;
  readonly run: MergedRun;
  /** Unfinished last lines that were dropped, and scorers whose files differ. */
  readonly notices: readonly string[];
}

export interface MergeOptions {
  /** Null if merged by hand. */
  readonly together: RunTogether | null;
  /**
   * Takes the place of an earlier merge of the run, whose votes and scores it keeps; refused where that holds what
   * Retake did not write. Null: an existing run is refused.
   */
  readonly replace: Processes | null;
}

/**
 * Writes `<results>/<suite>/<run>/` completely or not at all. Refuses records that do not belong together. Throws
 * errors of the system.
 */
export async function mergeRecords(
  folders: readonly string[],
  results: string,
  { together, replace }: MergeOptions = { together: null, replace: null },
): Promise<Checked<MergedRecord>> {
  const headers = await readHeaders(folders);
  if (!headers.ok) return headers;
  const shards = checkShards(headers.value);
  if (!shards.ok) return shards;
  const [first] = shards.value;
  const folder = join(results, first.run.suite.name, first.run.shard.run);
  const earlier = await earlierMerge(folder, shards.value, replace);
  if (!earlier.ok) return earlier;
  makeFolder(dirname(folder));
  // Beside its place, so that it can be renamed.
  const draft = mkdtempSync(join(dirname(folder), '.merging-'));
  const before = `${draft}-before`;
  try {
    chmodSync(draft, statSync(dirname(folder)).mode & 0o777);
    const written = await writeDraft(draft, shards.value, together, earlier.value);
    if (!written.ok) return written;
    if (earlier.value === null && existsSync(folder)) return taken(folder, false);
    if (earlier.value !== null) {
      // Writing the draft may take long: the user may have put something there meanwhile.
      const only = checkOnlyOwn(folder);
      if (!only.ok) return only;
      renameSync(folder, before);
    }
    renameSync(draft, folder);
    rmSync(before, { recursive: true, force: true });
    return { ok: true, value: { folder, ...written.value } };
  } finally {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(before) && !existsSync(folder)) renameSync(before, folder);
    earlier.value?.lock.release();
  }
}

interface EarlierMerge {
  /** Until it is replaced: a vote that came after its votes were read would be lost. */
  readonly lock: Lock;
  readonly scores: readonly ScoreLine[];
  readonly votes: readonly VoteLine[];
}

/** What an earlier merge of the run has besides its shards; null if there is none. */
async function earlierMerge(
  folder: string,
  shards: readonly FoundShard[],
  replace: Processes | null,
): Promise<Checked<EarlierMerge | null>> {
  if (!existsSync(folder)) return { ok: true, value: null };
  const run = await readRun(folder);
  const merged = run.ok ? run.value.merged : null;
  if (merged === null || replace === null) return taken(folder, merged !== null);
  const named = new Set(shards.map((shard) => shard.run.shard.index));
  const unnamed = merged.shards.map(({ index }) => index).filter((index) => !named.has(index));
  if (unnamed.length > 0)
    return refused(`${folder} has shards that you did not name: ${unnamed.join(', ')}`, 'name all shards');
  const locked = lockRecord(folder, replace);
  if (!locked.ok) return locked;
  const lock = locked.value;
  const [scored, voted, only] = [
    await readLines(folder, 'scores.jsonl'),
    await readLines(folder, 'votes.jsonl'),
    checkOnlyOwn(folder),
  ];
  if (scored.ok && voted.ok && only.ok)
    return { ok: true, value: { lock, scores: withoutUnited(scored.value.values), votes: voted.value.values } };
  lock.release();
  return { ok: false, diagnostics: [scored, voted, only].flatMap((read) => (read.ok ? [] : read.diagnostics)) };
}

/** Those of `lines` that are not among `known`, each as often as it is missing there. */
function missingIn<Line extends object>(known: readonly Line[], lines: readonly Line[]): readonly Line[] {
  const left = new Map<string, number>();
  for (const text of known.map((line) => JSON.stringify(line))) left.set(text, (left.get(text) ?? 0) + 1);
  return lines.filter((line) => {
    const text = JSON.stringify(line);
    const times = left.get(text) ?? 0;
    left.set(text, times - 1);
    return times <= 0;
  });
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
  earlier: EarlierMerge | null,
): Promise<Checked<Pick<MergedRecord, 'run' | 'notices'>>> {
  const parts: MergedPart[] = [];
  const notices: string[] = [];
  const facts: (readonly Fact[])[] = [];
  const scores: ShardScores[] = [];
  const votes: VoteLine[] = [];
  const owners = new Map<string, string>();
  const kept = new Set<string>();
  // Every run has one: a shard that was killed early has no event.
  writeLines(draft, JOURNAL, []);
  for (const { folder, run } of shards) {
    const read = await readAllLines(folder);
    if (!read.ok) return read;
    const before = parts.reduce((sum, { segments }) => sum + segments.length, 0);
    const merged = mergeEvents(read.value.events, before, parts.length === 0);
    const overlap = claim(merged.events, folder, owners);
    if (overlap !== null) return overlap;
    for (const sha256 of [...digestsOf(merged.events), ...inputImages(run)]) kept.add(sha256);
    appendLines(draft, JOURNAL, merged.events);
    facts.push(read.value.facts);
    scores.push({ shard: `${run.shard.index}of${run.shard.of}`, scores: read.value.scores });
    votes.push(...read.value.votes);
    notices.push(...read.value.notices.map((notice) => `${folder}: ${notice}`));
    const { segments, warmupsLeftOut, leftOut } = merged;
    parts.push({ run, segments, warmupsLeftOut, spendLeftOut: leftOutSpend(leftOut, run.variants) });
  }
  for (const { folder } of shards) linkOutputs(folder, draft, kept);
  writeLines(draft, 'facts.jsonl', mergeFacts(facts, kept));
  if (earlier !== null) {
    scores.push({
      shard: 'merged',
      scores: missingIn(
        scores.flatMap((shard) => shard.scores),
        earlier.scores,
      ),
    });
    votes.push(...missingIn(votes, earlier.votes));
  }
  const merged = mergeScores(scores, shards[0].run.prompts);
  notices.push(...merged.differing.map(differingFiles));
  appendLines(draft, 'scores.jsonl', merged.scores);
  appendLines(draft, 'votes.jsonl', votes);
  const [head, ...rest] = parts;
  if (head === undefined) throw new Error('nothing was merged');
  const run = mergeHeaders([head, ...rest], together);
  writeFileSync(join(draft, HEADER), `${JSON.stringify(run, null, 2)}\n`, { flush: true });
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

function taken(folder: string, isMerged: boolean): Extract<Checked<never>, { ok: false }> {
  return isMerged
    ? refused(`${folder} exists: the run was merged before`, 'add --replace to merge again; votes and scores stay')
    : refused(`${folder} exists, and was not merged from shards`, 'name another folder with --out');
}
