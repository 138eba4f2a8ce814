import { refusal } from '../kit/diagnostic.ts';
import { clipped } from '../kit/text-width.ts';
import { visibleLine } from '../kit/visible.ts';
import type { AskedLooks } from '../plan/recorded-plan.ts';
import { MOST_SHARDS, type Shard } from '../plan/share.ts';
import { FOLDER_NAME, isRunName } from '../record/codes.ts';
import { LOOK_FLAGS } from '../run/prepare-suite.ts';

export interface LookArguments {
  readonly confirm?: boolean | undefined;
  readonly untilDecided?: boolean | undefined;
  readonly shard?: string | undefined;
}

export interface NewRunArguments extends LookArguments {
  readonly run?: string | undefined;
  /** For people; kept in the record. */
  readonly label?: string | undefined;
  /** Where calls are sent from; kept in the record. */
  readonly vantage?: string | undefined;
  /** Only for `--resume`. */
  readonly resendUnknown: boolean;
}

export interface MeasureArguments {
  /** Absent: that of the run which is resumed. */
  readonly suite?: string | undefined;
  readonly set: readonly string[];
  /** The file of a stored baseline whose variants are sent again. */
  readonly against?: string | undefined;
  /** Whether the suite may name files outside its folder. */
  readonly allowOutside?: boolean | undefined;
  /** Origins for what only a stored baseline asks for. */
  readonly allowOrigin: readonly string[];
  /** Whether scorers may start programs. */
  readonly allowCommands: boolean;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

export interface RunArguments extends MeasureArguments, NewRunArguments {
  readonly suite: string;
  readonly out: string;
}

export interface RunName {
  /** Null: a name is made. */
  readonly run: string | null;
  /** Null: the whole plan. */
  readonly shard: Shard | null;
}

export interface NewRun {
  readonly named: RunName;
  readonly label: string | null;
  readonly vantage: string | null;
  readonly looks: AskedLooks | null;
}

export function readNewRun(args: NewRunArguments): NewRun {
  if (args.resendUnknown) {
    throw refusal('--resend-unknown needs --resume', 'add --resume with the folder of the run');
  }
  return {
    named: readRunName(args.shard, args.run),
    label: readLabel(args.label),
    vantage: readVantage(args.vantage),
    looks: chooseLooks(args),
  };
}

/** A shard needs --run: otherwise every machine would make up its own name. */
function readRunName(shard: string | undefined, run: string | undefined): RunName {
  if (run !== undefined && !isRunName(run)) {
    throw refusal(
      `--run "${run}" is not a valid name of a run`,
      'use letters, digits, ".", "_" and "-", 100 at most, beginning with a letter or digit, and not ending as a shard does (-3of8)',
    );
  }
  const named = { run: run ?? null, shard: readShard(shard) };
  if (named.shard !== null && run === undefined) {
    throw refusal(
      '--shard needs --run, the name that all shards of the run have in common',
      'add for example --run 20261121T210000Z-7f3a',
    );
  }
  return named;
}

const LONGEST_LABEL = 100;

function readLabel(text: string | undefined): string | null {
  if (text === undefined) return null;
  const label = text.trim();
  if (label !== '' && label.length <= LONGEST_LABEL && visibleLine(label) === label) return label;
  throw refusal(
    `--label "${clipped(text, LONGEST_LABEL)}" is not a valid label`,
    `write 1 to ${LONGEST_LABEL} visible characters in one line, such as build-7`,
  );
}

const LONGEST_SHOWN = 100;

/** Null: no vantage. */
function readVantage(text: string | undefined): string | null {
  if (text === undefined || FOLDER_NAME.test(text)) return text ?? null;
  throw refusal(
    `--vantage "${clipped(text, LONGEST_SHOWN)}" is not a valid name of a place`,
    'use letters, digits, ".", "_" and "-", 100 at most, beginning with a letter or digit, such as eu',
  );
}

/** Null: no shard. */
export function readShard(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= MOST_SHARDS) return { index, of };
  throw refusal(
    `--shard "${text}" is not a valid share`,
    `write k/n with k from 1 to n, and n at most ${MOST_SHARDS}: --shard 3/8`,
  );
}

/** Null: the gate is decided once. */
export function chooseLooks({ confirm = false, untilDecided = false, shard }: LookArguments): AskedLooks | null {
  if (confirm && untilDecided) {
    throw refusal(
      '--confirm and --until-decided cannot be used together',
      'use --confirm to measure all takes, and again if the gate is not decided; or --until-decided to measure them in parts',
    );
  }
  const chosen: AskedLooks | null = confirm ? 'confirm' : untilDecided ? 'until_decided' : null;
  if (chosen !== null && shard !== undefined) {
    throw refusal(
      `${LOOK_FLAGS[chosen]} cannot be used with --shard: a shard alone cannot decide the gate`,
      `remove ${LOOK_FLAGS[chosen]} or --shard`,
    );
  }
  return chosen;
}
