// @ts-check
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/* Before tsc, lists the parts that are there of those that a run can do without. Git ignores the list. */

const commands = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src', 'commands');
const present = ['fleet', 'score', 'service', 'view'].filter((part) => existsSync(join(commands, part)));
const lines = [
  ...present.map((part) => `import { PART as ${part} } from './${part}/part.ts';`),
  "import type { OptionalPart } from './line/declare.ts';",
  '',
  `export const PRESENT: readonly OptionalPart[] = [${present.join(', ')}];`,
];
writeFileSync(join(commands, 'present-parts.ts'), `${lines.join('\n')}\n`);
