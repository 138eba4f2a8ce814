import { readdirSync, readFileSync } from 'node:fs';
import { needsKeptOutputs } from '../analysis/rule-cases.ts';
import { accepted, type Diagnostic, diagnoseFrom, Refused, refusal } from '../kit/diagnostic.ts';
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
  /** About the keys. */
  readonly warnings: readonly Diagnostic[];
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
): Promise<ReadyRun> {
  const prepared = accepted(takeShare(whole, shard));
  const { suite, variants, judges } = prepared;
  checkEmbedded(variants, edge);
  // The keys of judges too: nothing is measured that cannot be judged afterwards.
  const found = readSecrets([...variants, ...judges.map(({ endpoint }) => endpoint)], edge.env);
  const secrets = accepted(found);
  edge.redactErrors(knowSecrets(Object.values(secrets)).redact);
  // A shard has no history.
  if (shard === null) await checkHistory(suiteFolder, suite);
  checkDescriptors(suite.load.concurrency);
  await checkStoredBaseline(suiteFolder, suite);
  return { prepared, secrets, warnings: found.ok ? (found.warnings ?? []) : [] };
}

async function checkHistory(folder: string, { gate }: Pick<Suite, 'gate'>): Promise<void> {
  if (!gate.some(({ rule }) => rule.against === 'history')) return;
  // Loads the schema only if a rule needs it.
  const { readHistory } = await import('../record/read-record.ts');
  accepted(await readHistory(folder));
}

/** Descriptors of a run beside its sockets: pipes of processes, files. */
const BESIDE = 32;

/**
 * Refuses a concurrency above the connections that this process may open, one descriptor each. On systems other than
 * Linux this is unknown, and a run without free descriptors stops.
 * @param own this process's folder in /proc
 */
export function checkDescriptors(concurrency: number, own = '/proc/self'): void {
  const limit = readLimit(own);
  const needed = concurrency + countOpen(own) + BESIDE;
  if (limit === null || needed <= limit) return;
  const cause = `load.concurrency ${concurrency} needs about ${needed} file descriptors, and this process may open ${limit}`;
  const most = concurrency - (needed - limit);
  const lower = most < 1 ? '' : `, or lower load.concurrency to ${most}`;
  throw refusal(cause, `raise the limit (ulimit -n ${needed})${lower}`);
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

/** Refuses a stored baseline that rules cannot use. Without a stored baseline they are undecided. */
async function checkStoredBaseline(suiteFolder: string, { gate }: Pick<Suite, 'gate'>): Promise<void> {
  const rules = gate.filter(({ rule }) => needsKeptOutputs(rule));
  if (rules.length === 0) return;
  const [{ findBaseline, findBaselineRun }, { comparesMedia }] = await Promise.all([
    import('../record/read-record.ts'),
    import('../analysis/stability.ts'),
  ]);
  const baseline = accepted(await findBaseline(suiteFolder));
  if (baseline === null || (await findBaselineRun(suiteFolder, baseline)) !== null) return;
  const diagnostics = rules
    .filter(({ rule }) => comparesMedia(rule))
    .map((declared) => {
      const media = `the media of the stored baseline's run ${baseline.run} are gone`;
      const cause = `${declared.rule.metric} compares media, and ${media}`;
      const remedy = 'keep a new baseline with retake baseline, or use stability.pixel or stability.related';
      return diagnoseFrom(sourceOfKey(declared, 'metric'), { cause, remedy });
    });
  if (diagnostics.length > 0) throw new Refused(diagnostics);
}
