// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/*
 * Before tsc, bundles the modules of a client/ folder into the script of a page, and writes it as a module with one string; likewise
 * each style sheet `NAME.css` as `NAME-css.ts`. Git ignores these files. Names stay as they were written, for whoever reads the source
 * of a page.
 */

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

/** Each script, and the module that it begins with. */
const ALL = {
  'page/client-script.ts': 'page/client/main.ts',
  'markup/times-script.ts': 'markup/client/times.ts',
  'page/compare-script.ts': 'page/client/compare-runs.ts',
  'view/pages/parts/follow-script.ts': 'view/pages/client/follow.ts',
  'view/voting-script.ts': 'view/pages/client/vote.ts',
};

/** Those of parts that are there. */
const SCRIPTS = Object.fromEntries(Object.entries(ALL).filter(([, entry]) => existsSync(join(source, entry))));

const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
// What an earlier build wrote may not be among them any more. Others may have such a name too.
for (const file of files.filter((file) => /-(?:css|script)\.ts$/.test(file))) {
  const isBuilt = /^export const (?:CSS|SCRIPT) = "/.test(readFileSync(join(source, file), 'utf8'));
  if (isBuilt && !(file.replaceAll('\\', '/') in SCRIPTS)) rmSync(join(source, file));
}
for (const file of files.filter((file) => file.endsWith('.css'))) {
  const css = readFileSync(join(source, file), 'utf8');
  writeFileSync(join(source, file.replace('.css', '-css.ts')), `export const CSS = ${JSON.stringify(css)};\n`);
}
await Promise.all(
  Object.entries(SCRIPTS).map(async ([script, entry]) => {
    const bundle = await rolldown({ input: join(source, entry), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'iife', comments: false, minify: false });
    await bundle.close();
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`${entry} makes more than one file`);
    // rolldown names the source of each module in a comment; a page does not need it.
    const code = chunk.code.replace(/^\s*\/\/(?:#(?:end)?region| src\/).*\n/gm, '');
    writeFileSync(join(source, script), `export const SCRIPT = ${JSON.stringify(code)};\n`);
  }),
);
