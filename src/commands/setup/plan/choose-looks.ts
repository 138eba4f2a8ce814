import type { LookKind } from '../../../plan/planned-looks.ts';
import { LOOK_FLAGS } from '../../../prepare/refuse-looks.ts';
import { type Checked, refused } from '../../../suite/document/diagnostic.ts';

export interface LookArguments {
  readonly confirm?: boolean | undefined;
  readonly untilDecided?: boolean | undefined;
  readonly shard?: string | undefined;
}

/** Null: the gate is decided once. */
export function chooseLooks({ confirm = false, untilDecided = false, shard }: LookArguments): Checked<LookKind | null> {
  if (confirm && untilDecided) {
    return refused(
      '--confirm and --until-decided cannot be used together',
      'use --confirm to measure all cells, and again if undecided; or --until-decided to measure them in parts',
    );
  }
  const chosen: LookKind | null = confirm ? 'confirm' : untilDecided ? 'until_decided' : null;
  if (chosen !== null && shard !== undefined) {
    return refused(
      `${LOOK_FLAGS[chosen]} cannot be used with --shard: a shard alone cannot decide the gate`,
      `remove ${LOOK_FLAGS[chosen]} or --shard`,
    );
  }
  return { ok: true, value: chosen };
}

export function refuseGateless(kind: LookKind): Extract<Checked<never>, { readonly ok: false }> {
  const flag = LOOK_FLAGS[kind];
  return refused(
    `${flag} needs a gate rule that can be decided before the run ends, and this suite has none`,
    `add a rule with max_increase, max_decrease, max_rise or a max of a rate or latency, or remove ${flag}`,
  );
}
