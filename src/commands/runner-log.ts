import { withoutCommands } from '../text/workflow-commands.ts';
import type { Edge, TextSink } from './edge.ts';

/**
 * How a stream is written to: in a job of GitHub Actions nothing that is written acts on the job but our own commands.
 *
 * @param write writes to the stream
 */
export function toRunner(
  env: Edge['env'],
  write: (text: string) => void,
): Required<Pick<TextSink, 'write' | 'command'>> {
  if (env.GITHUB_ACTIONS !== 'true') return { write, command: undefined };
  const guarded = withoutCommands();
  return { write: (text) => write(guarded(text)), command: (line) => write(`${line}\n`) };
}
