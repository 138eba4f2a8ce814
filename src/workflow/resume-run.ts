import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { accepted, refusal } from '../kit/diagnostic.ts';
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
import { describeRun } from './run-header.ts';
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
  edge: Pick<WorkflowEdge, 'env' | 'cwd'>,
): Promise<ResumedRun> {
  const { suite, plan } = prepared;
  if (suite.name !== run.suite.name || plan.digest !== run.plan.digest) {
    const changes = planChanges(
      run,
      await describeRun(prepared, run.createdAt, { run: run.id, label: null, vantage: null }, null, edge),
    );
    const what = changes.length === 0 ? '' : `: ${listChanges(changes)}`;
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

/** Decides the requests of a run and their order. */
type ResumedPlan = Pick<Run, 'suite' | 'variants' | 'targets' | 'prompts' | 'plan' | 'against'>;

/** Clauses: `seeds was [1,2], is [7]`. */
function planChanges(was: ResumedPlan, is: ResumedPlan): readonly string[] {
  const before = settingsOf(was);
  const now = settingsOf(is);
  return [
    ...(was.suite.name === is.suite.name ? [] : [`it is the suite ${is.suite.name}, not ${was.suite.name}`]),
    ...changedItems('variant', was.variants, is.variants, ({ name }) => name, VARIANT_FIELDS),
    ...changedItems('target', was.targets, is.targets, ({ id }) => id, []),
    ...changedItems('prompt', was.prompts, is.prompts, ({ id }) => id, PROMPT_FIELDS),
    ...Object.keys({ ...before, ...now })
      .filter((name) => !isDeepStrictEqual(before[name], now[name]))
      .map((name) => `${name} was ${shown(before[name])}, is ${shown(now[name])}`),
  ];
}

const VARIANT_FIELDS = ['kind', 'target', 'constants', 'baseUrl', 'twinOf'] as const;
const PROMPT_FIELDS = ['text', 'kinds', 'media', 'inputs'] as const;

/** @param fields that its requests depend on; absent: all */
function changedItems<T extends object>(
  part: 'variant' | 'prompt' | 'target',
  was: readonly T[],
  is: readonly T[],
  nameOf: (item: T) => string,
  fields: readonly (keyof T & string)[],
): readonly string[] {
  const before = new Map(was.map((item) => [nameOf(item), item]));
  const now = new Map(is.map((item) => [nameOf(item), item]));
  const removed = [...before.keys()].filter((name) => !now.has(name));
  return [
    ...removed.map((name) => `the ${part} ${name} was removed`),
    ...[...now].flatMap(([name, item]) => {
      const old = before.get(name);
      if (old === undefined) return [`the ${part} ${name} was added`];
      const differ = fields.filter((field) => !isDeepStrictEqual(old[field], item[field]));
      if (differ.length > 0) return [`the ${part} ${name} has another ${differ.map(fieldWords).join(', ')}`];
      return fields.length > 0 || isDeepStrictEqual(old, item) ? [] : [`the ${part} ${name} was changed`];
    }),
  ];
}

function settingsOf({ plan, against }: ResumedPlan): Readonly<Record<string, unknown>> {
  const { seeds, repeats, load, probes } = plan;
  const loads = Object.fromEntries(Object.entries(load).map(([key, value]) => [`load.${key}`, value]));
  return { seeds, repeats, ...loads, probes: probes?.kinds ?? [], '--against': against?.run ?? null };
}

const LONGEST_VALUE = 60;

const MOST_NAMED = 5;

function listChanges(changes: readonly string[]): string {
  const more = changes.length - MOST_NAMED;
  return visibleLine([...changes.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
}

function fieldWords(field: string): string {
  return FIELD_WORDS[field] ?? field;
}

/** Fields whose key in a suite differs. */
const FIELD_WORDS: Readonly<Record<string, string>> = { constants: 'const', baseUrl: 'base_url' };

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}
