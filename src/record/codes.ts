import type { Shard } from '../plan/share.ts';
import type { Marks } from '../targets/recorded.ts';

export const OUTCOMES = [
  'ok',
  'moderated',
  'throttled',
  'no_credit',
  'rejected',
  'error',
  'timed_out',
  'unknown_charged',
  'invalid_media',
  'cancelled',
  'dropped',
  'defect',
] as const;
/** results/README.md describes each. */
export type Outcome = (typeof OUTCOMES)[number];

/** The other outcomes are failures; analysis tells blank and undecodable outputs apart too. */
export const NO_FAILURE: ReadonlySet<Outcome> = new Set(['ok', 'moderated', 'cancelled', 'dropped']);

/** Start of a sample's call; for a dropped sample the time it was due. */
export function beganMs({
  marks,
}: {
  readonly marks: Marks | { readonly startedMs?: never; readonly scheduledMs: number };
}): number {
  return marks.startedMs ?? marks.scheduledMs;
}

/** `neither`: both are equally good. `skip`: the voter cannot say. */
export const VOTE_CHOICES = ['left', 'right', 'neither', 'skip'] as const;
export type VoteChoice = (typeof VOTE_CHOICES)[number];

/** Worse copies of an output. A scorer whose values have a direction must find one kind of them. */
export const CONTROLS = ['blurred', 'jpeg', 'other_prompt'] as const;
export type Control = (typeof CONTROLS)[number];

/** Outputs that are copied for each kind; with fewer, none is copied. */
export const CONTROL_SAMPLES = 16;

/** What a gate says of a run, the most urgent first. */
export const GATE_VERDICTS = ['fail', 'inconclusive', 'pass_unfit', 'pass', 'none'] as const;

/** What a run is asked. */
export const RUN_QUESTIONS = ['claim', 'changed', 'swap', 'slower', 'load', 'worth', 'edits', 'alone'] as const;

export const FOLDER_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

const OF_SHARD = /-\d+of\d+$/;

/** Name of a run or shard, and of its folder. */
export function runId(run: string, shard: Shard | null): string {
  return shard === null ? run : `${run}-${shard.index}of${shard.of}`;
}

/** Refuses names of shards. */
export function isRunName(text: string): boolean {
  return FOLDER_NAME.test(text) && !OF_SHARD.test(text);
}

export function isShardName(name: string): boolean {
  return OF_SHARD.test(name);
}

/** The run of a shard; a whole run gives its own name. */
export function wholeRunOf(name: string): string {
  return name.replace(OF_SHARD, '');
}

/** Stays 1 until the first release; until then its meaning may change. */
export const RUN_FORMAT = 1;

export const BASELINE_FORMAT = 1;

export const HISTORY_FORMAT = 1;

/** Limit of logarithms in history.jsonl, positive or negative: e^100 exceeds any measure. */
export const MOST_LN = 100;

/** More processes than ever resume one run. */
export const MOST_SEGMENTS = 1e9;

/**
 * A worker of a fleet whose coordinator is silent for so long sends nothing more: a run that nobody can stop must end.
 */
export const FLEET_DRAINS_MS = 20_000;

/** A worker that is not heard for so long is lost; longer than `FLEET_DRAINS_MS`, so that it has drained by then. */
export const FLEET_LOST_MS = 30_000;

/** What two shards of a run can differ in, causes before consequences: another place often has other variables. */
export const IDENTITY_KINDS = [
  'version',
  'suite',
  'against',
  'vantage',
  'target',
  'variable',
  'left_out',
  'plan',
] as const;
