import { refusal } from '../../kit/diagnostic.ts';
import { lockRecord } from '../../record/store.ts';
import { type RunArguments, readNewRun } from '../../workflow/run-arguments.ts';
import { resumeSuite, runSuite } from '../../workflow/run-suite.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { run } from '../declared/measuring-commands.ts';
import { showRun } from '../display/show-run.ts';
import type { Edge, ExitCode } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';
import { out } from '../line/options.ts';

/** `retake run`: measures a suite, or a shard's share of it, into a new record, examines, analyses and reports it. */
export async function runCommand(args: RunArguments, edge: Edge): Promise<ExitCode> {
  return runSuite(args, readNewRun(args), showRun(args, edge), edge);
}

/** With the options of a new run, which are refused. */
type ResumeArguments = ArgumentsOf<typeof run> & { readonly resume: string };

/** `retake run --resume`: continues a run that ended early; what has an answer is not sent again. */
export async function resumeCommand(args: ResumeArguments, edge: Edge): Promise<ExitCode> {
  const ofNewRun = {
    '--out': args.out !== out.out.default,
    '--shard': args.shard,
    '--run': args.run,
    '--label': args.label,
    '--vantage': args.vantage,
    '--confirm': args.confirm,
    '--until-decided': args.untilDecided,
  };
  const [given] = Object.entries(ofNewRun).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (given !== undefined) {
    const cause = `--resume cannot be used with ${given}`;
    throw refusal(cause, `remove ${given}: the record says how the run began`);
  }
  return withRun(args.resume, { lock: lockRecord }, edge, (folder) =>
    resumeSuite(folder, args, showRun(args, edge), edge),
  );
}
