/* Before a build: says what to do where the dependencies are not installed, instead of what the shell says of a missing program. */
import { existsSync } from 'node:fs';

const compiler = new URL('../node_modules/typescript/package.json', import.meta.url);
if (!existsSync(compiler)) {
  console.error('The dependencies are not installed: run "npm ci" first.');
  process.exit(2);
}
