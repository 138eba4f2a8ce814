import { basename, dirname, extname, resolve } from 'node:path';
import { type Checked, refused } from '../../../kit/diagnostic.ts';
import { name as suiteName } from '../../../kit/scalars.ts';
import { describeMissing, findTarget } from '../../../run/declared-files.ts';
import { loadTargetFile, refuseOutside } from '../../../run/load-target.ts';
import type { Case } from '../../../suite/format/suite.ts';
import { parseBaseUrl } from '../../../targets/model/base-url.ts';
import { checkConstant } from '../../../targets/model/const-type.ts';
import type { Target } from '../../../targets/model/target.ts';
import { costBounds } from '../../../targets/request/cost-bounds.ts';
import { targetPrice } from '../../../targets/resolve.ts';
import type { Edge } from '../../../workflow/edge.ts';
import { type Ask, commaSeparated } from '../../../workflow/plan/questions.ts';
import { type Answers, askOwnEndpoint, type EndpointOptions, type PresetEndpoint } from './endpoint.ts';

const OWN_OPTIONS = ['kind', 'reply', 'path', 'encoding', 'auth', 'secret', 'seed'] as const;

export function givenOptions({ model, baseUrl, ...options }: EndpointOptions): readonly string[] {
  const given = { target: options.target, 'base-url': baseUrl, model: model[0], name: options.name };
  const own = OWN_OPTIONS.filter((option) => options[option] !== undefined);
  const shared = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  return [...shared, ...own].map((option) => `--${option}`);
}

/**
 * From options, else from questions.
 * @param file the suite's, relative to `cwd`
 */
export async function gatherAnswers(
  options: EndpointOptions,
  file: string,
  ask: Ask,
  edge: Pick<Edge, 'env' | 'cwd' | 'asks'>,
): Promise<Checked<Answers>> {
  const named = await nameEndpoint(options, ask, edge);
  if (!named.ok) return named;
  const suiteFile = resolve(edge.cwd, file);
  const described =
    named.value.by === 'preset'
      ? await readPreset(named.value.target, options, suiteFile, edge)
      : await askOwn(options, named.value.baseUrl, ask);
  if (!described.ok) return described;
  const { endpoint, target } = described.value;
  const models = await ask(modelQuestion(options, described.value));
  if (!models.ok) return models;
  const usual = endpoint.by === 'preset' ? endpoint.target.replace(/^.*[/\\]|\.ya?ml$/g, '') : endpoint.kind;
  const name = await askName(options, basename(file, extname(file)), usual, ask);
  if (!name.ok) return name;
  const requestCostsUsd = target === null ? null : requestCosts(target, models.value);
  return { ok: true, value: { name: name.value, endpoint, models: models.value, requestCostsUsd } };
}

async function askOwn(options: EndpointOptions, baseUrl: string, ask: Ask): Promise<Checked<DescribedEndpoint>> {
  const endpoint = await askOwnEndpoint(options, baseUrl, ask);
  return endpoint.ok ? { ok: true, value: { endpoint: endpoint.value, target: null } } : endpoint;
}

type NamedAnswer =
  | { readonly by: 'preset'; readonly target: string }
  | { readonly by: 'own'; readonly baseUrl: string };

async function nameEndpoint(
  { target, baseUrl }: EndpointOptions,
  ask: Ask,
  { asks }: Pick<Edge, 'asks'>,
): Promise<Checked<NamedAnswer>> {
  if (target !== undefined) return { ok: true, value: { by: 'preset', target } };
  if (baseUrl === undefined && !asks) {
    const remedy =
      'give --target with a preset (retake targets lists them), or --base-url with the URL of your endpoint';
    return refused('the endpoint is missing', remedy);
  }
  return ask<NamedAnswer>({
    option: '--base-url',
    given: baseUrl,
    asks: 'Endpoint: the name of a preset (retake targets lists them), or the base URL of your own endpoint',
    fallback: 'reference/text-to-image',
    parse: (text) => {
      if (baseUrl === undefined && !/^\w+:\/\//.test(text)) return { ok: true, value: { by: 'preset', target: text } };
      const base = parseBaseUrl(text);
      return base.ok ? { ok: true, value: { by: 'own', baseUrl: base.baseUrl } } : refused(base.cause, base.remedy);
    },
  });
}

interface DescribedEndpoint {
  readonly endpoint: Answers['endpoint'];
  /** Of a preset. */
  readonly target: Target | null;
}

async function readPreset(
  name: string,
  options: EndpointOptions,
  suiteFile: string,
  edge: Pick<Edge, 'env' | 'cwd'>,
): Promise<Checked<DescribedEndpoint>> {
  const [misplaced] = OWN_OPTIONS.filter((option) => options[option] !== undefined);
  if (misplaced !== undefined) {
    return refused(`--${misplaced} describes an endpoint without a preset`, `leave out --${misplaced}, or --target`);
  }
  const found = findTarget(name, suiteFile);
  if (!found.found) {
    const { cause, remedy } = describeMissing(name, found, edge.cwd);
    return refused(cause, remedy);
  }
  const outside = await refuseOutside(found.path, dirname(suiteFile), 'the suite', edge.cwd);
  if (outside !== null) return refused(outside.cause, 'copy it there');
  const target = await loadTargetFile(found.path, { ...edge, suiteFolder: dirname(suiteFile) });
  if (!target.ok) return target;
  const base = options.baseUrl === undefined ? null : parseBaseUrl(options.baseUrl);
  if (base?.ok === false) return refused(`--base-url: ${base.cause}`, base.remedy);
  const { kind, inputs, uses, constTypes } = target.value;
  if (kind === 'judge') return refused(`${name} compares outputs and generates none`, 'name another preset');
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
  return { ok: true, value: { endpoint, target: target.value } };
}

function modelQuestion({ model }: EndpointOptions, { endpoint, target }: DescribedEndpoint) {
  const known = endpoint.by === 'preset' ? endpoint.knownModels : [];
  const list = known.length === 0 ? '' : ` (known: ${known.join(', ')})`;
  return {
    option: '--model',
    given: model.length === 0 ? undefined : model.join(','),
    asks: `Models to compare, separated by commas; none: one variant without a model${list}`,
    fallback: '',
    parse: (text: string) => checkModels([...new Set(commaSeparated(text))], target),
  };
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

async function askName({ name }: EndpointOptions, stem: string, usual: string, ask: Ask): Promise<Checked<string>> {
  const fallback = (stem === 'suite' ? usual : stem).replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return ask({
    option: '--name',
    given: name,
    asks: 'Name of the suite',
    fallback: fallback === '' ? 'suite' : fallback,
    parse: (text) =>
      suiteName.safeParse(text).success
        ? { ok: true, value: text }
        : refused(
            `"${text}" is not a valid name`,
            'begin with a letter or digit; write letters (a-z, A-Z), digits, ".", "_" and "-"',
          ),
  });
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
