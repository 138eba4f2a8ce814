import { basename, dirname, extname, resolve } from 'node:path';
import { accepted, type Checked, refusal, refused } from '../../../kit/diagnostic.ts';
import type { JsonObject } from '../../../kit/json.ts';
import { isLocalUrl } from '../../../kit/loopback.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { name as suiteName } from '../../../kit/scalars.ts';
import { describeMissing, findTarget, loadTargetFile, refuseOutside } from '../../../run/declared-files.ts';

import { KINDS, type Kind } from '../../../suite/kind.ts';
import type { Case } from '../../../suite/suite.ts';
import { costBounds } from '../../../targets/cost-bounds.ts';
import { parseBaseUrl } from '../../../targets/origins.ts';
import { targetPrice } from '../../../targets/resolve.ts';
import type { Target } from '../../../targets/target.ts';
import type { Edge } from '../../edge.ts';
import { type Ask, commaSeparated, oneOf, type Question } from '../../line/questions.ts';
import { type ConstValue, checkValues, constantsOf, variantConstants } from './given-constants.ts';
import { checkInputs } from './inputs.ts';
import {
  type Answers,
  ENCODINGS,
  type EndpointOptions,
  isVideo,
  type KeyPlace,
  type OwnEndpoint,
  type PresetEndpoint,
  REPLIES,
  type Reply,
  SEED_PROMISES,
} from './new-suite.ts';

type NamedEndpoint =
  | { readonly by: 'preset'; readonly target: string }
  | { readonly by: 'own'; readonly baseUrl: string };

/** What `retake init` asks, in its order; some questions follow from earlier answers. */
export const QUESTIONS = {
  /** @param isUrl whether an option gives the answer */
  endpoint: (isUrl: boolean, kind = 'text-to-image'): Question<NamedEndpoint> => ({
    option: '--base-url',
    asks: 'Endpoint: the name of a preset (retake targets lists them), or the base URL of your own endpoint',
    fallback: `reference/${kind}`,
    parse: (text) => {
      if (!isUrl && !/^\w+:\/\//.test(text)) return { ok: true, value: { by: 'preset', target: text } };
      const base = parseUrl(text);
      return base.ok ? { ok: true, value: { by: 'own', baseUrl: base.value } } : base;
    },
  }),

  kind: {
    option: '--kind',
    asks: 'What does the endpoint generate?',
    choices: KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const),
    fallback: 'text-to-image',
    parse: oneOf(KINDS),
  },

  /** @param reply as an option gives it */
  path: (kind: Kind, baseUrl: string, reply: string | undefined): Question<string> => {
    // A base URL often ends in the version already.
    const version = /\/v\d+\/?$/.test(baseUrl) ? '' : '/v1';
    const ofImages = kind === 'image-edit' ? '/images/edits' : '/images/generations';
    const ofOpenai = `${version}${isVideo(kind) ? '/videos' : ofImages}`;
    return {
      option: '--path',
      asks: `Path of the request, below the base URL (OpenAI: ${ofOpenai})`,
      fallback: reply === 'openai' || isVideo(kind) ? ofOpenai : `${version}/generate`,
      parse: parsePath,
    };
  },

  reply: (kind: Kind, path: string): Question<Reply> => ({
    option: '--reply',
    asks: 'How does the reply contain the output?',
    choices: REPLIES.map((reply) => [reply, REPLY_MEANINGS[reply]] as const),
    fallback: isVideo(kind) ? 'job' : /\/images\/(generations|edits)$/.test(path) ? 'openai' : 'bytes',
    parse: (text) => parseReply(text, kind),
  }),

  encoding: (kind: Kind): Question<OwnEndpoint['encoding']> => ({
    option: '--encoding',
    asks: 'How is the request encoded?',
    choices: [
      ['json', 'a JSON body'],
      ['multipart', 'a form (multipart/form-data)'],
    ],
    fallback: kind === 'image-edit' ? 'multipart' : 'json',
    parse: oneOf(ENCODINGS),
  }),

  auth: (baseUrl: string, secret: string | undefined): Question<KeyPlaceOnly> => ({
    option: '--auth',
    asks: 'Where does the request contain the key? bearer, none, header:NAME or query:NAME',
    fallback: secret === undefined && isLocalUrl(baseUrl) ? 'none' : 'bearer',
    parse: parseKeyPlace,
  }),

  secret: (baseUrl: string): Question<string> => ({
    option: '--secret',
    asks: 'Environment variable that holds the key; none: the endpoint needs no key',
    fallback: defaultSecret(baseUrl),
    parse: (text) =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
        ? { ok: true, value: text }
        : refused('it is not the name of an environment variable', 'write the name, such as MY_API_KEY; never the key'),
  }),

  seed: {
    option: '--seed',
    asks: 'Which output does the same seed give?',
    choices: [
      ['exact', 'the same output'],
      ['similar', 'a similar output'],
      ['none', 'any: the endpoint takes no seed'],
    ],
    fallback: 'similar',
    parse: oneOf(SEED_PROMISES),
  },

  /** @param check whether the target accepts them */
  models: (
    known: readonly string[],
    check: (models: readonly string[]) => Checked<readonly ConstValue[]>,
  ): Question<readonly ConstValue[]> => ({
    option: '--model',
    asks: `Models to compare, separated by commas; none: one variant without a model${known.length === 0 ? '' : ` (known: ${known.join(', ')})`}`,
    fallback: '',
    parse: (text) => check([...new Set(commaSeparated(text))]),
  }),

  name: (fallback: string): Question<string> => ({
    option: '--name',
    asks: 'Name of the suite',
    fallback: fallback === '' ? 'suite' : fallback,
    parse: (text) =>
      suiteName.safeParse(text).success
        ? { ok: true, value: text }
        : refused(
            `"${text}" is not a valid name`,
            'begin with a letter or digit; write letters (a-z, A-Z), digits, ".", "_" and "-"',
          ),
  }),

  inUse: {
    option: '--in-use',
    asks: 'Base URL of the deployment in use, to compare that of the suite with; none: with its own earlier runs',
    fallback: '',
    parse: (text: string): Checked<string | null> => (text === '' ? { ok: true, value: null } : parseUrl(text)),
  },

  serverFiles: {
    option: '--server-files',
    asks: 'Files of the server in this repository, such as server/**, separated by commas; none: it is elsewhere',
    fallback: '',
    parse: (text: string): Checked<readonly string[]> => ({ ok: true, value: commaSeparated(text) }),
  },
} as const;

function parseUrl(text: string): Checked<string> {
  const base = parseBaseUrl(text);
  return base.ok ? { ok: true, value: base.baseUrl } : refused(base.cause, base.remedy);
}

const REPLY_MEANINGS: Readonly<Record<Reply, string>> = {
  openai: 'as the image API of OpenAI does: base64 in data',
  bytes: 'the body of the reply is the output',
  url: 'JSON with a URL of the output',
  base64: 'JSON with the output in base64',
  job: 'a job to poll, then a URL in its reply',
  'job-file': 'a job to poll, then a file at a path of its own, as /videos/ID/content',
};

function parseReply(text: string, kind: Kind): Checked<Reply> {
  const reply = oneOf(REPLIES)(text);
  if (!reply.ok || reply.value !== 'openai' || !isVideo(kind)) return reply;
  const remedy = `write job or job-file, or use the preset openai/${kind} with --base-url`;
  return refused('openai is the image API of OpenAI, which makes no videos', remedy);
}

function parsePath(text: string): Checked<string> {
  if (/^\/[^\s?#]*$/.test(text)) return { ok: true, value: text };
  return refused(
    `"${text}" is not a path`,
    'begin it with a slash, as /generate, without query; put parameters into submit.query',
  );
}

type KeyPlaceOnly = { readonly in: 'none' | 'bearer' } | { readonly in: 'header' | 'query'; readonly name: string };

function parseKeyPlace(text: string): Checked<KeyPlaceOnly> {
  if (text === 'none' || text === 'bearer') return { ok: true, value: { in: text } };
  const [, place, name = ''] = /^(header|query):([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/.exec(text) ?? [];
  if (place === 'header' || place === 'query') return { ok: true, value: { in: place, name } };
  return refused(`"${text}" is not a place for a key`, 'write bearer, none, header:x-api-key or query:key');
}

/** EXAMPLE_API_KEY for https://api.example.com. */
function defaultSecret(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const label = /^[\d.]+$|^\[/.test(hostname) ? '' : (hostname.split('.').at(-2) ?? hostname);
  const name = label.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return /^[A-Z]/.test(name) ? `${name}_API_KEY` : 'API_KEY';
}

const OWN_OPTIONS = ['kind', 'reply', 'path', 'encoding', 'auth', 'secret', 'seed'] as const;

export function givenOptions({ model, const: constants, baseUrl, ...options }: EndpointOptions): readonly string[] {
  const given = {
    target: options.target,
    'base-url': baseUrl,
    model: model[0],
    const: constants[0],
    swap: options.swap,
    name: options.name,
  };
  const endpointOptions = OWN_OPTIONS.filter((option) => options[option] !== undefined);
  const shared = Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  return [...shared, ...endpointOptions].map((option) => `--${option}`);
}

/** @param file of the suite, relative to `cwd` */
export async function gatherAnswers(
  options: EndpointOptions,
  file: string,
  ask: Ask,
  edge: Pick<Edge, 'env' | 'cwd' | 'asks'>,
): Promise<Answers> {
  const { target: preset, baseUrl } = options;
  const model = modelsOf(options);
  const swaps = options.swap !== undefined;
  if (options.kind !== undefined) await ask(QUESTIONS.kind, options.kind);
  if (preset === undefined && baseUrl === undefined && !edge.asks) {
    const remedy =
      'give --target with a preset (retake targets lists them), or --base-url with the URL of your endpoint';
    throw refusal('the endpoint is missing', remedy);
  }
  const named =
    preset === undefined
      ? await ask(QUESTIONS.endpoint(baseUrl !== undefined, options.kind), baseUrl)
      : ({ by: 'preset', target: preset } as const);
  const { endpoint, target } =
    named.by === 'preset'
      ? await readPreset(named.target, options, resolve(edge.cwd, file), edge)
      : { endpoint: await askOwnEndpoint(options, named.baseUrl, ask), target: null };
  const known = endpoint.by === 'preset' ? endpoint.knownModels : [];
  const models = await ask(
    QUESTIONS.models(known, (names) =>
      names.length === 0 ? { ok: true, value: [] } : checkValues('model', names, target),
    ),
    model.length === 0 ? undefined : model.join(','),
  );
  const constants = [
    ...(models.length === 0 ? [] : [{ name: 'model', values: models }]),
    ...constantsOf(options.const, target),
  ];
  const variants = variantConstants(constants);
  const usual = endpoint.by === 'preset' ? endpoint.target.replace(/^.*[/\\]|\.ya?ml$/g, '') : endpoint.kind;
  const stem = basename(file, extname(file));
  const fallback = (stem === 'suite' ? usual : stem).replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  const name = await ask(QUESTIONS.name(fallback), options.name);
  const paid = target !== null && (target.prices.length > 0 || target.meta.cost_usd !== undefined);
  const requestCostsUsd = target === null ? null : requestCosts(target, variants);
  const { image = null, mask = null } = options;
  await checkInputs({ image, mask }, endpoint.kind, file, edge.cwd);
  return { name, endpoint, constants, variants, image, mask, swaps, paid, requestCostsUsd };
}

function modelsOf({ model, swap }: EndpointOptions): readonly string[] {
  if (swap === undefined) return model;
  const [, old, successor] = /^([^=]+)=([^=]+)$/.exec(swap) ?? [];
  if (model.length > 0) throw refusal('--swap and --model both name models', 'leave out --model');
  if (old === undefined || successor === undefined || old === successor || swap.includes(',')) {
    throw refusal(`--swap is "${swap}"`, 'write two models as OLD=NEW');
  }
  return [old, successor];
}

async function askOwnEndpoint(options: EndpointOptions, baseUrl: string, ask: Ask): Promise<OwnEndpoint> {
  const kind = await ask(QUESTIONS.kind, options.kind);
  const path = await ask(QUESTIONS.path(kind, baseUrl, options.reply), options.path);
  const reply = await ask(QUESTIONS.reply(kind, path), options.reply);
  const encoding = await ask(QUESTIONS.encoding(kind), options.encoding);
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
  // A kind leads to a preset of it.
  const [misplaced] = OWN_OPTIONS.filter((option) => option !== 'kind' && options[option] !== undefined);
  if (misplaced !== undefined) {
    throw refusal(`--${misplaced} describes an endpoint without a preset`, `leave out --${misplaced}, or --target`);
  }
  const file = findTarget(name, suiteFile);
  if (!file.found) {
    const { cause, remedy } = describeMissing(name, file, edge.cwd);
    throw refusal(cause, remedy);
  }
  const outside = await refuseOutside(file.path, dirname(suiteFile), 'the suite', edge.cwd);
  if (outside !== null) throw refusal(outside.cause, 'copy it there');
  const target = accepted(await loadTargetFile(file.path, { ...edge, suiteFolder: dirname(suiteFile) }));
  const base = options.baseUrl === undefined ? null : parseBaseUrl(options.baseUrl);
  if (base?.ok === false) throw refusal(`--base-url: ${base.cause}`, base.remedy);
  const { kind, inputs, uses, constTypes } = target;
  if (kind === 'judge') throw refusal(`${name} compares outputs and generates none`, 'name another preset');
  if (options.kind !== undefined && options.kind !== kind) {
    throw refusal(`${name} is of kind ${kind}, not ${options.kind}`, 'leave out --kind, or name another preset');
  }
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

/** In US dollars, of each variant. Null if one has no upper bound, or all are free. @param variants their constants */
function requestCosts(target: Target, variants: readonly JsonObject[]): readonly number[] | null {
  const costs: number[] = [];
  for (const own of variants) {
    const constants = { ...target.constants, ...own };
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
  images: [],
  mask: null,
  inputs: {},
  inputSources: {},
  place: { file: '', line: 1, column: 1 },
};
