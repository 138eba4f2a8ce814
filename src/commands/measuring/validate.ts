import type { Diagnostic } from '../../kit/diagnostic.ts';
import { valueAt } from '../../kit/document.ts';
import { visibleLine } from '../../kit/visible.ts';
import { plural } from '../../kit/wording.ts';
import { utcDay } from '../../run/clock.ts';
import { findSuite, loadTarget } from '../../run/declared-files.ts';
import { loadDocument } from '../../suite/load-suite.ts';
import { endFaults } from '../../targets/inputs.ts';
import { planSuite } from '../../workflow/plan-suite.ts';
import { scorersOf } from '../../workflow/sources.ts';
import type { validate } from '../declared/measuring-commands.ts';
import { describeAgainst, leftOutProbes } from '../display/left-out.ts';
import { describeScorers } from '../display/plan/describe-plan.ts';
import { printDiagnostics, printWarnings } from '../display/print.ts';
import { type Edge, EXIT, type ExitCode, printText } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type ValidateArguments = ArgumentsOf<typeof validate>;

/** `retake validate`: checks suites, with all they name, and targets; reports every error. Sends nothing. */
export async function validateCommand(args: ValidateArguments, edge: Edge): Promise<ExitCode> {
  const { files, quiet } = args;
  let faults = 0;
  // Errors in a file of several suites are reported once.
  const reported = new Set<string>();
  for (const file of files) {
    const checked = await validateFile(file, args, edge, reported);
    if (checked.ok) {
      if (!quiet) printText(edge.out, `${visibleLine(file)}: ${checked.says}\n`);
      continue;
    }
    faults += checked.faults;
  }
  return faults === 0 ? EXIT.ok : EXIT.misuse;
}

type Validated = { readonly ok: true; readonly says: string } | { readonly ok: false; readonly faults: number };

async function validateFile(
  file: string,
  { against, allowOutside }: ValidateArguments,
  edge: Edge,
  reported: Set<string>,
): Promise<Validated> {
  const suiteFile = findSuite(file, edge.cwd);
  if (!suiteFile.ok) return failed(edge, suiteFile.diagnostics, reported);
  const document = await loadDocument(suiteFile.value, edge.cwd);
  if (!document.ok) return failed(edge, document.diagnostics, reported);
  // Only a target file has this key; everything else is checked as a suite.
  if (valueAt(document.value.value, ['target']) !== undefined) {
    const target = await loadTarget(document.value, { ...edge, allowOutside });
    if (!target.ok) return failed(edge, target.diagnostics, reported);
    const { id, constants } = target.value;
    const ends = endFaults(`${id}: its default `, target.value, constants, utcDay());
    const warnings = ends.map(({ cause, remedy }) => ({ place: null, cause, remedy }));
    printWarnings(edge, [...(target.warnings ?? []), ...warnings]);
    return { ok: true, says: `target ${target.value.id} is valid` };
  }
  const prepared = await planSuite(file, { set: [], against, allowOutside }, edge);
  if (!prepared.ok) return failed(edge, prepared.diagnostics, reported);
  const { suite, variants, plan, skippedProbes } = prepared.value;
  printWarnings(edge, prepared.warnings);
  const counts = `${plural(variants.length, 'variant')}, ${plural(plan.requests, 'request')}`;
  const left = [
    ...describeAgainst(prepared.value.against, variants),
    ...leftOutProbes(skippedProbes),
    ...describeScorers(scorersOf(prepared.value)),
  ].map((sentence) => `\n  ${sentence}`);
  return { ok: true, says: `suite ${suite.name} is valid (${counts})${left.join('')}` };
}

function failed(edge: Edge, diagnostics: readonly Diagnostic[], reported: Set<string>): Validated {
  const fresh = diagnostics.filter((diagnostic) => !reported.has(JSON.stringify(diagnostic)));
  for (const diagnostic of fresh) reported.add(JSON.stringify(diagnostic));
  printDiagnostics(edge, fresh);
  return { ok: false, faults: diagnostics.length };
}
