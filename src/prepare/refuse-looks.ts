import type { LooksFault } from '../plan/looks.ts';
import type { LookKind } from '../plan/planned-looks.ts';
import { type Checked, refused } from '../suite/document/diagnostic.ts';

export const LOOK_FLAGS = { confirm: '--confirm', until_decided: '--until-decided' } as const;

export function refuseLooks(fault: LooksFault, kind: LookKind): Extract<Checked<never>, { readonly ok: false }> {
  const flag = LOOK_FLAGS[kind];
  switch (fault.code) {
    case 'open_load':
      return refused(
        `${flag} needs closed load: open load sends each variant once, at its own times`,
        `set load.mode to closed, or remove ${flag}`,
      );
    case 'sweep':
      return refused(
        `${flag} needs one concurrency, and this load sweeps over several`,
        `set load.concurrency to one number, or remove ${flag}`,
      );
    case 'too_few_case_seeds':
      return refused(
        `${flag} needs at least ${fault.needs} prompts x seeds, and this suite has ${fault.caseSeeds}`,
        'add prompts or seeds, or use --confirm',
      );
  }
}
