import { type Checked, refused } from '../../../kit/diagnostic.ts';
import { isLocalUrl } from '../../../kit/loopback.ts';
import { KIND_NAMES } from '../../../report/words/names.ts';
import { KINDS, type Kind } from '../../../suite/format/kind.ts';
import { type Ask, oneOf } from '../../../workflow/plan/questions.ts';

/** `openai`: as the image API of OpenAI; else as bytes, in JSON, or by a job to poll. */
export const REPLIES = ['openai', 'bytes', 'url', 'base64', 'job'] as const;
export type Reply = (typeof REPLIES)[number];

export const ENCODINGS = ['json', 'multipart'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Whether a seed gives the same output or a similar one; `none`: the endpoint takes no seed. */
export const SEED_PROMISES = ['exact', 'similar', 'none'] as const;
type SeedPromise = (typeof SEED_PROMISES)[number];

export type KeyPlace =
  | { readonly in: 'none' }
  | { readonly in: 'bearer'; readonly secret: string }
  | { readonly in: 'header' | 'query'; readonly name: string; readonly secret: string };

export interface OwnEndpoint {
  readonly by: 'own';
  readonly kind: Kind;
  readonly baseUrl: string;
  /** A template below the base URL; begins with a slash. */
  readonly path: string;
  readonly reply: Reply;
  readonly encoding: Encoding;
  readonly key: KeyPlace;
  readonly seed: SeedPromise;
}

export interface PresetEndpoint {
  readonly by: 'preset';
  readonly target: string;
  readonly kind: Kind;
  /** Null: the server of the preset. */
  readonly baseUrl: string | null;
  readonly seed: SeedPromise;
  readonly knownModels: readonly string[];
}

export interface Answers {
  readonly name: string;
  readonly endpoint: OwnEndpoint | PresetEndpoint;
  /** Values of the constant `model`, one variant each; empty: one variant without it. */
  readonly models: readonly string[];
  /** The highest cost of one request of each variant, in US dollars; null without a price or upper bound. */
  readonly requestCostsUsd: readonly number[] | null;
}

export function isVideo(kind: Kind): boolean {
  return kind === 'text-to-video' || kind === 'image-to-video';
}

/** Missing options are asked for on a terminal. */
export interface EndpointOptions {
  readonly name?: string | undefined;
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly kind?: string | undefined;
  readonly reply?: string | undefined;
  readonly path?: string | undefined;
  readonly encoding?: string | undefined;
  readonly auth?: string | undefined;
  readonly secret?: string | undefined;
  readonly seed?: string | undefined;
  readonly model: readonly string[];
}

export async function askOwnEndpoint(
  options: EndpointOptions,
  baseUrl: string,
  ask: Ask,
): Promise<Checked<OwnEndpoint>> {
  const kind = await ask({
    option: '--kind',
    given: options.kind,
    asks: 'What does the endpoint generate?',
    choices: KINDS.map((each) => [each, KIND_NAMES[each]] as const),
    fallback: 'text-to-image',
    parse: oneOf(KINDS),
  });
  if (!kind.ok) return kind;
  // A base URL often ends in the version already.
  const version = /\/v\d+\/?$/.test(baseUrl) ? '' : '/v1';
  const ofOpenai = `${version}${isVideo(kind.value) ? '/videos' : '/images/generations'}`;
  const path = await ask({
    option: '--path',
    given: options.path,
    asks: `Path of the request, below the base URL (OpenAI: ${ofOpenai})`,
    fallback: options.reply === 'openai' || isVideo(kind.value) ? ofOpenai : `${version}/generate`,
    parse: parsePath,
  });
  if (!path.ok) return path;
  const reply = await ask({
    option: '--reply',
    given: options.reply,
    asks: 'How does the reply contain the output?',
    choices: REPLIES.map((each) => [each, REPLY_MEANINGS[each]] as const),
    fallback: isVideo(kind.value) ? 'job' : path.value.endsWith('/images/generations') ? 'openai' : 'bytes',
    parse: (text) => parseReply(text, kind.value),
  });
  if (!reply.ok) return reply;
  const encoding = await ask({
    option: '--encoding',
    given: options.encoding,
    asks: 'How is the request encoded?',
    choices: [
      ['json', 'a JSON body'],
      ['multipart', 'a form (multipart/form-data)'],
    ],
    fallback: 'json',
    parse: oneOf(ENCODINGS),
  });
  if (!encoding.ok) return encoding;
  const key = await askKey(options, baseUrl, ask);
  if (!key.ok) return key;
  const seed = await ask({
    option: '--seed',
    given: options.seed,
    asks: 'Which output does the same seed give?',
    choices: [
      ['exact', 'the same output'],
      ['similar', 'a similar output'],
      ['none', 'any: the endpoint takes no seed'],
    ],
    fallback: 'similar',
    parse: oneOf(SEED_PROMISES),
  });
  if (!seed.ok) return seed;
  const answers = { kind: kind.value, baseUrl, reply: reply.value, encoding: encoding.value, path: path.value };
  return { ok: true, value: { by: 'own', ...answers, key: key.value, seed: seed.value } };
}

const REPLY_MEANINGS: Readonly<Record<Reply, string>> = {
  openai: 'as the image API of OpenAI does: base64 in data',
  bytes: 'the body of the reply is the output',
  url: 'JSON with a URL of the output',
  base64: 'JSON with the output in base64',
  job: 'a job to poll, then a URL',
};

function parseReply(text: string, kind: Kind): Checked<Reply> {
  const reply = oneOf(REPLIES)(text);
  if (!reply.ok || reply.value !== 'openai' || !isVideo(kind)) return reply;
  const remedy = `write job, or use the preset openai/${kind} with --base-url`;
  return refused('openai is the image API of OpenAI, which makes no videos', remedy);
}

function parsePath(text: string): Checked<string> {
  if (/^\/[^\s?#]*$/.test(text)) return { ok: true, value: text };
  return refused(
    `"${text}" is not a path`,
    'begin it with a slash, as /generate, without query; put parameters into submit.query',
  );
}

async function askKey({ auth, secret }: EndpointOptions, baseUrl: string, ask: Ask): Promise<Checked<KeyPlace>> {
  const place = await ask({
    option: '--auth',
    given: auth,
    asks: 'Where does the request contain the key? bearer, none, header:NAME or query:NAME',
    fallback: secret === undefined && isLocalUrl(baseUrl) ? 'none' : 'bearer',
    parse: parseKeyPlace,
  });
  if (!place.ok) return place;
  if (place.value.in === 'none') {
    if (secret === undefined) return { ok: true, value: { in: 'none' } };
    return refused('--secret names a key, but --auth is none', 'remove one of them');
  }
  const variable = await ask({
    option: '--secret',
    given: secret,
    asks: 'Environment variable that holds the key; none: the endpoint needs no key',
    fallback: defaultSecret(baseUrl),
    parse: (text) =>
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
        ? { ok: true, value: text }
        : refused('it is not the name of an environment variable', 'write the name, such as MY_API_KEY; never the key'),
  });
  if (!variable.ok) return variable;
  return { ok: true, value: variable.value === 'none' ? { in: 'none' } : { ...place.value, secret: variable.value } };
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
