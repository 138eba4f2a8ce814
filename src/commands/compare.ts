import { metricsOf } from '../analysis/metrics.ts';
import { compareRuns } from '../compare/baseline/two-runs.ts';
import { twoRunsSentences } from '../report/statements/two-runs-statement.ts';
import { refused } from '../suite/document/diagnostic.ts';
import { visibleLine } from '../text/visible.ts';
import { NOT_EXAMINED, printDiagnostics } from './display/print.ts';
import { type Edge, EXIT, type ExitCode } from './edge.ts';
import { assessNamed } from './setup/assess-named.ts';

export interface CompareArguments {
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * `retake compare`: two runs, one after the other, by the cells that both have: latency, errors and blocked takes, and whether
 * the usual outputs still match.
 * Decides nothing.
 */
export async function compareCommand({ a, b, json, quiet }: CompareArguments, edge: Edge): Promise<ExitCode> {
  const earlier = await assessNamed(a, { quiet }, edge);
  if (!earlier.ok) return printDiagnostics(edge, earlier.diagnostics);
  const later = await assessNamed(b, { quiet }, edge);
  if (!later.ok) return printDiagnostics(edge, later.diagnostics);
  for (const { examined } of [earlier.value, later.value]) if (!examined) edge.err.write(`${NOT_EXAMINED}\n`);
  const [one, other] = [earlier.value, later.value].map(({ record, analysed }) => ({ run: record.run, analysed }));
  if (one === undefined || other === undefined) throw new Error('two runs are compared');
  const found = compareRuns(one, other, metricsOf([]));
  if (found.commonCells === 0) {
    const refusal = refused(`${a} and ${b} have no cell in common`, 'name two runs of one suite');
    return printDiagnostics(edge, refusal.diagnostics);
  }
  if (json) edge.out.write(`${JSON.stringify(found)}\n`);
  else for (const sentence of twoRunsSentences(found)) edge.out.write(`${visibleLine(sentence)}\n`);
  return EXIT.ok;
}
