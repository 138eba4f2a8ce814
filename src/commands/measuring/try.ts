import { statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { type Checked, type Diagnostic, refused, type Source } from '../../kit/diagnostic.ts';
import { parseDocument, valueAt } from '../../kit/document.ts';
import type { Json } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import { isMediaExtension } from '../../media/header.ts';
import { DEFAULT_LIMITS } from '../../media/level.ts';
import { takesSeed } from '../../plan/probes.ts';
import { utcDay } from '../../run/clock.ts';
import { describeMissing, findTarget, isTargetPath, loadTargetFile } from '../../run/declared-files.ts';

import { type Wire, withWire } from '../../run/wire.ts';
import { MediaReader } from '../../suite/input-media.ts';
import type { Case, DeclaredVariant, Sources } from '../../suite/suite.ts';
import type { CallResult } from '../../targets/call.ts';
import { CASE_MEMBERS } from '../../targets/inputs.ts';
import { parseBaseUrl, proxiesOf, proxyFor } from '../../targets/origins.ts';
import { renderSubmit, requestDigest } from '../../targets/request.ts';
import { resolveVariants } from '../../targets/resolve.ts';
import { keyNames, type Secrets } from '../../targets/secrets.ts';
import type { Target, Variant } from '../../targets/target.ts';
import { type Endpoints, readKeys, withEndpoints } from '../../workflow/endpoints.ts';
import type { makeOneCall } from '../declared/measuring-commands.ts';
import { createCallLog, describeRequest, describeResult, type WrittenCredential } from '../display/describe-call.ts';
import { withWarnings } from '../display/print.ts';
import { effectiveResult, openOutputSaver, type SavedOutput } from '../display/save-outputs.ts';
import { openFolder } from '../display/write-file.ts';
import { type Edge, EXIT, type ExitCode, printText } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

type TryArguments = ArgumentsOf<typeof makeOneCall>;

/** `retake try`: calls one target once, shows every request and timestamp, and saves what came. */
export async function tryCommand(args: TryArguments, edge: Edge): Promise<ExitCode> {
  const tried = withWarnings(edge, await resolveTry(args, edge));
  const secrets = withWarnings(edge, readKeys([tried.variant], edge));
  const { folder, stem: named } = placeOf(resolve(edge.cwd, args.out));
  // Before the call, which costs money.
  openFolder(folder);
  const stem = named ?? `try-${tried.variant.target.id.replace(/[^A-Za-z0-9.-]+/g, '-')}-seed-${args.seed}`;
  const saver = openOutputSaver(folder, { idle: edge.idleExaminers, signal: edge.drain });
  try {
    const result = await call(tried, secrets, args, edge);
    if (result.outcome !== 'ok') return EXIT.incomplete;
    const saved: SavedOutput[] = [];
    for (const [index, asset] of result.assets.entries()) {
      const output = await saver.save(asset, `${stem}${index === 0 ? '' : `-output-${index + 1}`}`);
      printText(edge.out, `${output.lines.join('\n')}\n`);
      saved.push(output);
    }
    return saved[0]?.decodes === true ? EXIT.ok : EXIT.incomplete;
  } finally {
    await saver.close();
  }
}

/** The folder of the outputs, and the start of their names if a file is named; null: a name is made. */
function placeOf(path: string): { readonly folder: string; readonly stem: string | null } {
  const extension = extname(path);
  if (!isMediaExtension(extension.slice(1).toLowerCase()) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return { folder: path, stem: null };
  }
  return { folder: dirname(path), stem: basename(path, extension) };
}

function call(tried: TriedTarget, secrets: Secrets, args: TryArguments, edge: Edge): Promise<CallResult> {
  const { variant } = tried;
  const proxies = proxiesOf(edge.env);
  return withEndpoints([variant], secrets, edge, (endpoints) => {
    const targets = { [variant.target.id]: variant.target };
    const setup = { targets, connections: 1, proxies, secrets: endpoints.secretValues };
    return withWire(setup, { abort: edge.drain }, (wire) => {
      const baseUrl = endpoints.baseUrlOf(variant);
      printText(edge.out, `${describeRequest(variant.target, baseUrl, takesSeed(variant) ? args.seed : null)}\n`);
      const proxy = proxyFor(new URL(baseUrl), proxies);
      if (proxy !== null)
        printText(edge.out, `through the proxy ${proxy.origin} (${proxy.variable}): its time is in each latency\n`);
      return callOnce(tried, args, wire, endpoints, edge);
    });
  });
}

async function callOnce(
  { variant, case: oneCase }: TriedTarget,
  { seed, bodies }: Pick<TryArguments, 'seed' | 'bodies'>,
  wire: Wire,
  endpoints: Endpoints,
  edge: Edge,
): Promise<CallResult> {
  const baseUrl = endpoints.baseUrlOf(variant);
  const inputs = { case: oneCase, seed };
  const digest = requestDigest(variant, inputs);
  const submit = renderSubmit(variant, inputs, { baseUrl, secrets: endpoints.secretsOf(variant), digest });
  const request = {
    target: variant.target.id,
    baseUrl,
    origins: variant.origins,
    submit,
    timeoutMs: variant.timeoutMs,
    onThrottle: 'wait',
    bodies,
  } as const;
  const log = createCallLog(baseUrl, writtenCredential(variant.target));
  // A body is shown as sent, for copying.
  const write = bodies ? edge.out.write : (text: string) => printText(edge.out, text);
  const print = (lines: readonly string[]) => {
    for (const line of lines) write(`${line}\n`);
  };
  const called = await wire.call(
    request,
    () => !edge.drain.aborted,
    () => {},
    (event) => print(log.add(event)),
  );
  print(log.end());
  const result = effectiveResult(called, variant.target, wire.secrets);
  const sent = { seed: takesSeed(variant) ? seed : null, keys: keyNames(variant.target, endpoints.secretsOf(variant)) };
  print(describeResult(result, log.zeroMs() ?? result.marks.startedMs, sent));
  return result;
}

/** The target's text of a credential, without values of secrets. */
function writtenCredential({ auth, declared }: Target): WrittenCredential | null {
  const written = valueAt(declared, ['auth', 'value']);
  return auth?.in === 'header' && typeof written === 'string' ? { header: auth.name.toLowerCase(), written } : null;
}

/** What the call is, without how often and how it is shown. */
type TryRequest = Pick<TryArguments, 'target' | 'prompt' | 'seed' | 'image' | 'mask' | 'baseUrl' | 'set'> &
  Partial<Pick<TryArguments, 'allowOutside' | 'downloadOrigin'>>;

export interface TriedTarget {
  readonly variant: Variant;
  readonly case: Case;
}

/** Place of errors in arguments, which are in no file. */
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
  const { inputs: takes, uses } = target.value;
  if (request.image.length === 0 && (takes.media?.images.least ?? 0) > 0) {
    return refused(`${target.value.id} needs an image`, 'add --image: a file');
  }
  const sent = request.image.length > 0 || request.mask !== undefined;
  if (sent && !['image', 'images', 'mask'].some((name) => uses.case.includes(name))) {
    return refused(`${target.value.id} takes no image`, 'remove --image and --mask, or name another target');
  }
  const media = await new MediaReader('anywhere', cwd).read({
    images: request.image,
    mask: request.mask ?? null,
    folder: cwd,
    refuse: (_field, cause, remedy) => ({ place: null, cause, remedy }),
  });
  if (!media.ok) return media;
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
    ...media.value,
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
    utcDay(),
  );
  if (!variants.ok) {
    return {
      ok: false,
      diagnostics: variants.diagnostics.map((diagnostic) => ({ ...diagnostic, place: elsewhere(diagnostic) })),
    };
  }
  const [variant] = variants.value;
  if (variant === undefined) throw new Error('one variant was declared and none came back');
  const ofArguments = (variants.warnings ?? []).map((warning) => ({ ...warning, place: elsewhere(warning) }));
  const warnings = [...(target.warnings ?? []), ...ofArguments];
  return { ok: true, value: { variant, case: tried }, warnings };
}

function declareVariant(
  { target, downloadOrigin = [] }: TryRequest,
  constants: readonly TrySetting[],
  baseUrl: string | null,
): DeclaredVariant {
  const download = downloadOrigin.map((text) => ({ text, source: givenBy('--download-origin') }));
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

/** Suggests constants and inputs. */
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
