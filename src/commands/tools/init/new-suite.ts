import { constants, existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, fileFaultOf, Refused, refusal } from '../../../kit/diagnostic.ts';
import { makeFolder } from '../../../record/own-files.ts';
import type { Answers } from './endpoint.ts';
import { suiteText } from './suite-text.ts';
import { ownTargetId, targetText } from './target-text.ts';

const SUITE_SCHEMA = fileURLToPath(new URL('../../../../suites/suite.schema.json', import.meta.url));
const TARGET_SCHEMA = fileURLToPath(new URL('../../../../suites/target.schema.json', import.meta.url));
const IMAGE = fileURLToPath(new URL('../../../../suites/inputs/fox.jpg', import.meta.url));

interface NewSuite {
  readonly files: readonly NewFile[];
  /** The target's name for `retake try`. */
  readonly tried: string;
}

/** @param file the suite's, relative to `cwd` */
export function newSuite(answers: Answers, file: string, cwd: string): NewSuite {
  const folder = dirname(file).split('\\').join('/');
  const { endpoint } = answers;
  const files: NewFile[] = [];
  let target: string;
  let tried: string;
  if (endpoint.by === 'preset') {
    target = endpoint.target;
    tried = target;
  } else {
    target = ownTargetId(answers);
    tried = posix.join(folder, 'targets', `${target}.yaml`);
    const places = { file: tried, schema: schemaPath(TARGET_SCHEMA, resolve(cwd, dirname(tried))) };
    files.push({ path: tried, content: { text: targetText(endpoint, answers, places) } });
  }
  const image = endpoint.kind === 'image-to-video' ? 'inputs/fox.jpg' : null;
  if (image !== null && !existsSync(resolve(cwd, folder, image))) {
    files.push({ path: posix.join(folder, image), content: { copyOf: IMAGE } });
  }
  const schema = schemaPath(SUITE_SCHEMA, resolve(cwd, folder));
  files.push({ path: file, content: { text: suiteText(answers, { file, tried, target, image, schema }) } });
  return { files, tried };
}

/** The path to a schema of this package; null if it would only hold on this machine. */
function schemaPath(schema: string, folder: string): string | null {
  const modules = schema.lastIndexOf(join('/', 'node_modules', '/'));
  if (modules < 0) return null;
  const below = relative(schema.slice(0, modules), folder).split('\\').join('/');
  if (below === '..' || below.startsWith('../../')) return null;
  const path = relative(folder, schema).split('\\').join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

interface NewFile {
  /** Relative to the working folder. */
  readonly path: string;
  readonly content: { readonly text: string } | { readonly copyOf: string };
}

/** Writes nothing if one of them exists. */
export async function writeNewFiles(files: readonly NewFile[], cwd: string): Promise<void> {
  const there = files.filter(({ path }) => existsSync(resolve(cwd, path)));
  if (there.length > 0) throw existRefusal(there.map(({ path }) => path));
  for (const { path, content } of files) {
    const absolute = resolve(cwd, path);
    try {
      makeFolder(dirname(absolute));
      // Exclusive: another process may have written it meanwhile, and the check above does not see a link to nothing.
      if ('text' in content) await writeFile(absolute, content.text, { flag: 'wx' });
      else await copyFile(content.copyOf, absolute, constants.COPYFILE_EXCL);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw existRefusal([path]);
      const fault = fileFaultOf(error);
      if (fault === null) throw error;
      throw refusal(`cannot write ${path} (${fault.code})`, fault.remedy);
    }
  }
}

export function existRefusal(paths: readonly string[]): Refused {
  const remedy = 'retake init never overwrites a file: name another one, or move it away';
  return new Refused(paths.map((path) => ({ place: null, cause: `${path} exists`, remedy })));
}
