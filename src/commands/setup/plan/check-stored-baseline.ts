import { needsKeptOutputs } from '../../../compare/gate/rule-cases.ts';
import { type Checked, diagnoseFrom } from '../../../suite/document/diagnostic.ts';
import type { Suite } from '../../../suite/format/suite.ts';
import { sourceOfKey } from './plan-gate.ts';

/**
 * Checks, before anything is charged, that the stored baseline fits the rules that need one. Without a stored baseline
 * they are undecided.
 * @param suiteFolder `results/<suite>`
 */
export async function checkStoredBaseline(
  suiteFolder: string,
  { gate }: Pick<Suite, 'gate'>,
): Promise<Checked<unknown>> {
  const rules = gate.filter(({ rule }) => needsKeptOutputs(rule));
  if (rules.length === 0) return { ok: true, value: null };
  const [{ findBaseline, findBaselineRun }, { comparesMedia }, { ruleFaultWords }] = await Promise.all([
    import('../../../record/baseline-file.ts'),
    import('../../../compare/baseline/stability.ts'),
    import('../../../report/words/gate/rule-fault-words.ts'),
  ]);
  const baseline = await findBaseline(suiteFolder);
  if (!baseline.ok || baseline.value === null) return baseline;
  if ((await findBaselineRun(suiteFolder, baseline.value)) !== null) return baseline;
  const { run } = baseline.value;
  const diagnostics = rules
    .filter(({ rule }) => comparesMedia(rule))
    .map((declared) => {
      const fault = { code: 'stability_needs_media', metric: declared.rule.metric, run } as const;
      return diagnoseFrom(sourceOfKey(declared, 'metric'), ruleFaultWords(fault));
    });
  return diagnostics.length === 0 ? baseline : { ok: false, diagnostics };
}
