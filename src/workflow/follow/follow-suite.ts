import { asJson, firstDifference } from '../../kit/first-difference.ts';
import type { Json } from '../../kit/json.ts';
import { listedInShort } from '../../kit/wording.ts';
import { digestOf } from '../../plan/build-trial.ts';
import type { JournalEvent } from '../../record/journal.ts';
import type { Baseline } from '../../record/kept-run.ts';
import type { Run } from '../../record/run.ts';
import { type GivenValues, prepareRecorded } from '../../run/prepare-recorded.ts';
import type { PreparedSuite } from '../../run/prepare-suite.ts';
import { type PreparedRun, takeShare } from '../prepare-run.ts';
import { type PlannedHeader, plannedHeader } from '../run-header.ts';
import type { WrittenPart } from './coherence.ts';
import { FollowEnd, wordsOfDifference } from './follow-end.ts';

/**
 * The suite that run.json keeps, expanded again; what run.json says of it must follow. Throws `FollowEnd`.
 * @param given the stored baseline that the user names; null: none
 */
export async function expandAgain(run: Run, given: Baseline | null): Promise<PreparedSuite> {
  const baseline = run.against === null ? null : given;
  if (run.against !== null && (baseline === null || digestOf(baseline) !== run.against.digest)) {
    const which = `the stored baseline of run ${run.against.run}`;
    throw new FollowEnd('unchecked', `the run sent the variants of ${which} again: name that file with --baseline`);
  }
  const names = variablesOf(run);
  // A default of the suite may be the value that was used.
  const unset = await prepareRecorded(run, standIns(scorerVariables(run), 'a'), baseline);
  const prepared =
    unset.ok && unset.value.plan.digest === run.plan.digest
      ? unset
      : await prepareRecorded(run, standIns(names, 'a'), baseline);
  if (!prepared.ok) {
    const [first] = prepared.diagnostics;
    const cause = `run.json: the suite that it keeps is not valid: ${first?.cause ?? ''}`;
    throw new FollowEnd(names.length > 0 ? 'unchecked' : 'differs', cause);
  }
  const follows = comparable(describeAs(run, prepared.value));
  const found = firstDifference(comparable(run), follows);
  if (found === null) return prepared.value;
  const others = names.length === 0 ? prepared : await prepareRecorded(run, standIns(names, 'b'), baseline);
  // What depends on a value that no record holds.
  const isKnown = others.ok && firstDifference(comparable(describeAs(run, others.value)), follows) === null;
  if (isKnown) throw new FollowEnd('differs', wordsOfDifference('run.json', found));
  throw new FollowEnd('unchecked', `its requests depend on ${listedInShort(names)}, whose value is in no record`);
}

function variablesOf(run: Run): readonly string[] {
  const used = [run.suite, ...run.targets, ...(run.against === null ? [] : [run.against])];
  return [...new Set([...used.flatMap(({ environment }) => Object.keys(environment)), ...scorerVariables(run)])];
}

function scorerVariables({ scorers = [] }: Run): readonly string[] {
  return scorers.flatMap((scorer) => (scorer.use === 'command' ? scorer.env : []));
}

/** Valid where an address or a text stands. */
function standIns(names: readonly string[], salt: string): GivenValues {
  return Object.fromEntries(names.map((name) => [name, `http://${salt}.invalid/${name}`]));
}

function describeAs(run: Run, whole: PreparedSuite): PlannedHeader {
  const names = variablesOf(run);
  return plannedHeader(shareOfRun(whole, run.shard), run.shard?.run ?? run.id, standIns(names, 'a'));
}

function shareOfRun(whole: PreparedSuite, shard: Pick<NonNullable<Run['shard']>, 'index' | 'of'> | null): PreparedRun {
  const share = takeShare(whole, shard === null ? null : { index: shard.index, of: shard.of });
  if (share.ok) return share.value;
  throw new FollowEnd('differs', `run.json: shard: ${share.diagnostics[0]?.cause ?? ''}`);
}

/** Without what depends on a machine, paths, values of variables and proxies, and sizes of files. What is first says most. */
function comparable({ suite, targets, variants, against, prompts, plan, shard, ...others }: PlannedHeader | Run): Json {
  const { name, description, digest, declared } = suite;
  const { published, hold, limits, gate, scorers, reports } = others;
  return asJson({
    suite: { name, description, declared, digest },
    targets: targets.map(({ file, environment, ...target }) => target),
    variants: variants.map(({ proxy, ...variant }) => variant),
    against: against === null ? null : { ...against, environment: null, changedEnvironment: null },
    prompts: prompts.map(({ media, ...prompt }) => ({ ...prompt, media: media.map(({ bytes, ...medium }) => medium) })),
    ...{ gate, hold, limits, scorers, reports, plan, shard, published },
  });
}

/** What each machine wrote of the plan. Throws `FollowEnd`. */
export function partsOf(run: Run, whole: PreparedSuite, events: readonly JournalEvent[]): readonly WrittenPart[] {
  const { merged, createdAt } = run;
  if (merged === null) return [{ plan: shareOfRun(whole, run.shard).plan, events, createdAt, hasWarmups: true }];
  const known = new Set(merged.shards.flatMap(({ segments }) => segments));
  const stray = events.map(segmentOf).find((segment) => !known.has(segment));
  if (stray !== undefined) throw new FollowEnd('differs', `journal.jsonl: segment ${stray} is of no shard`);
  return merged.shards.map(({ index, segments, createdAt, concurrency }, at) => {
    const { plan, suite } = shareOfRun(whole, { index, of: merged.of });
    if (suite.load.concurrency !== concurrency)
      throw new FollowEnd('differs', `run.json: shard ${index} has another concurrency than its share`);
    const own = events.filter((event) => segments.includes(segmentOf(event)));
    return { plan, events: own, createdAt, hasWarmups: at === 0 };
  });
}

function segmentOf(event: JournalEvent): number {
  return event.event === 'sample' ? event.sample.segment : event.segment;
}
