import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricsOfRecord } from '../analysis/metrics.ts';
import { comparesMedia, comparesOutputs } from '../analysis/stability.ts';
import { examineBaseline, examineRun } from '../examine/examine.ts';
import { baselineOutputs } from '../examine/pairs.ts';
import { type Assessment, assess } from '../gate/assess.ts';
import { checkRecordedRules } from '../gate/check-rules.ts';
import { needsKeptOutputs } from '../gate/rule-case.ts';
import { accepted } from '../kit/diagnostic.ts';
import { asJson, firstDifference } from '../kit/first-difference.ts';
import type { Json } from '../kit/json.ts';
import { listed, listedInShort, plural } from '../kit/wording.ts';
import { fitsExpectation, headerSeconds, sniff } from '../media/header.ts';
import { missingShards } from '../plan/share.ts';
import type { Fact } from '../record/fact.ts';
import type { JournalEvent, Sample } from '../record/journal.ts';
import type { Baseline, HistoryLine, StoredRun } from '../record/kept-run.ts';
import { borrowMedia, inputImages, readMedia } from '../record/output-files.ts';
import { readText } from '../record/own-files.ts';
import { readLines, readRun } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { isRequest } from '../record/score-key.ts';
import { sortEvents } from '../record/trial-histories.ts';
import type { ReportFile } from '../report/reporter.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import { examineOptions } from './assess-run.ts';
import { findIncoherence } from './follow/coherence.ts';
import { FollowEnd, wordsOfDifference } from './follow/follow-end.ts';
import { compareFacts } from './follow/follow-facts.ts';
import { expandAgain, partsOf } from './follow/follow-suite.ts';
import { describeMachine } from './run-header.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** Whether the numbers of a record follow from it. */
export interface FollowedRecord {
  readonly is: 'follows' | FollowEnd['is'];
  /** The first difference, or why it cannot be checked, as a clause; null: it follows. */
  readonly what: string | null;
  /** What was taken from the record as it is, beside its journal. */
  readonly taken: readonly string[];
}

/** What decided rules of the gate beside the record; null: not given. */
export interface GivenBeside {
  readonly baseline: Baseline | null;
  readonly history: readonly HistoryLine[] | null;
  /** The digest that was published before the run. */
  readonly published: string | null;
}

type AssessedRecord = Assessment & { readonly record: StoredRun };

interface FollowEdge extends Pick<WorkflowEdge, 'drain' | 'abort' | 'count' | 'say' | 'idleExaminers'> {
  readonly quiet: boolean;
  /** Tells that a check has passed: its name, and what was found. */
  readonly passed: (check: string, found: string) => void;
  /** The reports of a record that are texts, and its verdict. */
  readonly filesOf: (folder: string, assessed: AssessedRecord) => readonly ReportFile[];
}

/**
 * Makes the numbers of a record again from run.json, journal and media, then compares them with its files. Until then it
 * opens none of facts.jsonl, verdict.json and the reports. Writes nothing into the record, and sends nothing.
 */
export async function followRecord(folder: string, beside: GivenBeside, edge: FollowEdge): Promise<FollowedRecord> {
  const run = accepted(await readRun(folder));
  const scores = accepted(await readLines(folder, 'scores.jsonl')).values;
  const votes = accepted(await readLines(folder, 'votes.jsonl')).values;
  const journal = accepted(await readLines(folder, 'journal.jsonl'));
  for (const notice of journal.notices) edge.say(notice);
  const events = journal.values;
  const measured = { run, ...sortEvents(events), scores, votes, notices: [] };
  const scorers = [...new Set(scores.filter((line) => !isRequest(line)).map(({ scorer }) => scorer))];
  const cast = votes.filter(({ line }) => line === 'vote').length;
  const taken = [
    ...(scorers.length === 0 ? [] : [`the values of ${listed(scorers)}`]),
    ...(cast === 0 ? [] : [plural(cast, 'vote')]),
  ];
  const scratch = mkdtempSync(join(tmpdir(), 'retake-'));
  try {
    const whole = await checkSuite(run, beside, edge);
    checkPublished(run, beside);
    checkJournal(run, whole, events, edge);
    await checkMedia(folder, measured.samples, whole, run, edge);
    borrowMedia(folder, scratch);
    const facts = await examineAgain(scratch, measured, beside, edge);
    const made = assessAgain({ ...measured, facts }, beside);
    const verified = await checkFacts(folder, facts, run, edge);
    const assessed = verified === facts ? made : assessAgain({ ...measured, facts: verified }, beside);
    checkLooks(assessed, events, beside);
    await checkReports(folder, assessed, beside, edge);
    return { is: 'follows', what: null, taken };
  } catch (error) {
    if (error instanceof FollowEnd) return { is: error.is, what: error.what, taken };
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The digest in run.json was compared with the suite. */
function checkPublished({ published: own }: Run, { published }: GivenBeside): void {
  if (published === null || published === own) return;
  if (own === undefined) throw new FollowEnd('unchecked', 'its suite has no claim, so no digest of it was published');
  throw new FollowEnd(
    'differs',
    `the published digest is ${published}, and that of this suite, its plan and targets is ${own}`,
  );
}

async function checkSuite(run: Run, { baseline }: GivenBeside, { passed }: FollowEdge): Promise<PreparedSuite> {
  const { retake: version } = describeMachine();
  if (run.machine.retake !== version) {
    const other = `it was measured by Retake ${run.machine.retake}, and this is ${version}`;
    throw new FollowEnd('unchecked', `${other}: use that version`);
  }
  const whole = await expandAgain(run, baseline);
  const { plan, suite, targets } = whole;
  const from = `${plural(targets.length, 'target')}, ${plural(suite.cases.length, 'prompt')}`;
  passed('suite', `${from}: they give the plan of run.json, ${plural(plan.requests, 'request')}`);
  return whole;
}

function checkJournal(run: Run, whole: PreparedSuite, events: readonly JournalEvent[], { passed }: FollowEdge): void {
  for (const part of partsOf(run, whole, events)) {
    const found = findIncoherence(part);
    if (found !== null) throw new FollowEnd('differs', `journal.jsonl: ${found}`);
  }
  const { samples } = sortEvents(events);
  const absent = run.merged === null ? [] : missingShards(run.merged);
  const without = absent.length === 0 ? '' : `; without shard ${listedInShort(absent.map(String))}`;
  passed('journal', `${plural(samples.length, 'request')} of the plan in its order, and their times agree${without}`);
  const late = samples.filter(reportsMore);
  if (late.length > 0) {
    const { variant, id } = late[0]?.trial ?? { variant: '', id: '' };
    const first = `first trial ${id} of ${variant}`;
    passed('note', `in ${plural(late.length, 'request')} the server reports more time than the call took (${first})`);
  }
}

/** A server that answers from a cache may report the time of the first answer: this does not decide. */
function reportsMore({ reported: { serverMs, cached }, marks, endedMs }: Sample): boolean {
  const { startedMs, doneMs = endedMs } = marks;
  return serverMs !== null && cached !== true && startedMs !== undefined && serverMs > doneMs - startedMs;
}

/** Bytes, and what the journal says of them. */
async function checkMedia(
  folder: string,
  samples: readonly Sample[],
  { variants }: PreparedSuite,
  run: Run,
  { passed }: FollowEdge,
): Promise<void> {
  const differs = (sha256: string, what: string) => new FollowEnd('differs', `media ${sha256.slice(0, 12)}: ${what}`);
  const seen = new Set<string>();
  const missing: string[] = [];
  const sent = new Set(samples.map(({ trial }) => trial.prompt));
  const inputs = run.prompts.flatMap(({ id, media }) => (sent.has(id) ? media : []));
  const read = async (sha256: string): Promise<Uint8Array | null> => {
    const bytes = await readMedia(folder, sha256);
    if (bytes !== null && createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw differs(sha256, 'its bytes have another digest');
    seen.add(sha256);
    if (bytes === null) missing.push(sha256);
    return bytes;
  };
  for (const { sha256 } of inputs) if (!seen.has(sha256)) await read(sha256);
  for (const sample of samples) {
    if (!('outputs' in sample)) continue;
    const variant = variants.find(({ name }) => name === sample.trial.variant);
    for (const [at, output] of sample.outputs.entries()) {
      const bytes = await read(output.sha256);
      if (bytes === null) continue;
      const type = sniff(bytes);
      const units = variant?.price?.per === 'second' ? headerSeconds(bytes) : null;
      const { declaredMime, ...held } = output;
      const own = { bytes: bytes.byteLength, mime: type?.mime ?? null, ...(units === null ? {} : { units }) };
      const found = firstDifference(asJson(held), asJson({ sha256: output.sha256, ...own }));
      if (found !== null)
        throw new FollowEnd('differs', wordsOfDifference(`journal.jsonl, trial ${sample.trial.id}`, found));
      const isExpected = fitsExpectation(type, variant?.target.result.expect ?? null);
      if (at === 0 && isExpected !== (sample.outcome === 'ok'))
        throw differs(output.sha256, `the journal says ${sample.outcome} of it, and it is ${own.mime ?? 'no media'}`);
    }
  }
  if (missing.length > 0) {
    const gone = `${new Set(missing).size} of ${plural(seen.size, 'file')} of media/ are not there`;
    throw new FollowEnd('unchecked', `${gone}, as after "retake prune", or in a copy without them`);
  }
  passed('media', `${plural(seen.size, 'file')}, each with the digest that the journal has`);
}

/** All facts that the numbers need, from the media alone. */
async function examineAgain(
  scratch: string,
  measured: Omit<StoredRun, 'facts'>,
  { baseline }: GivenBeside,
  edge: FollowEdge,
): Promise<readonly Fact[]> {
  const { run, samples } = measured;
  const cells = baseline?.cells ?? [];
  const options = examineOptions(edge, edge.quiet);
  const inputs = new Set([...inputImages(run), ...baselineOutputs(samples, cells)]);
  const own = await examineRun(scratch, { run, samples, facts: [], inputs }, options);
  if (baseline === null || !run.gate.some(comparesOutputs)) return finished(own);
  const stored = { folder: scratch, facts: [], decides: run.gate.some(comparesMedia) };
  const further = await examineBaseline(scratch, { samples, facts: own.found }, cells, stored, options);
  return [...finished(own), ...finished(further)];
}

function finished({ found, complete }: Awaited<ReturnType<typeof examineRun>>): readonly Fact[] {
  if (complete) return found;
  throw new FollowEnd('unchecked', 'it was interrupted');
}

function assessAgain(record: StoredRun, given: GivenBeside): AssessedRecord {
  const baseline = record.run.gate.some(needsKeptOutputs) ? given.baseline : null;
  const metrics = metricsOfRecord(record);
  const [fault] = checkRecordedRules(record.run, metrics);
  if (fault !== undefined) throw new FollowEnd('differs', `run.json: gate[${fault.index}]: ${fault.cause}`);
  return { ...assess(record, metrics, baseline, given.history ?? []), record };
}

/** Facts to analyse: those made here, or those of the record where their last digits differ. */
async function checkFacts(
  folder: string,
  made: readonly Fact[],
  run: Run,
  { passed }: FollowEdge,
): Promise<readonly Fact[]> {
  const recorded = accepted(await readLines(folder, 'facts.jsonl')).values;
  const { differs, ofMachine, near } = compareFacts(recorded, made);
  const { sharp, nodeAv } = describeMachine();
  const isOther = run.machine.sharp !== sharp || run.machine.nodeAv !== nodeAv;
  if (differs !== null) {
    const packages = `sharp ${run.machine.sharp} and node-av ${run.machine.nodeAv ?? 'none'}`;
    throw ofMachine || isOther
      ? new FollowEnd('unchecked', `this machine does not decode as the other did (${packages}): ${differs}`)
      : new FollowEnd('differs', differs);
  }
  const undecoded = made.find((fact) => fact.fact === 'output' && fact.decodes === null);
  if (undecoded !== undefined && recorded.length === 0)
    throw new FollowEnd('unchecked', 'this machine has no decoder for a part of its media: install node-av');
  const digits = near.length === 0 ? '' : `; ${near.length} differ in their last digits, as of another processor`;
  const outputs = made.filter(({ fact }) => fact === 'output').length;
  const found = `${plural(outputs, 'file')} and ${plural(made.length - outputs, 'pair')} examined here`;
  const same = recorded.length === 0 ? '; the record has no facts.jsonl' : `: facts.jsonl says the same${digits}`;
  passed('facts', found + same);
  return near.length === 0 ? made : [...made, ...near];
}

/** Whether rules were decided beside other runs that were not given. */
function needsMore({ gate }: Run, { baseline, history }: GivenBeside): string | null {
  const lacks = [
    ...(history === null && gate.some(({ against }) => against === 'history') ? ['--history'] : []),
    ...(baseline === null && gate.some(needsKeptOutputs) ? ['--baseline'] : []),
  ];
  return lacks.length === 0 ? null : `a rule was decided beside other runs: give ${listed(lacks)}`;
}

/** A run in parts goes on until its gate is decided, and no longer. */
function checkLooks({ record }: AssessedRecord, events: readonly JournalEvent[], beside: GivenBeside): void {
  if (needsMore(record.run, beside) !== null) return;
  for (const [at, event] of events.entries()) {
    if (event.event !== 'look') continue;
    // Outputs are scored after the run.
    const until = { ...record, ...sortEvents(events.slice(0, at)), scores: [], votes: [] };
    const { open } = assessAgain(until, beside);
    if (open === event.decided) {
      const says = event.decided
        ? 'decided the gate, and it is open there'
        : 'did not decide the gate, and it is decided';
      throw new FollowEnd('differs', `journal.jsonl: look ${event.look} ${says}`);
    }
  }
}

async function checkReports(
  folder: string,
  assessed: AssessedRecord,
  beside: GivenBeside,
  { filesOf, passed }: FollowEdge,
): Promise<void> {
  const equal: string[] = [];
  const lacks = needsMore(assessed.record.run, beside);
  for (const { name, content } of filesOf(folder, assessed)) {
    const there = accepted(readText(join(folder, name)));
    if (there === null) continue;
    const pieces: string[] = [];
    for await (const piece of content) pieces.push(piece);
    const follows = pieces.join('');
    if (there === follows) {
      equal.push(name);
      continue;
    }
    const says = name.endsWith('.json') ? jsonWords(name, there, follows) : lineWords(name, there, follows);
    throw lacks !== null && !WITHOUT_VERDICT.has(name)
      ? new FollowEnd('unchecked', `${lacks} (${says})`)
      : new FollowEnd('differs', says);
  }
  passed('reports', equal.length === 0 ? 'the record has none' : `${listed(equal)}: the same bytes`);
}

/** They say nothing of the gate. */
const WITHOUT_VERDICT: ReadonlySet<string> = new Set(['samples.csv', 'measures.csv', 'likeness.csv', 'analysis.json']);

function jsonWords(name: string, there: string, follows: string): string {
  try {
    const own: Json = JSON.parse(there);
    const found = firstDifference(own, JSON.parse(follows));
    return found === null ? `${name}: it is written in another form` : wordsOfDifference(name, found);
  } catch {
    return `${name}: it is not JSON`;
  }
}

/** The first line, and of a table the column. */
function lineWords(name: string, there: string, follows: string): string {
  const [one, other] = [there.split('\n'), follows.split('\n')];
  const at = one.findIndex((line, index) => line !== other[index]);
  const line = at < 0 ? one.length : at;
  const [head, cells, own] = [other[0], one[line], other[line]].map((text) => text?.split(',') ?? []);
  const column = cells?.findIndex((cell, index) => cell !== own?.[index]) ?? -1;
  const named = name.endsWith('.csv') && cells?.length === head?.length && own?.length === head?.length;
  const path = `line ${line + 1}${named ? `, ${head?.[column]}` : ''}`;
  const values = named ? { one: cells?.[column], other: own?.[column] } : { one: one[line], other: other[line] };
  return wordsOfDifference(name, { path, ...values });
}
