import { resolve } from 'node:path';
import { type Checked, type Diagnostic, refused, type Source } from '../../kit/diagnostic.ts';
import { parseDocument } from '../../kit/document.ts';
import type { Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { DEFAULT_LIMITS } from '../../media/level.ts';
import { describeMissing, findTarget, isTargetPath, loadTargetFile } from '../../run/declared-files.ts';
import { readImage } from '../../suite/load-suite.ts';
import type { Case, DeclaredVariant, Sources } from '../../suite/suite.ts';
import { CASE_MEMBERS } from '../../targets/inputs.ts';
import { parseBaseUrl } from '../../targets/origins.ts';
import { resolveVariants } from '../../targets/resolve.ts';
import type { Target, Variant } from '../../targets/target.ts';
import type { Edge } from '../../workflow/edge.ts';

export interface TryRequest {
  readonly target: string;
  readonly prompt: string;
  readonly seed: number;
  readonly image?: string | undefined;
  readonly allowOutside?: boolean | undefined;
  /** A user's own server with the same interface; by default the target's. */
  readonly baseUrl?: string | undefined;
  /** Download origins beside the target's. */
  readonly downloadOrigins?: readonly string[] | undefined;
  /** `name=value`: a constant of the target with that name, else an input. */
  readonly set: readonly string[];
}

export interface TriedTarget {
  readonly variant: Variant;
  readonly case: Case;
}

/** The place of errors in the arguments: there is no file. */
const ARGUMENTS = { file: 'arguments', line: 1, column: 1 };

export async function resolveTry(
  request: TryRequest,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): Promise<Checked<TriedTarget>> {
  const target = await findAndParse(request, { env, cwd });
  if (!target.ok) return target;
  const { kind } = target.value;
  if (kind === 'judge') {
    const cause = `${target.value.id} compares outputs of a run, and takes no prompt`;
    return refused(cause, 'declare it under scorers of a suite, with use: judge');
  }
  const image = request.image === undefined ? null : await readImage(resolve(cwd, request.image));
  if (image !== null && 'cause' in image) return refused(`cannot use ${request.image}: ${image.cause}`, image.remedy);
  const values = parseSettings(request.set);
  if (!values.ok) return values;
  const base = request.baseUrl === undefined ? null : parseBaseUrl(request.baseUrl);
  if (base?.ok === false) return refused(`--base-url: ${base.cause}`, base.remedy);
  const constants = values.value.filter(({ name }) => isConstant(target.value, name));
  const inputs = values.value.filter(({ name }) => !isConstant(target.value, name));
  const misspelt = inputs.find(({ name }) => !isInput(target.value, name));
  if (misspelt !== undefined) return unknownSetting(misspelt, target.value);
  const tried: Case = {
    id: 'try',
    text: request.prompt,
    tags: [],
    kinds: [kind],
    image,
    inputs: Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
    inputSources: sourcesOf(inputs),
    place: ARGUMENTS,
  };
  const variants = resolveVariants(
    {
      variants: [declareVariant(request, constants, base?.baseUrl ?? null)],
      cases: [tried],
      inputSources: {},
      seeds: [request.seed],
      limits: { timeoutMs: null, requests: null, usd: null, failures: 1 },
    },
    new Map([[request.target, target.value]]),
  );
  if (!variants.ok) {
    return {
      ok: false,
      diagnostics: variants.diagnostics.map((diagnostic) => ({ ...diagnostic, place: elsewhere(diagnostic) })),
    };
  }
  const [variant] = variants.value;
  if (variant === undefined) throw new Error('one variant was declared and none came back');
  const warnings = [...(target.warnings ?? []), ...(variants.warnings ?? [])];
  return { ok: true, value: { variant, case: tried }, warnings };
}

function declareVariant(
  { target, downloadOrigins = [] }: TryRequest,
  constants: readonly TrySetting[],
  baseUrl: string | null,
): DeclaredVariant {
  const download = downloadOrigins.map((text) => ({ text, source: givenBy('--download-origin') }));
  return {
    name: 'try',
    target,
    targetSource: { place: ARGUMENTS, setBy: null, filled: false },
    place: ARGUMENTS,
    constants: Object.fromEntries(constants.map(({ name, value }) => [name, value])),
    constantSources: sourcesOf(constants),
    baseline: true,
    optional: false,
    price: null,
    origins: { download, allowPrivate: false },
    baseUrl: baseUrl === null ? null : { text: baseUrl, source: givenBy('--base-url') },
    levels: DEFAULT_LIMITS,
  };
}

async function findAndParse(
  { target: reference, allowOutside }: TryRequest,
  { env, cwd }: Pick<Edge, 'env' | 'cwd'>,
): Promise<Checked<Target>> {
  const file = findTarget(reference, resolve(cwd, 'arguments'));
  if (!file.found) {
    const { cause, remedy } = describeMissing(reference, file, cwd);
    return refused(cause, remedy);
  }
  // A name is looked up as by a suite in the working folder.
  const suiteFolder = isTargetPath(reference) ? undefined : cwd;
  return loadTargetFile(file.path, { env, cwd, allowOutside, suiteFolder });
}

function isConstant({ constants, uses }: Target, name: string): boolean {
  return Object.hasOwn(constants, name) || uses.const.includes(name);
}

function isInput({ uses }: Target, name: string): boolean {
  return uses.case.includes(name) || CASE_MEMBERS.some((member) => member === name);
}

/** The name is neither constant nor input: suggests both. */
function unknownSetting({ name, option }: TrySetting, { id, uses }: Target): Checked<never> {
  const inputs = uses.case.filter((known) => !CASE_MEMBERS.some((member) => member === known));
  const near = nearest(name, [...uses.const, ...inputs]);
  const known = [
    ...(uses.const.length === 0 ? [] : [`constants are ${uses.const.join(', ')}`]),
    ...(inputs.length === 0 ? [] : [`inputs are ${inputs.join(', ')}`]),
  ];
  const remedy = near === null ? known.join('; ') || 'it takes none' : `did you mean "${near}"?`;
  return refused(`${option}: ${id} has no constant or input "${name}"`, remedy);
}

interface TrySetting {
  readonly name: string;
  readonly value: Json;
  readonly option: string;
}

function parseSettings(settings: readonly string[]): Checked<readonly TrySetting[]> {
  const values: TrySetting[] = [];
  for (const setting of settings) {
    const option = `--set ${setting}`;
    const at = setting.indexOf('=');
    const value = parseDocument('--set', setting.slice(at + 1));
    if (at < 1 || !value.ok) return refused(`${option} is not name=value`, 'write --set model=fast');
    values.push({ name: setting.slice(0, at), value: value.value.value, option });
  }
  return { ok: true, value: values };
}

function sourcesOf(settings: readonly TrySetting[]): Sources {
  return Object.fromEntries(settings.map(({ name, option }) => [name, givenBy(option)]));
}

function givenBy(option: string): Source {
  return { place: null, setBy: option, filled: false };
}

function elsewhere({ place }: Diagnostic): Diagnostic['place'] {
  return place === null || place.file === ARGUMENTS.file ? null : place;
}
