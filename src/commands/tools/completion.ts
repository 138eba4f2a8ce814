import yargs from 'yargs';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';

/** `retake completion`: the script of yargs for the shell. */
export async function completionCommand({ out }: Pick<Edge, 'out'>): Promise<ExitCode> {
  const script = yargs().scriptName('retake').completion('completion');
  script.parse(['completion'], {}, (_error, _argv, text) => out.write(`${text}\n`));
  return EXIT.ok;
}
