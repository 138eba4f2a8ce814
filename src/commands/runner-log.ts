import { withoutCommands } from '../text/workflow-commands.ts';
import type { Edge, TextSink } from './edge.ts';

/**
 * In a job of GitHub Actions, only our own commands may act on the job.
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
