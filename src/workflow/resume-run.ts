import { join } from 'node:path';
import { accepted, refusal } from '../kit/diagnostic.ts';
import { asJson, firstDifference, valueWords } from '../kit/first-difference.ts';
import type { Json } from '../kit/json.ts';
import { visibleLine } from '../kit/visible.ts';
import { listedInShort } from '../kit/wording.ts';
import { MOST_SEGMENTS } from '../record/codes.ts';
import { readLines, readRun } from '../record/read-record.ts';
import type { Run } from '../record/run.ts';
import { type RecordWriter, reopenRecord } from '../record/store.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import { type Resumption, resumptionOf } from '../run/resumption.ts';
import { isEmbedded } from './endpoints.ts';
import type { PreparedRun } from './prepare-run.ts';
import { type PlannedHeader, plannedHeader } from './run-header.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

export interface ResumedRun {
  readonly record: RecordWriter;
  readonly resumption: Resumption;
  /** What reading had to skip, one sentence each. */
  readonly notices: readonly string[];
}

/** Refuses a merged run: its shards are resumed. */
export async function readEarlierRun(folder: string): Promise<Run> {
  const run = accepted(await readRun(folder));
  if (run.merged === null) return run;
  throw refusal(`${folder} was merged from shards`, 'resume its shards, then merge them');
}

/** Refuses a changed suite or environment: the rest would not belong to the run. Throws if it is not writable. */
export async function resumeRun(
  folder: string,
  run: Run,
  prepared: PreparedRun,
  { resendUnknown }: { readonly resendUnknown: boolean },
  edge: Pick<WorkflowEdge, 'env'>,
): Promise<ResumedRun> {
  const { suite, plan } = prepared;
  if (suite.name !== run.suite.name || plan.digest !== run.plan.digest) {
    const [was, is] = [run, plannedHeader(prepared, run.shard?.run ?? run.id, edge.env)].map(sentBy);
    const found = firstDifference(was, is);
    const what =
      found === null ? '' : visibleLine(`: ${found.path} was ${valueWords(found.one)}, is ${valueWords(found.other)}`);
    throw refusal(
      `run ${run.id} began with another plan${what}`,
      'restore the suite, its files and its targets, or leave out --set; or begin a new run',
    );
  }
  const changed = changedVariables(run, prepared);
  if (changed.length > 0) {
    throw refusal(
      `${listedInShort(changed)}: the value has changed since run ${run.id} began`,
      'restore the value, or begin a new run',
    );
  }
  const { values, notices } = accepted(await readLines(folder, 'journal.jsonl'));
  const embedded = new Set(prepared.variants.filter(isEmbedded).map(({ name }) => name));
  const isOwn = (variant: string): boolean => embedded.has(variant);
  const resumption = resumptionOf(values, resendUnknown, isOwn);
  const fault = journalFault(resumption, prepared);
  if (fault !== null)
    throw refusal(`${join(folder, 'journal.jsonl')}: ${fault}`, 'restore the file, or begin a new run');
  return { record: reopenRecord(folder), resumption, notices };
}

/** A contradiction between journal and suite; null: none. */
function journalFault({ segment, jobs }: Resumption, { variants }: PreparedSuite): string | null {
  if (segment > MOST_SEGMENTS) return `segment ${segment - 1} is the last number that there is`;
  for (const [trial, { intent }] of jobs) {
    const variant = variants.find(({ name }) => name === intent.trial.variant);
    if (variant?.target.wait?.until?.by !== 'poll') {
      return `accepted: trial ${trial} of ${intent.trial.variant} has a job, and its target polls none`;
    }
  }
  return null;
}

function changedVariables(run: Run, { suite, targets }: PreparedSuite): readonly string[] {
  const then = Object.assign({}, run.suite.environment, ...run.targets.map(({ environment }) => environment));
  const now = Object.assign({}, suite.environment, ...targets.map(({ environment }) => environment));
  return Object.keys({ ...then, ...now })
    .filter((name) => then[name] !== now[name])
    .sort();
}

/** What decides the requests of a run and their order, by the names of its parts. */
function sentBy({ suite, variants, targets, prompts, plan, against }: PlannedHeader): Json {
  const { seeds, repeats, load, probes } = plan;
  const named = <T>(parts: readonly T[], nameOf: (part: T) => string) =>
    Object.fromEntries(parts.map((part) => [nameOf(part), part]));
  // A run may go on at another server.
  const ofVariants = variants.map(({ name, kind, target, constants, twinOf }) => {
    return { name, kind, target, const: constants, twinOf };
  });
  const ofTargets = targets.map(({ id, declared, storedBody }) => ({ id, declared, storedBody }));
  const ofPrompts = prompts.map(({ id, text, kinds, media, inputs }) => ({ id, text, kinds, media, inputs }));
  return asJson({
    suite: suite.name,
    variants: named(ofVariants, ({ name }) => name),
    targets: named(ofTargets, ({ id }) => id),
    prompts: named(ofPrompts, ({ id }) => id),
    ...{ seeds, repeats, load, probes: probes?.kinds ?? [], '--against': against?.run ?? null },
  });
}
