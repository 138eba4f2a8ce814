import { createRequire } from 'node:module';
import { type Edge, printSentence } from '../../workflow/edge.ts';
import type { CommandName } from './examples.ts';

/** What decodes, compares or makes images; the others work without sharp. */
const OF_IMAGES: ReadonlySet<CommandName> = new Set([
  'run',
  'work',
  'try',
  'report',
  'score',
  'vote',
  'merge',
  'gate',
  'inspect',
  'calibrate',
  'serve',
]);

/**
 * Whether a command can work on this machine; if not, says why. npm counts the binary of sharp as optional, and without
 * it every output of a run would count as damaged.
 */
export async function hasImages(command: CommandName, { err }: Pick<Edge, 'err'>): Promise<boolean> {
  if (!OF_IMAGES.has(command) || hasBinary()) return true;
  try {
    await import('sharp');
    return true;
  } catch (error) {
    // sharp names its package first, then errors other than "not found", then what may help.
    const [, why = ''] = error instanceof Error ? error.message.split('\n') : [];
    const cause = why === '' || why.startsWith('Possible') ? 'its binary for this machine is not installed' : why;
    const remedy = 'run npm install --include=optional in the folder that has node_modules';
    printSentence(
      err,
      `retake ${command} needs sharp, the package for images, which does not load: ${cause}; ${remedy}`,
    );
    return false;
  }
}

/** Whether a package with the binary is there. Loaded into the process that measures, it makes receiving images slower. */
function hasBinary(): boolean {
  const { resolve } = createRequire(import.meta.url);
  return ['', 'musl'].some((libc) => {
    try {
      const sharp = createRequire(resolve('sharp'));
      return sharp.resolve(`@img/sharp-${process.platform}${libc}-${process.arch}/sharp.node`) !== '';
    } catch {
      return false;
    }
  });
}
