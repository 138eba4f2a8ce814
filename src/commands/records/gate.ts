import { dirname, resolve } from 'node:path';
import { stabilityOfVariants, type VariantStability } from '../../analysis/stability.ts';
import { overPrompts, type SequentialRatio, sequentialRatios, type TwoRuns, unfitOf } from '../../analysis/two-runs.ts';
import { recordedAnswer } from '../../report/run-answer.ts';
import { stabilitySentences } from '../../report/sameness-statement.ts';
import { renderVerdict } from '../../report/terminal.ts';
import { renderTwoRuns } from '../../report/two-runs.ts';
import { assessRun } from '../../workflow/assess-run.ts';
import { loadHistory } from '../../workflow/history.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { gate } from '../declared/record-commands.ts';
import { annotate } from '../display/conclude.ts';
import { NOT_EXAMINED } from '../display/print.ts';
import { writeVerdict } from '../display/publish.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type GateArguments = ArgumentsOf<typeof gate>;

/** `retake gate`: the verdict on a run, from its record alone. Writes verdict.json. */
export async function gateCommand(args: GateArguments, edge: Edge): Promise<ExitCode> {
  return withRun(args.run, { saysLatest: !args.quiet }, edge, (folder) => decideGate(folder, args, edge));
}

async function decideGate(folder: string, { baseline, json, quiet }: GateArguments, edge: Edge): Promise<ExitCode> {
  const chosen = baseline === undefined ? 'of_suite' : { file: resolve(edge.cwd, baseline) };
  const { record, analysed, comparisons, against, examined, ...decided } = await assessRun(
    folder,
    { quiet, baseline: chosen },
    edge,
  );
  const source = { analysis: analysed.analysis, comparisons, verdict: decided.verdict };
  const verdict = { ...decided.verdict, ...recordedAnswer(source) };
  await writeVerdict(folder, verdict);
  const { variants } = analysed.analysis;
  let beside: BesideBaseline | null = null;
  if (baseline !== undefined && against !== null) {
    const lines = await loadHistory(dirname(folder), edge);
    const measured = { cells: against.cells, measures: overPrompts(analysed.analysis) };
    const sequential = sequentialRatios(against.baseline, measured, record.run.plan.load, {
      pair: [against.baseline.run, record.run.id],
      lines,
    });
    const unfit = unfitOf(record.run.id, analysed.analysis);
    beside = { unfit, sequential, stability: stabilityOfVariants(against, variants, verdict.rules) };
  }
  if (json) edge.out.write(`${JSON.stringify({ ...verdict, ...beside })}\n`);
  else edge.out.write(renderVerdict(source, edge.out));
  if (!json && beside !== null && against !== null) {
    const { unfit, sequential, stability } = beside;
    for (const sentence of stabilitySentences({ stability, verdict, analysis: analysed.analysis }))
      printSentence(edge.out, sentence);
    const sides = { before: against.baseline.run, after: record.run.id };
    edge.out.write(`\n${renderTwoRuns({ ...sides, unfit, latency: sequential }, edge.out)}`);
  }
  annotate(verdict, edge);
  if (!verdict.complete) edge.say('the run is incomplete: retake report says why');
  if (!examined) edge.say(NOT_EXAMINED);
  return examined ? verdict.exitCode : EXIT.incomplete;
}

/** The comparison with the named stored baseline; no rule decides it. */
interface BesideBaseline {
  readonly unfit: TwoRuns['unfit'];
  readonly sequential: readonly SequentialRatio[];
  readonly stability: readonly VariantStability[];
}
