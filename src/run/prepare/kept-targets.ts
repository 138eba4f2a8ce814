import type { Checked, Diagnostic } from '../../kit/diagnostic.ts';
import type { Baseline } from '../../record/kept-run.ts';
import { keptDocument } from '../../suite/declare-judges.ts';
import { parseTarget } from '../../targets/parse-target.ts';
import type { Target } from '../../targets/target.ts';

/** What a record or a stored baseline keeps of its variants and targets. */
interface Kept {
  readonly variants: readonly { readonly name: string; readonly target: string }[];
  readonly targets: readonly Pick<Baseline['targets'][number], 'id' | 'declared' | 'storedBody'>[];
}

/**
 * Targets by the references of a suite's variants, parsed again from the documents that are kept. `file` names these in
 * diagnostics; `remedy` says what to do where one is missing.
 */
export function keptTargets(
  kept: Kept,
  variants: readonly { readonly name: string; readonly target: string }[],
  env: Readonly<Record<string, string | undefined>>,
  { file, remedy }: { readonly file: string; readonly remedy: string },
): Checked<ReadonlyMap<string, Target>> {
  const targets = new Map<string, Target>();
  const diagnostics: Diagnostic[] = [];
  for (const { name, target: reference } of variants) {
    if (targets.has(reference)) continue;
    // A variant that was left out has no target in the record.
    const id = kept.variants.find((variant) => variant.name === name)?.target ?? reference;
    const found = kept.targets.find((target) => target.id === id);
    if (found === undefined) {
      diagnostics.push({ place: null, cause: `the target of ${name} is missing`, remedy });
      continue;
    }
    const body = found.storedBody === null ? null : keptDocument(file, found.storedBody);
    const target = parseTarget(keptDocument(file, found.declared), env, body);
    if (target.ok) targets.set(reference, target.value);
    else diagnostics.push(...target.diagnostics);
  }
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: targets };
}
