import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { checkDocument, leftOf, type StandIn } from '../kit/check.ts';
import {
  type Checked,
  type CheckedInPart,
  codeOf,
  type Diagnostic,
  type Fault,
  formatPlace,
  unreadable,
} from '../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path, parseDocument, sourceAt } from '../kit/document.ts';
import { type Expanded, expandEnvironment, findSecrets } from '../kit/environment.ts';
import { applyOverrides } from '../kit/set.ts';
import { declareClaims, refuseClaims } from './declare/claims.ts';
import { declareGate, declareProbes, refuseHold, refuseProbes } from './declare/declare-load.ts';
import { declareScorers, neededFiles } from './declare/declare-scorers.ts';
import {
  draftInline,
  findCutPrompts,
  findMappedPrompts,
  findRepeatedPrompts,
  imagesOf,
  type PromptDraft,
  resolveCases,
  sourcesOf,
} from './declare/prompts.ts';
import { declareLevels, declareVariants, refuseLevels } from './declare/variants.ts';
import { declareJudges } from './declare-judges.ts';
import { expandSeeds, type SuiteFile, suiteSchema } from './format/schema.ts';
import { type CaseMedia, MediaReader } from './input-media.ts';
import { type Containment, findOutside, type LoadedText, loadText, MIB, readText, shownPath } from './named-file.ts';
import { parsePrompts } from './prompt-files/prompt-file.ts';
import type { RefuseEntry } from './prompt-files/prompt-row.ts';
import type { Suite } from './suite.ts';

const MOST_DOCUMENT_BYTES = 8 * MIB;
const MOST_PROMPT_FILE_BYTES = 64 * MIB;

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values of `--set`, in order: `load.concurrency=8`. */
  readonly overrides: readonly string[];
  /** Default: only files in its folder. */
  readonly allowOutside?: boolean | undefined;
  /** Base of paths of the command line; files below it are shown relative to it. */
  readonly cwd: string;
}

/**
 * Loads a suite with its prompt files and input images, without its targets. Gives all errors it can find, or the suite
 * with its defaults. `Suite.file` is relative to `cwd` if below it.
 */
export async function loadSuite(
  path: string,
  { env, overrides, allowOutside = false, cwd }: LoadOptions,
): Promise<CheckedInPart<Suite>> {
  const loaded = await loadDocument(path, cwd);
  if (!loaded.ok) return loaded;
  const overridden = applyOverrides(loaded.value, overrides);
  if (!overridden.ok) return overridden;
  const within: Containment = allowOutside ? 'anywhere' : [resolve(cwd, dirname(loaded.value.file))];
  return declareSuite(overridden.value, env, async (document, file) => ({
    refused: await refuseCommands(document, file, within, cwd),
    cases: await loadCases(document, file, within, cwd),
  }));
}

/** What the files that a suite names give, and what is wrong with those of scorers. */
export type ReadSuiteFiles = (
  document: Document,
  file: SuiteFile,
) => Promise<{ readonly refused: readonly Diagnostic[]; readonly cases: CheckedInPart<SuiteCases> }>;

export type SuiteCases = Pick<Suite, 'cases' | 'files'>;

/** The suite that a document declares. Reads nothing itself. */
export async function declareSuite(
  written: Document,
  env: LoadOptions['env'],
  readFiles: ReadSuiteFiles,
): Promise<CheckedInPart<Suite>> {
  const expanded = expandEnvironment(written, env);
  const source = expanded.ok ? expanded.value.document : written;
  const checked = checkDocument(source, suiteSchema);
  const wrong = joined(
    [...(expanded.ok ? [] : expanded.diagnostics), ...(checked.ok ? [] : findMappedPrompts(source))],
    checked.ok ? [] : checked.diagnostics,
  );
  const left = checked.ok ? { document: source, value: checked.value } : leftOf(source, suiteSchema, standIn);
  if (!expanded.ok || left === null) return { ok: false, diagnostics: wrong };

  const { document, value: file } = left;
  const refused = [...wrong, ...findSecrets(document)];
  refused.push(...refuseLevels(document, file));
  const variants = declareVariants(document, file.variants, declareLevels(file.levels));
  if (!variants.ok) refused.push(...variants.diagnostics);
  refused.push(...refuseProbes(document, file), ...refuseClaims(document, file), ...refuseHold(document, file));
  const scorers = declareScorers(document, written, file.scorers, env);
  if (!scorers.ok) refused.push(...scorers.diagnostics);
  const files = await readFiles(document, file);
  refused.push(...files.refused);
  const { cases } = files;
  if (!cases.ok) refused.push(...cases.diagnostics);
  const asked = cases.ok ? cases.value : cases.rest;
  if (!variants.ok || !scorers.ok || asked === undefined) return { ok: false, diagnostics: refused };
  const read = { variants: variants.value, ...asked, scorers: scorers.value };
  const suite = assemble(written, { document, used: expanded.value.used }, file, read);
  if (!cases.ok || refused.length > 0) return { ok: false, diagnostics: refused, rest: suite };
  return {
    ok: true,
    value: suite,
    warnings: [...(cases.warnings ?? []), ...findCutPrompts(document), ...findRepeatedPrompts(suite.cases)],
  };
}

/** Keeps the places of other items in a list. The rest of a prompt has no meaning. */
function standIn([list, index, ...inside]: Path): StandIn | null {
  if (list === 'prompts' && index !== undefined) return { at: [list, index], value: 'a prompt' };
  const isRule = list === 'gate' && index !== undefined && inside.length === 0;
  return isRule ? { at: [list, index], value: { metric: 'error_rate', none: 'error' } } : null;
}

/** One YAML or JSON document, such as a target file; `path` is relative to `cwd`. */
export async function loadDocument(path: string, cwd: string): Promise<Checked<Document>> {
  const read = await loadText(path, cwd, MOST_DOCUMENT_BYTES);
  return read.ok ? parseDocument(read.value.file, read.value.text) : read;
}

/** Finds missing files of scorers before requests are charged. */
async function refuseCommands(
  document: Document,
  { scorers }: SuiteFile,
  within: Containment,
  cwd: string,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const [name, scorer] of Object.entries(scorers)) {
    if (scorer.use !== 'command') continue;
    for (const index of neededFiles(scorer.command)) {
      const path = resolve(cwd, dirname(document.file), scorer.command[index] ?? '');
      // Reports nothing about scripts elsewhere, so that a suite cannot explore the machine.
      if (index > 0 && (await findOutside(path, within, 'the suite')) !== null) continue;
      const fault = await findUnusable(path, index === 0 ? constants.X_OK : constants.R_OK);
      if (fault === null) continue;
      const cause = `cannot ${index === 0 ? 'start' : 'read'} ${shownPath(path, cwd)}: ${fault.cause}`;
      diagnostics.push(diagnoseAt(document, ['scorers', name, 'command', index], { cause, remedy: fault.remedy }));
    }
  }
  return diagnostics;
}

async function findUnusable(path: string, wanted: number): Promise<Fault | null> {
  try {
    if (!(await stat(path)).isFile()) return { cause: 'it is not a file', remedy: 'name a file' };
    await access(path, wanted);
    return null;
  } catch (error) {
    if (codeOf(error) !== 'EACCES' || wanted === constants.R_OK) return unreadable(error);
    return {
      cause: 'it is not executable',
      remedy: 'make it executable (chmod +x), or write its interpreter before it',
    };
  }
}

async function loadCases(
  document: Document,
  suite: SuiteFile,
  within: Containment,
  cwd: string,
): Promise<CheckedInPart<SuiteCases>> {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const drafts: PromptDraft[] = [];
  for (const [index, entry] of suite.prompts.entries()) {
    if (typeof entry === 'string' || !('from' in entry)) {
      drafts.push(draftInline(document, index, entry));
      continue;
    }
    const path = resolve(cwd, dirname(document.file), entry.from);
    const refuse: RefuseEntry = (key, cause, remedy) =>
      diagnoseAt(document, ['prompts', index, ...key], { cause, remedy });
    const read = await readPrompts(path, within, cwd);
    if ('cause' in read) {
      files.add(path);
      diagnostics.push(refuse(['from'], `cannot read ${shownPath(read.at, cwd)}: ${read.cause}`, read.remedy));
      continue;
    }
    for (const { file } of read) files.add(resolve(cwd, file));
    const prompts = parsePrompts(read, entry, refuse);
    // One by one: a call takes at most some 100,000 arguments.
    if (prompts.ok) {
      for (const draft of prompts.value) drafts.push(draft);
      warnings.push(...(prompts.warnings ?? []));
    } else for (const diagnostic of prompts.diagnostics) diagnostics.push(diagnostic);
  }

  const media = new Map<PromptDraft, CaseMedia>();
  const reader = new MediaReader(within, cwd);
  for (const draft of drafts) {
    const { image, images, mask, refuse } = draft;
    if (image === null && images === null && mask === null) continue;
    if (image !== null && images !== null) {
      diagnostics.push(refuse('image', '"image" and "images" exclude each other', 'keep one of them'));
      continue;
    }
    const named = { images: imagesOf(draft), mask, folder: resolve(cwd, dirname(draft.file)) };
    const at = (field: 'images' | 'mask') => (field === 'images' && images === null ? 'image' : field);
    const read = await reader.read({ ...named, refuse: (field, ...fault) => refuse(at(field), ...fault) });
    if (read.ok) media.set(draft, read.value);
    else diagnostics.push(...read.diagnostics);
  }
  for (const path of reader.files()) files.add(path);

  const cases = resolveCases(drafts, media, suite.inputs);
  if (!cases.ok) diagnostics.push(...cases.diagnostics);
  const usable = drafts.filter(
    (draft) => draft.text.trim() !== '' && (media.has(draft) || (imagesOf(draft).length === 0 && draft.mask === null)),
  );
  if (!cases.ok || diagnostics.length > 0) {
    const rest = usable.length === drafts.length ? cases : resolveCases(usable, media, suite.inputs);
    return { ok: false, diagnostics, rest: { cases: rest.ok ? rest.value : [], files: [...files] } };
  }
  return { ok: true, value: { cases: cases.value, files: [...files] }, warnings };
}

/**
 * A file of prompts, or those of a folder ordered by the bytes of their names; or a fault. In the last part of the
 * absolute `path`, "*" matches any characters except a leading dot.
 */
async function readPrompts(
  path: string,
  within: Containment,
  cwd: string,
): Promise<readonly LoadedText[] | (Fault & { readonly at: string })> {
  const folder = dirname(path);
  const [start = '', end] = basename(path).split('*');
  const list = async () => (await findOutside(folder, within, 'the suite')) ?? readdir(folder).catch(unreadable);
  const paths = end === undefined ? [start] : await list();
  if ('cause' in paths) return { at: path, ...paths };
  const isNamed = (name: string, rest = '') =>
    name.length >= start.length + rest.length && name.startsWith(start) && name.endsWith(rest);
  const names = paths.filter((name) => isNamed(name, end) && (start !== '' || !name.startsWith('.')));
  const read: LoadedText[] = [];
  let bytes = 0;
  for (const name of names.map((text) => Buffer.from(text)).sort(Buffer.compare)) {
    const at = join(folder, name.toString());
    const text = (await findOutside(at, within, 'the suite')) ?? (await readText(at, MOST_PROMPT_FILE_BYTES));
    if (typeof text !== 'string') return { at, ...text };
    bytes += Buffer.byteLength(text);
    const cause = `its files are larger than ${MOST_PROMPT_FILE_BYTES / MIB} MiB`;
    if (bytes > MOST_PROMPT_FILE_BYTES) return { at: path, cause, remedy: 'name fewer of them' };
    read.push({ file: shownPath(at, cwd), text });
  }
  if (read.length > 0) return read;
  return { at: path, cause: 'no file has such a name', remedy: 'correct the folder or the name' };
}

function assemble(
  declared: Document,
  { document, used }: Expanded,
  file: SuiteFile,
  { variants, cases, files, scorers }: Pick<Suite, 'variants' | 'cases' | 'files' | 'scorers'>,
): Suite {
  return {
    file: document.file,
    files,
    name: file.name,
    description: file.description ?? null,
    variants,
    cases,
    inputSources: sourcesOf(file.inputs, (name) => sourceAt(document, ['inputs', name])),
    seeds: expandSeeds(file.seeds),
    repeats: file.repeats,
    ...file.load,
    limits: file.limits,
    probes: declareProbes(file.probes),
    levels: declareLevels(file.levels),
    scorers,
    judges: declareJudges(document, scorers),
    gate: [...declareGate(document, file), ...declareClaims(document, file)],
    reports: [...new Set(file.reports)],
    declared: declared.value,
    environment: used,
  };
}

function joined(environment: readonly Diagnostic[], schema: readonly Diagnostic[]): Diagnostic[] {
  const places = new Set(environment.flatMap(({ place }) => (place === null ? [] : [formatPlace(place)])));
  return [...environment, ...schema.filter(({ place }) => place === null || !places.has(formatPlace(place)))];
}
