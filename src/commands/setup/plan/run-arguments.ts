import type { LookKind } from '../../../plan/planned-looks.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';
import { chooseLooks, type LookArguments } from './choose-looks.ts';
import { type RunName, readLabel, readRunName } from './take-share.ts';

export interface NewRunArguments extends LookArguments {
  readonly run?: string | undefined;
  /** For people; kept in the record. */
  readonly label?: string | undefined;
  /** Only for `--resume`. */
  readonly resendUnknown: boolean;
}

export interface NewRun {
  readonly named: RunName;
  readonly label: string | null;
  readonly looks: LookKind | null;
}

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
