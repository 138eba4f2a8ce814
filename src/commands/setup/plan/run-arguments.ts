import type { LookKind } from '../../../plan/planned-looks.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { chooseLooks, type LookArguments } from './choose-looks.ts';
import { type RunName, readLabel, readRunName } from './take-share.ts';

/** What a new run is asked for beside its suite. */
export interface NewRunArguments extends LookArguments {
  /** The name of the run. */
  readonly run?: string | undefined;
  /** What tells the run from others: kept in its record, and shown. */
  readonly label?: string | undefined;
  /** Of a run that is resumed. */
  readonly resendUnknown: boolean;
}

/** The same, checked. */
export interface NewRun {
  readonly named: RunName;
  readonly label: string | null;
  readonly looks: LookKind | null;
}

/** Reads what a new run is asked for: alike where it is only shown (`--dry-run`). */
export function readNewRun(args: NewRunArguments): Checked<NewRun> {
  if (args.resendUnknown) {
    return refused('--resend-unknown needs --resume', 'add --resume with the folder of the run');
  }
  const named = readRunName(args.shard, args.run);
  if (!named.ok) return named;
  const label = readLabel(args.label);
  if (!label.ok) return label;
  const looks = chooseLooks(args);
  return looks.ok ? { ok: true, value: { named: named.value, label: label.value, looks: looks.value } } : looks;
}
