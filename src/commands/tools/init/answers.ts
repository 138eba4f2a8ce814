import { basename, dirname, extname, resolve } from 'node:path';
import { accepted, type Checked, refusal, refused } from '../../../kit/diagnostic.ts';
import { describeMissing, findTarget, loadTargetFile, refuseOutside } from '../../../run/declared-files.ts';
import type { Case } from '../../../suite/suite.ts';
import { costBounds } from '../../../targets/cost-bounds.ts';
import { checkConstant } from '../../../targets/inputs.ts';
import { parseBaseUrl } from '../../../targets/origins.ts';
import { targetPrice } from '../../../targets/resolve.ts';
import type { Target } from '../../../targets/target.ts';
import type { Edge } from '../../../workflow/edge.ts';
import type { Ask } from '../../../workflow/questions.ts';
import type { Answers, EndpointOptions, KeyPlace, OwnEndpoint, PresetEndpoint } from './endpoint.ts';
import { QUESTIONS } from './questions.ts';

const OWN_OPTIONS = ['kind', 'reply', 'path', 'encoding', 'auth', 'secret', 'seed'] as const;

export function givenOptions({ model, baseUrl, ...options }: EndpointOptions): readonly string[] {
  const given = { target: options.target, 'base-url': baseUrl, model: model[0], name: options.name };
  const own = OWN_OPTIONS.filter((option) => options[option] !== undefined);
  const shared = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  return [...shared, ...own].map((option) => `--${option}`);
}

/** @param file of the suite, relative to `cwd` */
export async function gatherAnswers(
  options: EndpointOptions,
  file: string,
  ask: Ask,
  edge: Pick<Edge, 'env' | 'cwd' | 'asks'>,
): Promise<Answers> {
  const { target: preset, baseUrl, model } = options;
  if (preset === undefined && baseUrl === undefined && !edge.asks) {
    const remedy =
      'give --target with a preset (retake targets lists them), or --base-url with the URL of your endpoint';
    throw refusal('the endpoint is missing', remedy);
  }
  const named =
    preset === undefined
      ? await ask(QUESTIONS.endpoint(baseUrl !== undefined), baseUrl)
      : ({ by: 'preset', target: preset } as const);
  const { endpoint, target } =
    named.by === 'preset'
      ? await readPreset(named.target, options, resolve(edge.cwd, file), edge)
      : { endpoint: await askOwnEndpoint(options, named.baseUrl, ask), target: null };
  const known = endpoint.by === 'preset' ? endpoint.knownModels : [];
  const models = await ask(
    QUESTIONS.models(known, (each) => checkModels(each, target)),
    model.length === 0 ? undefined : model.join(','),
  );
  const usual = endpoint.by === 'preset' ? endpoint.target.replace(/^.*[/\\]|\.ya?ml$/g, '') : endpoint.kind;
  const stem = basename(file, extname(file));
  const fallback = (stem === 'suite' ? usual : stem).replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const name = await ask(QUESTIONS.name(fallback), options.name);
  return { name, endpoint, models, requestCostsUsd: target === null ? null : requestCosts(target, models) };
}

async function askOwnEndpoint(options: EndpointOptions, baseUrl: string, ask: Ask): Promise<OwnEndpoint> {
  const kind = await ask(QUESTIONS.kind, options.kind);
  const path = await ask(QUESTIONS.path(kind, baseUrl, options.reply), options.path);
  const reply = await ask(QUESTIONS.reply(kind, path), options.reply);
  const encoding = await ask(QUESTIONS.encoding, options.encoding);
  const key = await askKey(options, baseUrl, ask);
  const seed = await ask(QUESTIONS.seed, options.seed);
  return { by: 'own', kind, baseUrl, reply, encoding, path, key, seed };
}

async function askKey({ auth, secret }: EndpointOptions, baseUrl: string, ask: Ask): Promise<KeyPlace> {
  const place = await ask(QUESTIONS.auth(baseUrl, secret), auth);
  if (place.in === 'none') {
    if (secret === undefined) return { in: 'none' };
    throw refusal('--secret names a key, but --auth is none', 'remove one of them');
  }
  const variable = await ask(QUESTIONS.secret(baseUrl), secret);
  return variable === 'none' ? { in: 'none' } : { ...place, secret: variable };
}

interface DescribedEndpoint {
  readonly endpoint: Answers['endpoint'];
  /** Null: not a preset. */
  readonly target: Target | null;
}

async function readPreset(
  name: string,
  options: EndpointOptions,
  suiteFile: string,
  edge: Pick<Edge, 'env' | 'cwd'>,
): Promise<DescribedEndpoint> {
  const [misplaced] = OWN_OPTIONS.filter((option) => options[option] !== undefined);
  if (misplaced !== undefined) {
    throw refusal(`--${misplaced} describes an endpoint without a preset`, `leave out --${misplaced}, or --target`);
  }
  const found = findTarget(name, suiteFile);
  if (!found.found) {
    const { cause, remedy } = describeMissing(name, found, edge.cwd);
    throw refusal(cause, remedy);
  }
  const outside = await refuseOutside(found.path, dirname(suiteFile), 'the suite', edge.cwd);
  if (outside !== null) throw refusal(outside.cause, 'copy it there');
  const target = accepted(await loadTargetFile(found.path, { ...edge, suiteFolder: dirname(suiteFile) }));
  const base = options.baseUrl === undefined ? null : parseBaseUrl(options.baseUrl);
  if (base?.ok === false) throw refusal(`--base-url: ${base.cause}`, base.remedy);
  const { kind, inputs, uses, constTypes } = target;
  if (kind === 'judge') throw refusal(`${name} compares outputs and generates none`, 'name another preset');
  const type = constTypes.model;
  const known = type === undefined ? [] : 'values' in type ? type.values : 'known' in type ? type.known : [];
  const endpoint: PresetEndpoint = {
    by: 'preset',
    target: name,
    kind,
    baseUrl: base?.baseUrl ?? null,
    seed: uses.case.includes('seed') ? inputs.seed.claim : 'none',
    knownModels: known.map(String),
  };
  return { endpoint, target };
}

function checkModels(models: readonly string[], target: Target | null): Checked<readonly string[]> {
  const unwritable = models.find((model) => model.includes('${'));
  if (unwritable !== undefined) return refused(`"${unwritable}" contains "\${"`, 'write the name of a model');
  if (target === null || models.length === 0) return { ok: true, value: models };
  if (!target.uses.const.includes('model')) {
    return refused(`${target.id} has no constant model`, `name none; retake targets ${target.id} lists its constants`);
  }
  const type = target.constTypes.model;
  if (type === undefined) return { ok: true, value: models };
  for (const model of models) {
    const checked = checkConstant(`model of ${target.id}`, type, model, false);
    if (!checked.fits) return refused(checked.fault.cause, checked.fault.remedy);
  }
  return { ok: true, value: models };
}

/** In US dollars: per model in order, or for the defaults. Null if one has no upper bound, or all are free. */
function requestCosts(target: Target, models: readonly string[]): readonly number[] | null {
  const each = models.length === 0 ? [target.constants] : models.map((model) => ({ ...target.constants, model }));
  const costs: number[] = [];
  for (const constants of each) {
    const priced = { target, constants, baseUrl: target.baseUrl, ...targetPrice(target, constants) };
    const bounds = costBounds(priced, WITHOUT_INPUTS);
    if (typeof bounds === 'string') return null;
    costs.push(bounds.mostUsd);
  }
  return costs.every((cost) => cost === 0) ? null : costs;
}

const WITHOUT_INPUTS: Case = {
  id: 'prompt',
  text: 'A prompt',
  tags: [],
  kinds: [],
  image: null,
  inputs: {},
  inputSources: {},
  place: { file: '', line: 1, column: 1 },
};
