import { renderTwoRuns } from '../../report/two-runs.ts';
import { compareNamed } from '../../workflow/assess-run.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { NOT_EXAMINED } from '../display/print.ts';

interface CompareArguments {
  readonly a: string;
  readonly b: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `retake compare`: latency, errors, blocked takes, scores and usual outputs of two runs. Decides nothing. */
export async function compareCommand({ a, b, json, quiet }: CompareArguments, edge: Edge): Promise<ExitCode> {
  const { found, earlier, later } = await compareNamed(a, b, { quiet }, edge);
  for (const { examined } of [earlier, later]) if (!examined) printSentence(edge.err, NOT_EXAMINED);
  edge.out.write(json ? `${JSON.stringify(found)}\n` : renderTwoRuns(found, edge.out));
  return EXIT.ok;
}
