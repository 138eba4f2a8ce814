// @ts-check
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The text of a module that has a script of a page as a string: the modules of a client/ folder bundled into one. It is the same on
 * every version of Node. Names stay as they were written, for whoever reads the source of a page.
 *
 * @param {string} entry the module that the script begins with, from src/
 */
export async function clientModule(entry) {
  const bundle = await rolldown({ input: join(root, 'src', entry), platform: 'browser' });
  try {
    const { output } = await bundle.generate({ format: 'iife', comments: false, minify: false });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error('the script of the page is one file');
    // rolldown names the source of each module in a comment.
    const code = chunk.code.replace(/^\s*\/\/#(?:end)?region.*\n/gm, '');
    return `// Made from client/ by npm run client.\n\n/** The page's one script. */\nexport const SCRIPT = ${templateOf(code)};\n`;
  } finally {
    await bundle.close();
  }
}

/**
 * A text as a template literal.
 *
 * @param {string} text
 */
function templateOf(text) {
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\``;
}
