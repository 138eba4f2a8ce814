import { constants, existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, fileFaultOf, Refused, refusal } from '../../../kit/diagnostic.ts';
import { commandLine } from '../../../kit/wording.ts';
import { makeFolder } from '../../../record/own-files.ts';
import { type Answers, isVideo, type KeyPlace, type OwnEndpoint, REPLIES } from './endpoint.ts';
import { suiteText } from './suite-text.ts';

import { fillTemplate } from './template.ts';
import { yamlText } from './yaml-text.ts';

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

function ownTargetId({ name }: Pick<Answers, 'name'>): string {
  const endpoint = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return `own/${endpoint === '' ? 'endpoint' : endpoint}`;
}

interface TargetPlaces {
  /** Relative to the working folder. */
  readonly file: string;
  /** The published schema, relative to the file; null if its path would only hold on this machine. */
  readonly schema: string | null;
}

/** Field names that were not asked for are the usual ones, marked for checking. */
function targetText(
  { kind, baseUrl, path, reply, encoding, key, seed }: OwnEndpoint,
  answers: Pick<Answers, 'name' | 'models'>,
  { file, schema }: TargetPlaces,
): string {
  const [model] = answers.models;
  const form = encoding === 'multipart';
  return fillTemplate('target.yaml', {
    schema,
    try: commandLine(['retake', 'try', file, '--bodies']),
    id: ownTargetId(answers),
    kind,
    baseUrl: yamlText(baseUrl),
    key: key.in === 'none' ? null : keyValues(key),
    model: model === undefined ? null : yamlText(model),
    claim: seed === 'none' ? null : seed,
    path: yamlText(path),
    encoding,
    form,
    imageFilter: kind === 'image-to-video' ? (form ? 'file' : 'data_uri') : null,
    ...Object.fromEntries(REPLIES.map((each) => [each, each === reply])),
    media: isVideo(kind) ? 'video/*' : 'image/*',
    pollPath: JSON.stringify(`${path.replace(/\/+$/, '')}/\${job.id}`),
    pollEvery: isVideo(kind) ? '1s' : '250ms',
    downloads: reply === 'url' || reply === 'job',
    pricedPer: isVideo(kind) ? 'second' : 'output',
  });
}

function keyValues(key: Exclude<KeyPlace, { in: 'none' }>) {
  const { secret } = key;
  return key.in === 'bearer'
    ? { secret, in: 'header', name: 'Authorization', scheme: 'Bearer ' }
    : { secret, in: key.in, name: yamlText(key.name), scheme: '' };
}
