import { trialCosts } from '../../../plan/estimate.ts';
import { findShareFault, MOST_SHARDS, type Shard, type ShareFault, shareOf } from '../../../plan/share.ts';
import type { Trial } from '../../../plan/trial.ts';
import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import { isRunName } from '../../../record/model/run-name.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { clipped } from '../../../text/text-width.ts';
import { visibleLine } from '../../../text/visible.ts';
import { plural } from '../../../text/wording.ts';

/** What one process measures: a suite, or a shard's share of it. */
export interface PreparedRun extends PreparedSuite {
  /** Null: all of the suite and plan. */
  readonly shard: (Shard & { readonly whole: WholeRun }) | null;
}

export type WholeRun = Pick<PreparedSuite, 'suite' | 'plan' | 'skippedProbes'>;

export interface RunName {
  /** From `--run`; null: a new one. */
  readonly run: string | null;
  /** Null: the whole plan. */
  readonly shard: Shard | null;
}

/** A shard needs the name of its run, because otherwise every machine would make up its own. */
export function readRunName(shard: string | undefined, run: string | undefined): Checked<RunName> {
  if (run !== undefined && !isRunName(run)) {
    return refused(
      `--run "${run}" is not a valid name of a run`,
      'use letters, digits, ".", "_" and "-", 100 at most, beginning with a letter or digit, and not ending as a shard does (-3of8)',
    );
  }
  const read = readShard(shard);
  if (!read.ok) return read;
  if (read.value !== null && run === undefined) {
    return refused(
      '--shard needs --run, the name that all shards of the run have in common',
      'add for example --run 20261121T210000Z-7f3a',
    );
  }
  return { ok: true, value: { run: run ?? null, shard: read.value } };
}

const LONGEST_LABEL = 100;

/** `--label`: one line of text. Null: none. */
export function readLabel(text: string | undefined): Checked<string | null> {
  if (text === undefined) return { ok: true, value: null };
  const label = text.trim();
  if (label !== '' && label.length <= LONGEST_LABEL && visibleLine(label) === label) return { ok: true, value: label };
  return refused(
    `--label "${clipped(text, LONGEST_LABEL)}" is not a valid label`,
    `write 1 to ${LONGEST_LABEL} visible characters in one line, such as eu-west`,
  );
}

/** `--shard`: `3/8`. Null: none. */
export function readShard(text: string | undefined): Checked<Shard | null> {
  if (text === undefined) return { ok: true, value: null };
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= MOST_SHARDS) return { ok: true, value: { index, of } };
  return refused(
    `--shard "${text}" is not a valid share`,
    `write k/n with k from 1 to n, and n at most ${MOST_SHARDS}: --shard 3/8`,
  );
}

export function takeShare(prepared: PreparedSuite, shard: Shard | null): Checked<PreparedRun> {
  if (shard === null) return { ok: true, value: { ...prepared, shard } };
  const { suite, plan, skippedProbes } = prepared;
  const costOf = trialCosts(prepared.variants, suite.cases);
  const mostUsdOf = (trial: Trial): number => {
    const bounds = costOf(trial);
    return typeof bounds === 'string' ? 0 : bounds.mostUsd;
  };
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

function faultWords(fault: ShareFault, { of }: Shard): readonly [cause: string, remedy: string] {
  switch (fault.code) {
    case 'sweep':
      return [
        'a sweep cannot be split into shards: a step fixes the concurrency of the whole run',
        'run it without --shard, or set load.concurrency to one number',
      ];
    case 'load_probe':
      return [
        'the probe load cannot be split into shards: some of its requests must be alone at the service',
        'leave load out of probes, or run without --shard',
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
