import { type Checked, refused } from '../../../kit/diagnostic.ts';
import { isLocalUrl } from '../../../kit/loopback.ts';
import { KIND_NAMES } from '../../../kit/names.ts';
import { name as suiteName } from '../../../kit/scalars.ts';
import { KINDS, type Kind } from '../../../suite/kind.ts';
import { parseBaseUrl } from '../../../targets/origins.ts';
import { commaSeparated, oneOf, type Question } from '../../../workflow/questions.ts';
import { ENCODINGS, isVideo, REPLIES, type Reply, SEED_PROMISES } from './endpoint.ts';

type NamedEndpoint =
  | { readonly by: 'preset'; readonly target: string }
  | { readonly by: 'own'; readonly baseUrl: string };

/** What `retake init` asks, in its order; some questions follow from earlier answers. */
export const QUESTIONS = {
  /** @param isUrl whether an option gives the answer */
  endpoint: (isUrl: boolean): Question<NamedEndpoint> => ({
    option: '--base-url',
    asks: 'Endpoint: the name of a preset (retake targets lists them), or the base URL of your own endpoint',
    fallback: 'reference/text-to-image',
    parse: (text) => {
      if (!isUrl && !/^\w+:\/\//.test(text)) return { ok: true, value: { by: 'preset', target: text } };
      const base = parseUrl(text);
      return base.ok ? { ok: true, value: { by: 'own', baseUrl: base.value } } : base;
    },
  }),

  kind: {
    option: '--kind',
    asks: 'What does the endpoint generate?',
    choices: KINDS.map((each) => [each, KIND_NAMES[each]] as const),
    fallback: 'text-to-image',
    parse: oneOf(KINDS),
  },

  /** @param reply as an option gives it */
  path: (kind: Kind, baseUrl: string, reply: string | undefined): Question<string> => {
    // A base URL often ends in the version already.
    const version = /\/v\d+\/?$/.test(baseUrl) ? '' : '/v1';
    const ofOpenai = `${version}${isVideo(kind) ? '/videos' : '/images/generations'}`;
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
    choices: REPLIES.map((each) => [each, REPLY_MEANINGS[each]] as const),
    fallback: isVideo(kind) ? 'job' : path.endsWith('/images/generations') ? 'openai' : 'bytes',
    parse: (text) => parseReply(text, kind),
  }),

  encoding: {
    option: '--encoding',
    asks: 'How is the request encoded?',
    choices: [
      ['json', 'a JSON body'],
      ['multipart', 'a form (multipart/form-data)'],
    ],
    fallback: 'json',
    parse: oneOf(ENCODINGS),
  },

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
    check: (models: readonly string[]) => Checked<readonly string[]>,
  ): Question<readonly string[]> => ({
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
