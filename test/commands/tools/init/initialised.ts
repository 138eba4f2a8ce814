import { exitCodeOf } from '../../../../src/commands/display/print.ts';
import { type InitArguments, initCommand } from '../../../../src/commands/tools/init.ts';
import { freshFolder } from '../../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../../fixtures/memory-edge.ts';

export type Given = Partial<InitArguments>;

/** What `retake init` says and writes; without a terminal, so nobody is asked. */
export async function init(args: Given, cwd = freshFolder(), edge = memoryEdge(cwd)) {
  const usual = { file: 'suite.yaml', model: [], const: [], serverFiles: [] };
  const code = await exitCodeOf(() => initCommand({ ...usual, ...args }, edge), edge);
  return { code, stdout: edge.stdout(), stderr: edge.stderr(), cwd };
}
