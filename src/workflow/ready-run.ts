import { readdirSync, readFileSync } from 'node:fs';
import { needsKeptOutputs } from '../analysis/rule-cases.ts';
import { type Checked, diagnoseFrom, refused } from '../kit/diagnostic.ts';
import type { Shard } from '../plan/share.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { Suite } from '../suite/suite.ts';
import { knowSecrets } from '../targets/known-secrets.ts';
import { readSecrets, type Secrets } from '../targets/secrets.ts';
import type { Edge } from './edge.ts';
import { checkEmbedded } from './endpoints.ts';
import { sourceOfKey } from './plan-suite.ts';
import { type PreparedRun, takeShare } from './take-share.ts';

export interface ReadyRun {
  readonly prepared: PreparedRun;
  readonly secrets: Secrets;
}

/**
 * A run, or a shard of one, with its keys. Finds what would end it, before a request is charged.
 * @param suiteFolder `results/<suite>`
 */
export async function readyRun(
  whole: PreparedSuite,
  shard: Shard | null,
  suiteFolder: string,
  edge: Pick<Edge, 'env' | 'parts' | 'redactErrors'>,
): Promise<Checked<ReadyRun>> {
  const prepared = takeShare(whole, shard);
  if (!prepared.ok) return prepared;
  const { suite, variants, judges } = prepared.value;
  const served = checkEmbedded(variants, edge);
  if (!served.ok) return served;
  // The keys of judges too: nothing is measured that cannot be judged afterwards.
  const secrets = readSecrets([...variants, ...judges.map(({ endpoint }) => endpoint)], edge.env);
  if (!secrets.ok) return secrets;
  edge.redactErrors(knowSecrets(Object.values(secrets.value)).redact);
  const history = shard === null ? await checkHistory(suiteFolder, suite) : NO_HISTORY;
  if (!history.ok) return history;
  const descriptors = checkDescriptors(suite.load.concurrency);
  if (!descriptors.ok) return descriptors;
  const stored = await checkStoredBaseline(suiteFolder, suite);
  return stored.ok ? { ...secrets, value: { prepared: prepared.value, secrets: secrets.value } } : stored;
}

/** A shard has none. */
const NO_HISTORY = { ok: true } as const;

async function checkHistory(folder: string, { gate }: Pick<Suite, 'gate'>): Promise<Checked<null>> {
  if (!gate.some(({ rule }) => rule.against === 'history')) return { ok: true, value: null };
  // Loads the schema only if a rule needs it.
  const { readHistory } = await import('../record/read-record.ts');
  const read = await readHistory(folder);
  return read.ok ? { ok: true, value: null } : read;
}

/** Descriptors of a run beside its sockets: pipes of processes, files. */
const BESIDE = 32;

/**
 * Whether this process may open as many connections as the concurrency, one descriptor each. On systems other than
 * Linux this is unknown, and a run without free descriptors stops.
 * @param own this process's folder in /proc
 */
export function checkDescriptors(concurrency: number, own = '/proc/self'): Checked<null> {
  const limit = readLimit(own);
  const needed = concurrency + countOpen(own) + BESIDE;
  if (limit === null || needed <= limit) return { ok: true, value: null };
  const cause = `load.concurrency ${concurrency} needs about ${needed} file descriptors, and this process may open ${limit}`;
  const most = concurrency - (needed - limit);
  const lower = most < 1 ? '' : `, or lower load.concurrency to ${most}`;
  return refused(cause, `raise the limit (ulimit -n ${needed})${lower}`);
}

function readLimit(own: string): number | null {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync(`${own}/limits`, 'utf8')) ?? [];
    return soft !== undefined && /^\d+$/.test(soft) ? Number(soft) : null;
  } catch {
    return null;
  }
}

function countOpen(own: string): number {
  try {
    return readdirSync(`${own}/fd`).length;
  } catch {
    return 0;
  }
}

/**
 * Whether the stored baseline fits the rules that need one. Without a stored baseline they are undecided.
 */
async function checkStoredBaseline(suiteFolder: string, { gate }: Pick<Suite, 'gate'>): Promise<Checked<unknown>> {
  const rules = gate.filter(({ rule }) => needsKeptOutputs(rule));
  if (rules.length === 0) return { ok: true, value: null };
  const [{ findBaseline, findBaselineRun }, { comparesMedia }] = await Promise.all([
    import('../record/read-record.ts'),
    import('../analysis/stability.ts'),
  ]);
  const baseline = await findBaseline(suiteFolder);
  if (!baseline.ok || baseline.value === null) return baseline;
  if ((await findBaselineRun(suiteFolder, baseline.value)) !== null) return baseline;
  const { run } = baseline.value;
  const diagnostics = rules
    .filter(({ rule }) => comparesMedia(rule))
    .map((declared) => {
      const media = `the media of the stored baseline's run ${run} are gone`;
      const cause = `${declared.rule.metric} compares media, and ${media}`;
      const remedy = 'keep a new baseline with retake baseline, or use stability.pixel or stability.related';
      return diagnoseFrom(sourceOfKey(declared, 'metric'), { cause, remedy });
    });
  return diagnostics.length === 0 ? baseline : { ok: false, diagnostics };
}
