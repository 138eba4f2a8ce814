import { z } from 'zod';
import { checkDocument } from '../kit/check.ts';
import type { Checked, Diagnostic } from '../kit/diagnostic.ts';
import { diagnoseAt, parseDocument } from '../kit/document.ts';
import { type BehaviourEffect, type Condition, EFFECTS, type EffectName, WHEN } from './behaviour/effects.ts';

/** The faults that a behaviour file declares. */
export interface Behaviour {
  readonly seed: number;
  readonly rules: readonly Rule[];
}

export interface Rule {
  readonly name: string;
  readonly when: Condition;
  readonly effect: BehaviourEffect;
}

const EFFECT_NAMES = Object.keys(EFFECTS) as EffectName[];

const ruleSchema = z
  .strictObject(EFFECTS)
  .partial()
  .extend({ name: z.string().min(1).optional(), when: WHEN.default({}) });
const fileSchema = z.strictObject({
  behaviour: z.literal(1),
  seed: z.int().min(0).max(4294967295).default(1),
  rules: z.array(ruleSchema),
});

/** @param file the name that diagnostics print */
export function parseBehaviour(text: string, file: string): Checked<Behaviour> {
  const document = parseDocument(file, text);
  if (!document.ok) return document;
  const declared = checkDocument(document.value, fileSchema);
  if (!declared.ok) return declared;
  const rules: Rule[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, { name, when, ...effects }] of declared.value.rules.entries()) {
    const refuse = (cause: string, remedy: string) =>
      diagnostics.push(diagnoseAt(document.value, ['rules', index], { cause, remedy }));
    const kinds = EFFECT_NAMES.filter((kind) => effects[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      const kindWords = kinds.length === 0 ? 'none' : kinds.join(' and ');
      refuse(`a rule has one effect, this one has ${kindWords}`, 'write a rule for each');
      continue;
    }
    const same = rules.filter((rule) => rule.effect.kind === kind).length;
    const unique = name ?? (same === 0 ? kind : `${kind}-${same + 1}`);
    if (rules.some((rule) => rule.name === unique)) {
      refuse(`another rule is named "${unique}"`, 'give this one a name of its own');
    }
    // The schema of this kind checked the settings, which the compiler cannot follow through a computed key.
    rules.push({ name: unique, when, effect: { kind, settings: effects[kind] } as BehaviourEffect });
  }
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  return { ok: true, value: { seed: declared.value.seed, rules } };
}
