import { checked, refuseFile } from '../../kit/diagnostic.ts';
import { printDiagnostics } from '../display/print.ts';
import { scoreTheRest } from '../display/resumption.ts';
import type { Command, Edge } from '../edge.ts';
import { askedScorers } from './program-scorers.ts';
import type { MeasuredOutputs } from './score-and-show.ts';

/**
 * Asks about the outputs of a run that was measured. Null, or the command that asks about those not scored, which names
 * the suite unless it is found.
 */
export async function scoreMeasured(
  outputs: MeasuredOutputs & { readonly suiteToName: string | null },
  options: { readonly quiet: boolean },
  edge: Edge,
): Promise<Command | null> {
  const uses = askedScorers(outputs.scorers).map(({ use }) => use);
  if (uses.length === 0) return null;
  const theRest = scoreTheRest(outputs.folder, uses, outputs.suiteToName, edge.cwd);
  if (edge.drain.aborted) return theRest;
  // Loaded only after measuring.
  const { scoreAndShow } = await import('./score-and-show.ts');
  const scored = await checked(() => scoreAndShow(outputs, options, edge)).catch(refuseFile);
  if (!scored.ok) {
    printDiagnostics(edge, scored.diagnostics);
    return theRest;
  }
  const { complete, failed } = scored.value;
  // A judge that did not answer may later; a program that failed is a fault of the user's.
  return complete && !failed.some(({ scorer }) => scorer.use === 'judge') ? null : theRest;
}
