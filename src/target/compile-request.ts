import type { Path } from '../suite/document.ts';
import type { Compiler } from './compile.ts';
import type { InputRule, Inputs } from './inputs.ts';
import { httpUrl, type OriginPattern, type Origins, parseOriginPattern } from './origins.ts';
import type { DeclaredInput, DeclaredTarget } from './schema.ts';
import { type Auth, type BodyRule, EMBEDDED, type Submit } from './target.ts';
import type { Namespace, Template } from './write-template.ts';

const IN_SUBMIT: readonly Namespace[] = ['case', 'const', 'secret'];
const IN_AUTH: readonly Namespace[] = ['secret', 'const'];
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that belong to the transport or the encoding. */
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

/** What stands in the way of a base URL; null where nothing does. `embedded:` is one. */
function refuseBaseUrl(text: string): { readonly cause: string; readonly remedy: string } | null {
  if (text === EMBEDDED) return null;
  const url = httpUrl(text);
  if (url === null) return { cause: `"${text}" is no absolute http or https URL`, remedy: 'write https://host/path' };
  if (url.username !== '' || url.password !== '') {
    return { cause: 'the base URL holds a user or password', remedy: 'put credentials into auth, from ${secret.NAME}' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { cause: 'the base URL has a query or fragment', remedy: 'put parameters into submit.query' };
  }
  return null;
}

/** The base URL as targets and variants keep it: normalised, without a slash at its end. */
function normalBaseUrl(text: string): string {
  return text === EMBEDDED ? text : (httpUrl(text)?.href ?? text).replace(/\/+$/, '');
}

export function compileBaseUrl(text: string, { report }: Compiler): string {
  const refusal = refuseBaseUrl(text);
  if (refusal !== null) report(['base_url'], refusal.cause, refusal.remedy);
  return normalBaseUrl(text);
}

export function compileAuth(declared: DeclaredTarget['auth'], compiler: Compiler): Auth | null {
  if (declared === undefined) return null;
  if (declared.in === 'header') checkHeaderName(['auth', 'name'], declared.name, compiler);
  const value = compiler.template(['auth', 'value'], declared.value, IN_AUTH);
  return { in: declared.in, name: declared.name, value };
}

export function compileOrigins(declared: DeclaredTarget['origins'], { report }: Compiler): Origins {
  const read = (list: 'auth' | 'download'): readonly OriginPattern[] =>
    declared[list].flatMap((text, index) => {
      const path = ['origins', list, index];
      const pattern = parseOriginPattern(text);
      if (pattern === null) {
        report(path, `"${text}" is no origin`, 'write base, https://host, https://*.host or "*"');
        return [];
      }
      if (pattern.match === 'any' && list === 'auth') {
        report(path, 'credentials cannot go to every host', 'name the origins that need them');
        return [];
      }
      return [pattern];
    });
  return { auth: read('auth'), download: read('download'), allowPrivate: declared.allow_private };
}

export function compileInputs({ seed, ...others }: DeclaredTarget['inputs'], { report }: Compiler): Inputs {
  const rules = Object.entries(others).map(([name, declared]) => {
    if (declared.as === 'enum' && (declared.map === undefined) === (declared.values === undefined)) {
      report(['inputs', name], `"${name}" needs either values or map`, 'list what the endpoint takes');
    }
    return [name, ruleOf(declared)] as const;
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

function ruleOf(declared: DeclaredInput): InputRule {
  switch (declared.as) {
    case 'number':
      return { as: 'number', min: declared.min ?? null, max: declared.max ?? null, whole: declared.whole };
    case 'enum':
      if (declared.values !== undefined) return { as: 'values', values: declared.values };
      return { as: 'enum', map: declared.map ?? null };
    case 'ratio':
      return { as: 'ratio', map: declared.map ?? null };
    case 'pixels':
      return { as: 'pixels', map: declared.map ?? null };
  }
}

export function compileSubmit(declared: DeclaredTarget['submit'], compiler: Compiler): Submit {
  const { method, path } = declared;
  if (!path.startsWith('/') && !path.startsWith('${')) {
    compiler.report(['submit', 'path'], `the path "${path}" is not below base_url`, 'begin it with "/"');
  }
  return {
    method,
    path: compiler.template(['submit', 'path'], path, IN_SUBMIT),
    query: namedTemplates('query', declared.query ?? {}, compiler),
    headers: namedTemplates('headers', declared.headers ?? {}, compiler).map(([name, value]) => {
      checkHeaderName(['submit', 'headers', name], name, compiler);
      if (declared.encoding === 'multipart' && name.toLowerCase() === 'content-type') {
        const cause = 'the content type of multipart names its boundary, which Retake chooses';
        compiler.report(['submit', 'headers', name], cause, 'remove it', 'key');
      }
      return [name.toLowerCase(), value];
    }),
    body: compileBody(declared, compiler),
  };
}

function compileBody({ method, encoding, body }: DeclaredTarget['submit'], compiler: Compiler): BodyRule {
  const path: Path = ['submit', 'body'];
  if (body === undefined) return { encoding: 'none' };
  if (method === 'GET') compiler.report(path, 'a GET has no body', 'use submit.query, or another method', 'key');
  if (encoding === 'json') return { encoding, value: compiler.value(path, body, IN_SUBMIT) };
  if (encoding === 'raw') {
    if (typeof body === 'string') return { encoding, content: compiler.template(path, body, IN_SUBMIT) };
    compiler.report(path, 'a raw body is one text', 'write "${case.image | file}" or a text');
    return { encoding: 'none' };
  }
  const value = compiler.value(path, body, IN_SUBMIT);
  if ('object' in value) return { encoding, fields: value.object };
  compiler.report(path, `a ${encoding} body has named fields`, 'write a mapping of names to values');
  return { encoding: 'none' };
}

function namedTemplates(
  key: 'query' | 'headers',
  declared: Readonly<Record<string, string>>,
  compiler: Compiler,
): readonly (readonly [string, Template])[] {
  return Object.entries(declared).map(([name, text]) => [
    name,
    compiler.template(['submit', key, name], text, IN_SUBMIT),
  ]);
}

export function checkHeaderName(path: Path, name: string, { report }: Compiler): void {
  if (!TOKEN.test(name)) report(path, `"${name}" is no header name`, 'write letters, digits and dashes');
  else if (OURS.includes(name.toLowerCase())) report(path, `the header "${name}" is set by Retake`, 'remove it', 'key');
}
