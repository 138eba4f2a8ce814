import { needsKeptOutputs } from '../gate/rule-case.ts';
import { accepted, type Checked, diagnoseFrom, Refused, refused } from '../kit/diagnostic.ts';
import { plural } from '../kit/wording.ts';
import { mostUsdFrom, trialCosts } from '../plan/estimate.ts';
import { findShareFault, type Shard, type ShareFault, shareOf } from '../plan/share.ts';
import type { PreparedSuite } from '../run/prepare-suite.ts';
import type { Suite } from '../suite/suite.ts';
import type { Secrets } from '../targets/secrets.ts';
import { readKeys } from './endpoints.ts';
import { sourceOfKey } from './plan-suite.ts';
import type { WorkflowEdge } from './workflow-edge.ts';

/** A suite, or the share of a shard. */
export interface PreparedRun extends PreparedSuite {
  /** Null: the whole. */
  readonly shard: (Shard & { readonly whole: WholeRun }) | null;
}

export type WholeRun = Pick<PreparedSuite, 'suite' | 'plan' | 'skippedProbes'>;

export function takeShare(prepared: PreparedSuite, shard: Shard | null): Checked<PreparedRun> {
  if (shard === null) return { ok: true, value: { ...prepared, shard } };
  const { suite, plan, skippedProbes } = prepared;
  const mostUsdOf = mostUsdFrom(trialCosts(prepared.variants, suite.cases));
  const dealt = { ...suite, plan, mostUsdOf };
  const fault = findShareFault(dealt, shard.of);
  if (fault !== null) return refused(...faultWords(fault, shard));
  const share = shareOf(dealt, shard);
  const isFirst = shard.index === 1;
  return {
    ok: true,
    value: {
      ...prepared,
      suite: { ...suite, load: share.load, limits: share.limits, probes: isFirst ? suite.probes : [] },
      plan: share.plan,
      skippedProbes: isFirst ? skippedProbes : [],
      shard: { ...shard, whole: { suite, plan, skippedProbes } },
    },
  };
}

export interface ReadyRun {
  readonly prepared: PreparedRun;
  readonly secrets: Secrets;
}

/**
 * A run, or a shard of one, with its keys; warns about these. Finds what would end it, before a request is charged.
 * @param suiteFolder `results/<suite>`
 */
export async function readyRun(
  whole: PreparedSuite,
  shard: Shard | null,
  suiteFolder: string,
  edge: Pick<WorkflowEdge, 'env' | 'redactErrors'>,
): Promise<Checked<ReadyRun>> {
  const prepared = accepted(takeShare(whole, shard));
  const { suite, variants, judges } = prepared;
  // Keys of judges are checked too: what is measured must be judged afterwards.
  const read = readKeys([...variants, ...judges.map(({ endpoint }) => endpoint)], edge);
  if (!read.ok) return read;
  // A shard has no history.
  if (shard === null) await checkHistory(suiteFolder, suite);
  await checkStoredBaseline(suiteFolder, suite);
  return { ...read, value: { prepared, secrets: read.value } };
}

async function checkHistory(folder: string, { gate }: Pick<Suite, 'gate'>): Promise<void> {
  if (!gate.some(({ rule }) => rule.against === 'history')) return;
  // Loads the schema only if a rule needs it.
  const { readHistory } = await import('../record/read-record.ts');
  accepted(await readHistory(folder));
}

/** Without a stored baseline, rules about it are undecided. */
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
      const remedy = 'keep a new stored baseline with retake baseline, or use stability.pixel or stability.related';
      return diagnoseFrom(sourceOfKey(declared, 'metric'), { cause, remedy });
    });
  if (diagnostics.length > 0) throw new Refused(diagnostics);
}

function faultWords(fault: ShareFault, { of }: Shard): readonly [cause: string, remedy: string] {
  switch (fault.code) {
    case 'sweep':
      return [
        'a sweep cannot be split into shards: a step fixes the concurrency of the whole run',
        'run the suite as one process, or set load.concurrency to one number',
      ];
    case 'claim':
      return [
        'a claim cannot be split into shards: it is decided pair after pair',
        'run the suite as one process, or remove claim',
      ];
    case 'load_probe':
      return [
        'the probe load cannot be split into shards: some of its requests must be alone at the service',
        'leave load out of probes, or run the suite as one process',
      ];
    case 'too_few_slots':
      return [
        `load.concurrency is ${fault.concurrency}, too few for ${plural(of, 'shard')}`,
        `use at most ${plural(fault.concurrency, 'shard')}, or raise load.concurrency`,
      ];
    case 'too_few_parts': {
      const parts =
        fault.mode === 'closed'
          ? `prompts x seeds is ${fault.parts}`
          : `the plan has ${plural(fault.parts, 'arrival')}`;
      return [`${parts}, too few for ${plural(of, 'shard')}`, `use at most ${plural(fault.parts, 'shard')}`];
    }
    case 'too_few_requests':
      return [
        `limits.requests is ${fault.limit}, too few for ${plural(of, 'shard')}`,
        'raise limits.requests, or use fewer shards',
      ];
  }
}
