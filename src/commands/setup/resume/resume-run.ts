import { join } from 'node:path';
import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import type { Run } from '../../../record/model/run.ts';
import { MOST_SEGMENTS } from '../../../record/model/run-name.ts';
import { readJournal, readRun } from '../../../record/read-record.ts';
import { type RecordWriter, reopenRecord } from '../../../record/store.ts';
import { type Resumption, resumptionOf } from '../../../run/resume/resumption.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { listedInShort } from '../../../text/wording.ts';
import type { Edge } from '../../edge.ts';
import { isEmbedded } from '../endpoints.ts';
import type { PreparedRun } from '../plan/take-share.ts';
import { describeRun } from '../run-header.ts';
import { planChanges, planChangeWords } from './plan-changes.ts';

interface ResumedRun {
  readonly record: RecordWriter;
  readonly resumption: Resumption;
  /** What reading had to skip, one sentence each. */
  readonly notices: readonly string[];
}

/** Refuses a merged run: its shards are resumed. */
export async function readEarlierRun(folder: string): Promise<Checked<Run>> {
  const run = await readRun(folder);
  if (!run.ok || run.value.merged === null) return run;
  return refused(`${folder} was merged from shards`, 'resume its shards, then merge them');
}

/**
 * An error if suite or environment have changed: the rest would not belong to the run. Throws if it is not writable.
 */
export async function resumeRun(
  folder: string,
  run: Run,
  prepared: PreparedRun,
  { resendUnknown }: { readonly resendUnknown: boolean },
  edge: Edge,
): Promise<Checked<ResumedRun>> {
  const { suite, plan } = prepared;
  if (suite.name !== run.suite.name || plan.digest !== run.plan.digest) {
    const changes = planChanges(
      run,
      await describeRun(prepared, run.createdAt, { run: run.id, label: null }, null, edge),
    );
    const what = changes.length === 0 ? '' : `: ${planChangeWords(changes)}`;
    return refused(
      `run ${run.id} began with another plan${what}`,
      'restore the suite, its files and its targets, or leave out --set; or begin a new run',
    );
  }
  const changed = changedVariables(run, prepared);
  if (changed.length > 0) {
    return refused(
      `${listedInShort(changed)}: the value has changed since run ${run.id} began`,
      'restore the value, or begin a new run',
    );
  }
  const journal = await readJournal(folder);
  if (!journal.ok) return journal;
  const { values, notices } = journal.value;
  const own = new Set(prepared.variants.filter(isEmbedded).map(({ name }) => name));
  const isOwn = (variant: string): boolean => own.has(variant);
  const resumption = resumptionOf(values, resendUnknown, isOwn);
  const fault = journalFault(resumption, prepared);
  if (fault !== null)
    return refused(`${join(folder, 'journal.jsonl')}: ${fault}`, 'restore the file, or begin a new run');
  return { ok: true, value: { record: reopenRecord(folder), resumption, notices } };
}

/** A contradiction in the journal of a run; else null. */
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
