import type { Fault } from '../kit/diagnostic.ts';
import { groupBy } from '../kit/grouping.ts';
import { ownValue } from '../kit/json.ts';
import { listed, listedInShort, plural, seconds } from '../kit/wording.ts';
import { isMeasured } from '../plan/plan.ts';
import type { PowerSaving, Unfitness } from '../record/calibration.ts';
import { FLEET_DRAINS_MS } from '../record/codes.ts';
import type { Abandonment, DiskFault, FailuresExceeded, Stop, Unreachable } from '../record/journal.ts';
import type { StoredRun } from '../record/kept-run.ts';
import { factsByDigest } from '../record/output-pairs.ts';
import type { UnscoredReason } from '../record/score.ts';
import type { KeyNames } from '../targets/secrets.ts';
import { effectiveOutcome } from './effective-outcome.ts';
import { hasNoAnswer, judgingsOf } from './scores/judging.ts';
import { isShown, scoreOf, scoringsOf } from './scores/scoring.ts';

interface WhyIncomplete {
  /** Null if the process was killed before it could record a reason. */
  readonly stop: Stop | null;
  readonly abandoned: readonly { readonly variant: string; readonly why: Abandonment }[];
  readonly shards: LackingShards | null;
}

interface LackingShards {
  readonly of: number;
  readonly missing: readonly number[];
  /** Stopped shards; `stop` is null if one was killed. */
  readonly stopped: readonly { readonly index: number; readonly stop: Stop | null }[];
}

export function whyIncomplete({ run, variants }: Analysed): WhyIncomplete {
  return {
    stop: run.stop,
    abandoned: variants.flatMap(({ name, abandoned }) =>
      abandoned === null ? [] : [{ variant: name, why: abandoned }],
    ),
    shards: run.shards === null ? null : lackingShards(run.shards),
  };
}

function lackingShards({ of, missing, merged }: AnalysedShards): LackingShards {
  return {
    of,
    missing,
    stopped: merged.flatMap(({ index, stop }) => (stop?.reason === 'finished' ? [] : [{ index, stop }])),
  };
}

interface Analysed {
  readonly run: { readonly stop: Stop | null; readonly shards: AnalysedShards | null };
  readonly variants: readonly { readonly name: string; readonly abandoned: Abandonment | null }[];
}

interface AnalysedShards extends Pick<LackingShards, 'of' | 'missing'> {
  readonly merged: LackingShards['stopped'];
}

const KILLED = 'the process was killed before it could record why';
const SHARDS_REMEDY =
  'resume each shard that ended early or is missing, on the machine that has its folder; run a shard without a folder with --shard and --run; copy the folders here, then merge all shards (retake merge --replace)';

function isLacking({ missing, stopped }: LackingShards): boolean {
  return missing.length > 0 || stopped.length > 0;
}

function lackingWords({ of, missing, stopped }: LackingShards): string {
  const [noun, verb] = missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  const absent = `${noun} ${listedInShort(missing.map(String))} of ${of} ${verb} missing`;
  const ended = stopped.map(
    ({ index, stop }) => `shard ${index} of ${of}: ${stop === null ? KILLED : stopCause(stop)}`,
  );
  return [...(missing.length === 0 ? [] : [absent]), ...ended].join('; ');
}

/** As a clause. */
export function incompleteCause({ stop, abandoned, shards }: WhyIncomplete): string {
  if (shards !== null && isLacking(shards)) return lackingWords(shards);
  if (stop === null) return KILLED;
  if (abandoned.length === 0) return stopCause(stop);
  if (stop.reason === 'finished') return abandonedWords(abandoned);
  // These failures stopped the run; the reasons of the variants show what to fix.
  return stop.reason === 'failures' ? `${stopCause(stop)}; ${abandonedWords(abandoned)}` : stopCause(stop);
}

function abandonedWords(abandoned: WhyIncomplete['abandoned']): string {
  const groups = [...groupBy(abandoned, ({ why }) => abandonedCause(why)).values()];
  const sentences = groups.map((group) => {
    const who = listedInShort(group.map(({ variant }) => variant));
    return `${who}: ${abandonedCause(group[0].why, group.length === 1 ? 'one' : 'several')}`;
  });
  return `left out ${sentences.join('; ')}`;
}

/** As a clause. */
export function incompleteRemedy({ stop, abandoned, shards }: WhyIncomplete): string {
  if (shards !== null && isLacking(shards)) return SHARDS_REMEDY;
  if (stop === null) return 'resume the run to measure the rest';
  const [first] = abandoned;
  return stop.reason === 'finished' && first !== undefined ? abandonedRemedy(first.why) : stopRemedy(stop);
}

/** Why a worker of a fleet stopped, as a clause without what only its record holds: messages, addresses. */
const IN_SHORT: Readonly<Record<Stop['reason'], string>> = {
  finished: 'some planned takes have no result',
  interrupted: 'interrupted',
  failures: 'too many takes failed',
  requests: 'it reached its part of limits.requests',
  usd: 'it reached its part of limits.usd',
  no_credit: 'the account has no credit left',
  throttled: 'the service rate-limited a request, and on_throttle is stop',
  unreachable: 'it cannot connect to the service',
  disk: 'the record cannot be written',
  descriptors: 'this process has no file descriptor left (EMFILE)',
  service: 'the reference service that Retake started ended unexpectedly',
  fleet: `the coordinator of the fleet ended the run, or did not answer for ${seconds(FLEET_DRAINS_MS)}`,
  defect: 'internal error in Retake',
};

/** @param reason of a stop; another is given as it is */
export function stopCauseInShort(reason: string): string {
  return ownValue<string>(IN_SHORT, reason) ?? reason;
}

/** What ended a run, and the remedy, as clauses. The first holds hostile text: messages of servers. */
const STOPS: {
  readonly [Reason in Stop['reason']]: (
    stop: Extract<Stop, { readonly reason: Reason }>,
  ) => readonly [cause: string, remedy: string];
} = {
  finished: () => [IN_SHORT.finished, 'see the warnings of the report'],
  interrupted: () => [IN_SHORT.interrupted, 'resume the run to measure the rest'],
  failures: (stop) => [
    failuresWords(stop),
    'see the failures in the report, fix their cause, then resume the run or begin a new one',
  ],
  requests: ({ limit }) => [
    `the limit of ${plural(limit, 'request')} was reached`,
    'raise limits.requests, then resume the run',
  ],
  usd: ({ limitUsd }) => [`the limit of ${limitUsd} USD was reached`, 'raise limits.usd, then resume the run'],
  no_credit: ({ variant, message }) => [
    `${variant}: ${IN_SHORT.no_credit} (${message})`,
    'add credit to the account, then resume the run',
  ],
  throttled: ({ variant }) => [
    `${variant}: ${IN_SHORT.throttled}`,
    'lower load.concurrency, or set on_throttle to wait',
  ],
  unreachable: (stop) => [unreachableWords(stop), unreachableRemedy(stop)],
  disk: (stop) => [diskWords(stop), `${DISK_REMEDIES[stop.code] ?? 'free disk space'}, then resume the run`],
  descriptors: () => [IN_SHORT.descriptors, 'raise the limit (ulimit -n), or lower load.concurrency'],
  service: ({ signal, exitCode }) => [
    `${IN_SHORT.service} (${signal ?? `exit code ${exitCode ?? 'unknown'}`})`,
    'resume the run; if the service ends again, please report it',
  ],
  fleet: ({ code }) => [
    code === 'told'
      ? 'the coordinator of the fleet ended the run'
      : `the coordinator of the fleet did not answer for ${seconds(FLEET_DRAINS_MS)}`,
    'resume this shard to measure the rest, then merge the shards',
  ],
  defect: ({ message }) => [`${IN_SHORT.defect}: ${message}`, 'please report it'],
};

const wordsOf = (stop: Stop) => (STOPS[stop.reason] as (stop: Stop) => readonly [cause: string, remedy: string])(stop);

/** As a clause. Holds hostile text: messages of servers. */
export const stopCause = (stop: Stop): string => wordsOf(stop)[0];

/** As a clause. */
export const stopRemedy = (stop: Stop): string => wordsOf(stop)[1];

const DISK_REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'put the folder back',
  ENOTDIR: 'put the folder back',
  EACCES: 'give permission to write to it',
  EPERM: 'give permission to write to it',
  EROFS: 'make the disk writable',
  EFBIG: 'raise the limit on file sizes (ulimit -f)',
  EDQUOT: 'make room in your quota',
  EIO: 'check the disk',
};

function diskWords({ path, code }: DiskFault): string {
  const what = code === 'ENOENT' || code === 'ENOTDIR' ? 'the folder of the run is gone' : IN_SHORT.disk;
  return `${what}${path === null ? '' : `: ${path}`} (${code})`;
}

export function failuresWords({ failed, samples, limit }: FailuresExceeded): string {
  const percent = Math.round(limit * 1000) / 10;
  return `${failed} of ${plural(samples, 'take')} failed, more than limits.failures (${percent} %) allows, and not by chance`;
}

/** As a clause; the server's message is not shortened. */
export function abandonedCause(why: Abandonment, of: 'one' | 'several' = 'one'): string {
  switch (why.code) {
    case 'refused_warmup':
      return `${of === 'one' ? 'its warm-up was' : 'their warm-ups were'} rejected with HTTP ${why.httpStatus} (${why.errorCode}): ${why.message}`;
    case 'rejected': {
      const status = why.httpStatus === null ? '' : `, HTTP ${why.httpStatus}`;
      return `${of === 'one' ? 'its' : 'their'} first ${plural(why.takes, 'take')} were all rejected (${why.errorCode}${status}): ${why.message}`;
    }
    case 'unreachable':
      return unreachableWords(why);
  }
}

/** As a clause. */
export function abandonedRemedy(why: Abandonment): string {
  switch (why.code) {
    case 'refused_warmup':
    case 'rejected':
      return (
        keyRemedy(why.httpStatus, why.keys ?? null) ??
        'fix its target, const or inputs as the server message says; retake try shows one call'
      );
    case 'unreachable':
      return unreachableRemedy(why);
  }
}

/** As a clause, if the key may be the cause; else null. */
export function keyRemedy(httpStatus: number | null, keys: KeyNames | null): string | null {
  if (httpStatus !== 401 && httpStatus !== 403) return null;
  if (keys === null || keys.all.length === 0) return 'check the key of its target, and the permissions of that key';
  if (keys.unset.length === 0) return `check the value of ${listed(keys.all)}, and the permissions of that key`;
  const are = keys.unset.length === 1 ? 'it is' : 'they are';
  return `set ${listed(keys.unset)}: ${are} not set, so the request had no key`;
}

function unreachableWords({ failure, origin, variable, waitedMs }: Unreachable): string {
  const where = variable === null ? origin : `${origin} (${variable})`;
  const how = waitedMs === 0 ? failure : `${failure}, waited ${seconds(waitedMs)}`;
  if (failure === 'connect_refused') return `nothing listens at ${where} (${how})`;
  if (failure === 'dns_failed') return `the host name in ${where} does not resolve (${how})`;
  if (failure === 'proxy_auth') return `the proxy ${where} wants a valid user and password (${how})`;
  if (failure.startsWith('proxy_')) return `no request gets through the proxy ${where} (${how})`;
  return `cannot connect to ${where} (${how})`;
}

function unreachableRemedy({ failure, variable }: Unreachable): string {
  if (failure.startsWith('proxy_')) return `correct ${variable ?? 'the proxy'}, or name the host in NO_PROXY`;
  const address = variable ?? 'base_url of the variant or of its target';
  return `${connectionRemedy(failure) ?? 'start the server'}, or set ${address}`;
}

/** As a clause, if no connection can be opened; null for other failures. */
export function connectionRemedy(failure: string): string | null {
  if (failure === 'connect_refused') return 'start the server';
  if (failure === 'dns_failed') return 'correct the host name';
  if (failure === 'tls_failed') return 'check the certificate of the server';
  return failure.startsWith('connect_') ? 'check that this machine can reach the server' : null;
}

/** `when`: whether the machine was checked just now, or before the reported run. */
export function unfitnessWords(unfitness: Unfitness, when: 'now' | 'before'): Fault & { readonly what: string } {
  switch (unfitness.code) {
    case 'late_wake': {
      const { lateMs, statistic, n, limitMs } = unfitness;
      const measured = `${statistic === 'p99' ? 'p99' : 'maximum'} of ${n} wake-ups`;
      return {
        what: `this machine ${when === 'now' ? 'wakes' : 'woke'} threads late: an idle thread ran up to ${lateMs.toFixed(1)} ms late (${measured}; the limit is ${limitMs} ms)`,
        cause: 'other work uses the processor when replies are timestamped',
        remedy: 'close other programs, or use an idle machine, then run again',
      };
    }
    case 'overloaded':
      return {
        what: `this machine ${when === 'now' ? 'is' : 'was'} overloaded: load average ${unfitness.loadAverage.toFixed(1)} on ${plural(unfitness.cores, 'core')}`,
        cause: 'in the last minute, more threads were ready to run than there are cores',
        remedy: 'wait until other work has ended, or use an idle machine',
      };
    case 'saves_power':
      return {
        what: `this machine ${when === 'now' ? 'saves' : 'saved'} power: ${powerSavingWords(unfitness.by)}`,
        cause: 'the processor is slowed down, and speeds up late when a reply arrives',
        remedy: 'plug it in and set it to full speed (cpupower frequency-set -g performance), then run again',
      };
  }
}

function powerSavingWords(by: PowerSaving): string {
  switch (by.code) {
    case 'governor':
      return `the governor of its processor is ${by.governor}`;
    case 'energy_preference':
      return 'its processor prefers saving energy over speed';
    case 'platform_profile':
      return `its platform profile is ${by.profile}`;
    case 'battery':
      return 'it runs on battery';
  }
}

/** The program did not start: its takes are scored next time. */
const NOT_ASKED: ReadonlySet<string> = new Set<UnscoredReason['code']>(['command_failed', 'no_first_line']);

/** Takes that a declared program has not scored yet, and pairs that a judge has not compared. */
export function unscoredTakes({
  run,
  samples,
  facts,
  scores,
}: Pick<StoredRun, 'run' | 'samples' | 'facts' | 'scores'>): number {
  const declared = (run.scorers ?? []).filter(({ use }) => use === 'command').map(({ name }) => name);
  const scorings = scoringsOf(run.scorers ?? [], scores).filter(({ scorer }) => declared.includes(scorer.name));
  const declaredJudges = new Set((run.scorers ?? []).map(({ name }) => name));
  const unjudged = judgingsOf({ run, samples, facts, scores })
    .filter(({ scorer }) => declaredJudges.has(scorer.name))
    .flatMap(({ pairs }) => pairs.filter(({ identical, answers }) => !identical && answers.some(hasNoAnswer))).length;
  if (scorings.length === 0) return unjudged;
  const known = factsByDigest(facts);
  const unscored = samples
    .filter(({ trial }) => isMeasured(trial))
    .map((sample) => effectiveOutcome(sample, known, null))
    .filter(isShown)
    .filter((take) =>
      scorings.some((scoring) => {
        const score = scoreOf(scoring, take);
        return score === null || ('why' in score && NOT_ASKED.has(score.why.code));
      }),
    ).length;
  return unjudged + unscored;
}
