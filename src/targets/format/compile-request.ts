import type { Path } from '../../kit/document.ts';
import type { Json } from '../../kit/json.ts';
import { type Namespace, referencesOf, type Template } from '../language/write-template.ts';
import { type InputRule, type Inputs, sideProblem } from '../model/inputs.ts';
import { type OriginPattern, type Origins, parseOriginPattern } from '../model/origins.ts';
import type { Auth, BodyRule, CompiledRequest, Sign } from '../model/target.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Compiler, Nameable } from './compile.ts';
import type { DeclaredInput, DeclaredTarget } from './schema.ts';
import { compileStored } from './stored-body.ts';

const IN_SUBMIT: readonly Nameable[] = ['case', 'const', 'secret', 'run.unique'];
const IN_JUDGE: readonly Nameable[] = ['judge', 'const', 'secret', 'run.unique'];
const IN_AUTH: readonly Namespace[] = ['secret', 'const'];
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const OURS = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function compileBaseUrl(text: string, { refuse }: Compiler): string {
  const parsed = parseBaseUrl(text);
  if (parsed.ok) return parsed.baseUrl;
  refuse(['base_url'], parsed.cause, parsed.remedy);
  return text;
}

export function compileAuth({ auth: declared, sign }: DeclaredTarget, compiler: Compiler): Auth | null {
  if (declared === undefined) return null;
  if (declared.in === 'header') checkHeaderName(['auth', 'name'], declared.name, compiler);
  const allowed: readonly Namespace[] = sign === undefined ? IN_AUTH : [...IN_AUTH, 'run'];
  const value = compiler.template(['auth', 'value'], declared.value, allowed);
  // A literal key would be copied into every record.
  if (sign === undefined && !declared.value.includes('${')) {
    compiler.refuse(
      ['auth', 'value'],
      'must take the key from the environment',
      'write "${secret.NAME}", as in "Bearer ${secret.API_KEY}"',
    );
  }
  if (sign !== undefined) checkToken(value, compiler);
  return { in: declared.in, name: declared.name, value };
}

/** The one value of a run that a credential can contain: its token, once. */
function checkToken(value: Template, { refuse }: Compiler): void {
  const tokens = referencesOf(value).filter(({ namespace }) => namespace === 'run');
  const [token] = tokens;
  const whole = token?.path.join('.') === 'jwt' && token.filters.length === 0;
  if (tokens.length === 1 && whole) return;
  refuse(['auth', 'value'], 'sign needs the token exactly once', 'write "Bearer ${run.jwt}"');
}

export function compileSign(declared: DeclaredTarget['sign'], auth: Auth | null, compiler: Compiler): Sign | null {
  if (declared === undefined) return null;
  if (auth === null) compiler.refuse(['sign'], 'no template uses the token', 'add auth with "${run.jwt}"', 'key');
  return {
    key: compiler.template(['sign', 'key'], declared.key, IN_AUTH),
    claims: compiler.value(['sign', 'claims'], declared.claims, IN_AUTH),
    expiresMs: declared.expires_in,
    notBeforeMs: declared.not_before ?? null,
  };
}

/** Null if a submit is never repeated. */
export function compileKeyHeader(
  { submit, key_header: name }: DeclaredTarget['retry'],
  compiler: Compiler,
): string | null {
  const path = ['retry', 'key_header'];
  if (name !== undefined) checkHeaderName(path, name, compiler);
  if (submit === 'never' && name !== undefined) {
    compiler.refuse(
      path,
      'a submit that is never sent again needs no key',
      'add submit: idempotent, or remove it',
      'key',
    );
  }
  if (submit === 'idempotent' && name === undefined) {
    const cause = 'without a key the endpoint cannot tell a repeated submit from a new one';
    compiler.refuse(['retry', 'submit'], cause, 'add key_header: the name of its header');
  }
  return submit === 'idempotent' ? (name?.toLowerCase() ?? null) : null;
}

export function compileOrigins(declared: DeclaredTarget['origins'], { refuse }: Compiler): Origins {
  const read = (list: 'auth' | 'download'): readonly OriginPattern[] =>
    declared[list].flatMap((text, index) => {
      const path = ['origins', list, index];
      const pattern = parseOriginPattern(text);
      if (pattern === null) {
        refuse(path, `"${text}" is not a valid origin`, 'write base, https://host, https://*.host or "*"');
        return [];
      }
      if (pattern.match === 'any' && list === 'auth') {
        refuse(path, 'credentials cannot go to every host', 'name the origins that need them');
        return [];
      }
      return [pattern];
    });
  return { auth: read('auth'), download: read('download'), allowPrivate: declared.allow_private };
}

export function compileInputs({ seed, ...others }: DeclaredTarget['inputs'], { refuse }: Compiler): Inputs {
  const rules = Object.entries(others).map(([name, declared]) => {
    if (declared.as === 'enum' && (declared.map === undefined) === (declared.values === undefined)) {
      refuse(['inputs', name], `"${name}" needs either values or map`, 'list what the endpoint takes');
    }
    const rule = ruleOf(declared);
    if (rule.as === 'pixels') reportSizes(['inputs', name], rule, refuse);
    return [name, rule] as const;
  });
  return {
    seed: {
      min: seed?.min ?? 0,
      max: seed?.max ?? 4_294_967_295,
      omitMeans: seed?.omit_means ?? 'unknown',
      claim: seed?.claim ?? 'none',
    },
    others: Object.fromEntries(rules),
  };
}

/** A size of the map that the limits refuse could never be requested. */
function reportSizes(
  path: Path,
  { map, ...limits }: Extract<InputRule, { as: 'pixels' }>,
  refuse: Compiler['refuse'],
): void {
  const { min, max } = limits;
  if (min !== null && max !== null && min > max)
    refuse([...path, 'min'], `min ${min} is above max ${max}`, 'write min <= max');
  for (const [ratio, size] of Object.entries(map ?? {})) {
    const problem = size
      .split('x')
      .map((side) => sideProblem(Number(side), limits))
      .find((found) => found !== null);
    if (problem !== undefined) refuse([...path, 'map', ratio], `${size}: ${problem.cause}`, problem.remedy);
  }
}

function ruleOf(declared: DeclaredInput): InputRule {
  switch (declared.as) {
    case 'number':
      return { as: 'number', min: declared.min ?? null, max: declared.max ?? null, whole: declared.whole };
    case 'enum':
      if (declared.values !== undefined) return { as: 'values', values: declared.values };
      return { as: 'enum', map: declared.map ?? null };
    case 'ratio':
      return { as: 'ratio', map: declared.map ?? null };
    case 'text':
      return { as: 'text' };
    case 'pixels':
      return {
        as: 'pixels',
        map: declared.map ?? null,
        min: declared.min ?? null,
        max: declared.max ?? null,
        multipleOf: declared.multiple_of ?? null,
      };
  }
}

export function compileRequest(
  { kind, submit: declared }: Pick<DeclaredTarget, 'kind' | 'submit'>,
  stored: Json | null,
  compiler: Compiler,
): CompiledRequest {
  const { method, path } = declared;
  const allowed = kind === 'judge' ? IN_JUDGE : IN_SUBMIT;
  if (!path.startsWith('/') && !path.startsWith('${')) {
    compiler.refuse(['submit', 'path'], `the path "${path}" is not below base_url`, 'begin it with "/"');
  }
  return {
    method,
    path: compiler.template(['submit', 'path'], path, allowed),
    query: namedTemplates('query', declared.query ?? {}, allowed, compiler),
    headers: namedTemplates('headers', declared.headers ?? {}, allowed, compiler).map(([name, value]) => {
      checkHeaderName(['submit', 'headers', name], name, compiler);
      if (declared.encoding === 'multipart' && name.toLowerCase() === 'content-type') {
        const cause = 'the content type of multipart names its boundary, which Retake chooses';
        compiler.refuse(['submit', 'headers', name], cause, 'remove it', 'key');
      }
      return [name.toLowerCase(), value];
    }),
    body:
      declared.body_file === undefined
        ? compileBody(declared, allowed, compiler)
        : compileBodyFile(declared, stored, allowed, compiler),
  };
}

function compileBodyFile(
  { method, encoding, body, set = {} }: DeclaredTarget['submit'],
  stored: Json | null,
  allowed: readonly Nameable[],
  compiler: Compiler,
): BodyRule {
  const path: Path = ['submit', 'body_file'];
  if (body !== undefined)
    compiler.refuse(path, 'body and body_file exclude each other', 'keep body or body_file', 'key');
  if (encoding !== 'json') compiler.refuse(path, `a stored document is not a ${encoding} body`, 'write encoding: json');
  if (method === 'GET') compiler.refuse(path, 'a GET has no body', 'use submit.query, or another method', 'key');
  if (stored === null) {
    compiler.refuse(path, 'the stored document was not read', 'load the target by its file');
    return { encoding: 'none' };
  }
  return { encoding: 'json', value: compileStored(stored, set, ['submit', 'set'], allowed, compiler) };
}

function compileBody(
  { method, encoding, body, set }: DeclaredTarget['submit'],
  allowed: readonly Nameable[],
  compiler: Compiler,
): BodyRule {
  const path: Path = ['submit', 'body'];
  if (set !== undefined) compiler.refuse(['submit', 'set'], '"set" needs body_file', 'add body_file', 'key');
  if (body === undefined) return { encoding: 'none' };
  if (method === 'GET') compiler.refuse(path, 'a GET has no body', 'use submit.query, or another method', 'key');
  if (encoding === 'json') return { encoding, value: compiler.value(path, body, allowed) };
  if (encoding === 'raw') {
    if (typeof body === 'string') return { encoding, content: compiler.template(path, body, allowed) };
    compiler.refuse(path, 'a raw body is one text', 'write "${case.image | file}" or a text');
    return { encoding: 'none' };
  }
  const value = compiler.value(path, body, allowed);
  if ('object' in value) return { encoding, fields: value.object };
  compiler.refuse(path, `a ${encoding} body has named fields`, 'write a mapping of names to values');
  return { encoding: 'none' };
}

function namedTemplates(
  key: 'query' | 'headers',
  declared: Readonly<Record<string, string>>,
  allowed: readonly Nameable[],
  compiler: Compiler,
): readonly (readonly [string, Template])[] {
  return Object.entries(declared).map(([name, text]) => [
    name,
    compiler.template(['submit', key, name], text, allowed),
  ]);
}

export function checkHeaderName(path: Path, name: string, { refuse }: Compiler): void {
  if (!TOKEN.test(name)) refuse(path, `"${name}" is not a valid header name`, 'write letters, digits and dashes');
  else if (OURS.includes(name.toLowerCase())) refuse(path, `the header "${name}" is set by Retake`, 'remove it', 'key');
}
