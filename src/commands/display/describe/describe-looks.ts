import { alphasOf } from '../../../compare/gate/alpha.ts';
import { caseSeedsOf, trialsInAll } from '../../../plan/plan.ts';
import type { PlannedLooks } from '../../../plan/planned-looks.ts';
import { alphasWords, lookWords } from '../../../report/words/outputs/look-words.ts';
import { plural } from '../../../text/wording.ts';

export function describeLooks(looks: PlannedLooks | null): readonly string[] {
  if (looks === null) return [];
  const { kind, of, parts } = looks;
  return [
    `Looks: the gate is looked at after each of ${of} parts (${alphasWords(alphasOf(looks))}); the next part is sent only while the gate is undecided`,
    ...parts.map((part, at) => {
      const meaning = at === 0 ? ' (a prompt with a seed, for all variants)' : '';
      const what = kind === 'confirm' && at > 0 ? 'the same again' : `${plural(part.caseSeeds, 'case-seed')}${meaning}`;
      const until = parts.slice(0, at + 1);
      const sum =
        at === 0 ? '' : `; ${lookWords(kind, caseSeedsOf({ kind, parts: until }), trialsInAll(until))} in all`;
      return `  part ${at + 1}: ${what}, ${plural(trialsInAll([part]), 'take')}${sum}`;
    }),
  ];
}
