import { resolve } from 'node:path';
import { recordedAnswer } from '../../report/run-answer.ts';
import { renderVerdict } from '../../report/terminal.ts';
import { assessRun } from '../../workflow/assess-run.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { gate } from '../declared/record-commands.ts';
import { annotate } from '../display/conclude.ts';
import { NOT_EXAMINED } from '../display/print.ts';
import { writeVerdict } from '../display/publish.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type GateArguments = ArgumentsOf<typeof gate>;

/** `retake gate`: the verdict on a run, from its record alone. Writes verdict.json. */
export async function gateCommand(args: GateArguments, edge: Edge): Promise<ExitCode> {
  return withRun(args.run, { saysLatest: !args.quiet }, edge, (folder) => decideGate(folder, args, edge));
}

async function decideGate(folder: string, { baseline, json, quiet }: GateArguments, edge: Edge): Promise<ExitCode> {
  const chosen = baseline === undefined ? 'of_suite' : { file: resolve(edge.cwd, baseline) };
  const { analysed, comparisons, examined, ...decided } = await assessRun(folder, { quiet, baseline: chosen }, edge);
  const source = { analysis: analysed.analysis, comparisons, verdict: decided.verdict };
  const verdict = { ...decided.verdict, ...recordedAnswer(source) };
  await writeVerdict(folder, verdict);
  edge.out.write(json ? `${JSON.stringify(verdict)}\n` : renderVerdict(source, edge.out));
  annotate(verdict, edge);
  if (!verdict.complete) edge.say('the run is incomplete: retake report says why');
  if (!examined) edge.say(NOT_EXAMINED);
  return examined ? verdict.exitCode : EXIT.incomplete;
}
