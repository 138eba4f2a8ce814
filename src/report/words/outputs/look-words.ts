import type { Verdict } from '../../../compare/gate/verdict.ts';
import type { LookKind, PlannedLooks } from '../../../plan/planned-looks.ts';
import { count, plural } from '../../../text/wording.ts';

/** `16 case-seeds, 96 takes` until this look. A confirmation measures all case-seeds from the first part on. */
export function lookWords(kind: LookKind, caseSeeds: number, takes: number): string {
  return kind === 'confirm' ? plural(takes, 'take') : `${plural(caseSeeds, 'case-seed')}, ${plural(takes, 'take')}`;
}

/** How often a gate was looked at, and which takes its verdict is about, without a full stop; null of one look. */
export function looksSentence({ looks, verdict }: Pick<Verdict, 'looks' | 'verdict'>): string | null {
  if (looks === null) return null;
  const { kind, of, made, alphas, early, caseSeeds, plannedCaseSeeds, takes, plannedTakes } = looks;
  const each = alphasWords(alphas);
  if (!early) return `${made === of ? `All ${count(of)}` : `${count(made)} of ${count(of)}`} looks were made, ${each}`;
  const after =
    kind === 'confirm'
      ? `${count(takes)} of ${plural(plannedTakes, 'take')}`
      : `${count(caseSeeds)} of ${plural(plannedCaseSeeds, 'case-seed')}`;
  const at = `at look ${count(made)} of ${count(of)} (${each}), after ${after}`;
  return verdict === 'inconclusive'
    ? `Ended ${at}; no further part could decide a rule`
    : `Decided ${at}; the verdict covers only these`;
}

/**
 * The share of the error rate for each look: `each at alpha 0.0125`, or `look 3 at alpha 0.0114, look 4 at alpha
 * 0.0386; those before come after too few takes to decide`.
 */
export function alphasWords(alphas: readonly number[]): string {
  const words = (alpha: number) => `alpha ${Number(alpha.toPrecision(3))}`;
  if (alphas.every((alpha) => alpha === alphas[0])) return `each at ${words(alphas[0] ?? 0)}`;
  const decide = alphas.flatMap((alpha, at) => (alpha === 0 ? [] : [`look ${count(at + 1)} at ${words(alpha)}`]));
  const none = alphas.flatMap((alpha, at) => (alpha === 0 ? [count(at + 1)] : []));
  const few = none.length === 0 ? '' : `; too few takes to compare variants at look ${none.join(', ')}`;
  return `${decide.join(', ')}${few}`;
}

/** Follows `4 prompts x 3 seeds x 3 takes`; empty for a plan in one part. */
export function partsNote(looks: PlannedLooks | null): string {
  if (looks === null) return '';
  return looks.kind === 'confirm'
    ? ', all once more if the gate is undecided'
    : `, in up to ${count(looks.of)} parts until the gate is decided`;
}
