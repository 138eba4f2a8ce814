import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, isList, isObject, type JsonObject } from '../kit/json.ts';
import type { Case } from '../suite/suite.ts';
import type { Credential, SignedCredential } from './credential.ts';
import { type CaseProblem, caseValues, type JudgeQuestion } from './inputs.ts';
import { type FileForm, FileValue, ImageText, type SentImage } from './language/filter.ts';
import { isHeaderValue } from './language/json-limits.ts';
import {
  isRenderedJson,
  plainJson,
  type Rendered,
  type RenderedJson,
  renderTemplate,
  renderValue,
  type Template,
  type TemplateScope,
} from './language/template.ts';
import { encodeForPath, joinBelow } from './request/follow-up-request.ts';
import type { BodyRule, Endpoint, Target } from './target.ts';

/** Plain data; the body is not yet serialised. */
export interface RenderedRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  /** Absolute, without the credential. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Separate, because it is only sent to `origins.auth`. */
  readonly credential: Credential | SignedCredential | null;
  readonly body: WireBody;
  /** For the requests that follow it, and the cost that its reply states. */
  readonly constants: JsonObject;
}

export type WireBody =
  | { readonly encoding: 'none' }
  | { readonly encoding: 'json'; readonly value: RenderedJson }
  | { readonly encoding: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly encoding: 'multipart'; readonly boundary: string; readonly parts: readonly WirePart[] }
  | { readonly encoding: 'raw'; readonly content: string | SentImage };

export type WirePart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: SentImage };

/** What differs between requests of a variant. A null seed is left out. */
export interface RequestInputs {
  readonly case: Case;
  readonly seed: number | null;
}

export interface RequestScope {
  /** Absolute; for `embedded:` that of the reference service of the run. */
  readonly baseUrl: string;
  /** For every name in `target.secrets`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** `${run.unique}`: by default a new UUID for each submit. */
  readonly unique?: string;
  /** Determines the boundary of a multipart body, so that equal requests have equal bytes. */
  readonly digest: string;
}

/** The submit of a variant. Throws if `resolveVariants` refuses the variant or case, or a secret is missing. */
export function renderSubmit(variant: Endpoint, inputs: RequestInputs, scope: RequestScope): RenderedRequest {
  return finish(variant, renderParts(variant, inputs, scope, 'bytes'), scope);
}

/** The request of a judge. Throws if `resolveJudge` refuses the judge, or a secret is missing. */
export function renderQuestion(judge: Endpoint, question: JudgeQuestion, scope: RequestScope): RenderedRequest {
  return finish(judge, renderNamed(judge, { judge: { ...question } }, [], scope, 'bytes'), scope);
}

/** Why a judge cannot be asked: templates that cannot be filled. */
export function refuseQuestion(judge: Endpoint): readonly string[] {
  const blank: JudgeQuestion = { instructions: '', content: [], schema: {} };
  const { problems, parts } = renderNamed(judge, { judge: { ...blank } }, [], blankScope(judge), 'digest');
  joinUrl('http://localhost', parts, problems);
  return [...new Set(problems)];
}

function finish(
  endpoint: Endpoint,
  { parts, problems }: ReturnType<typeof renderNamed>,
  scope: RequestScope,
): RenderedRequest {
  const credential = renderCredential(endpoint, scope.secrets, problems);
  const url = joinUrl(scope.baseUrl, parts, problems);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${endpoint.name}: ${problem}`);
  const { method, headers, body } = parts;
  return { method, url, headers, credential, body: finishBody(body, scope.digest), constants: endpoint.constants };
}

/**
 * SHA-256 (hex) of the rendered submit in a canonical form, without host, credential, secrets and unique values, files
 * replaced by their SHA-256. The same on every machine and deployment of the endpoint.
 */
export function requestDigest(variant: Endpoint, inputs: RequestInputs): string {
  const { parts } = renderParts(variant, inputs, blankScope(variant), 'digest');
  return createHash('sha256').update(canonicalJson(parts, withoutBytes)).digest('hex');
}

/** Why a variant cannot send a case: inputs that are not accepted, templates that cannot be filled. */
export function refuseRequest(variant: Endpoint, inputs: RequestInputs): readonly CaseProblem[] {
  const refused: CaseProblem[] = [];
  caseValues(inputs.case, inputs.seed, variant.target.inputs, refused);
  if (refused.length > 0) return refused;
  const { problems, parts } = renderParts(variant, inputs, blankScope(variant), 'digest');
  joinUrl('http://localhost', parts, problems);
  return [...new Set(problems)].map((cause) => ({ input: null, cause, remedy: `see ${variant.target.file}` }));
}

interface Parts {
  readonly method: RenderedRequest['method'];
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: UnfinishedBody;
}

type UnfinishedBody =
  | Exclude<WireBody, { encoding: 'multipart' }>
  | { readonly encoding: 'multipart'; readonly parts: readonly WirePart[] };

function renderParts(
  endpoint: Endpoint,
  inputs: RequestInputs,
  scope: Pick<RequestScope, 'secrets' | 'unique'>,
  files: FileForm,
): ReturnType<typeof renderNamed> {
  const refused: CaseProblem[] = [];
  const values = caseValues(inputs.case, inputs.seed, endpoint.target.inputs, refused);
  const problems = refused.map(({ cause }) => cause);
  return renderNamed(endpoint, { case: values }, problems, scope, files);
}

function renderNamed(
  { target, constants }: Endpoint,
  named: TemplateScope['values'],
  problems: string[],
  { secrets, unique = randomUUID() }: Pick<RequestScope, 'secrets' | 'unique'>,
  files: FileForm,
): { parts: Parts; problems: string[] } {
  const scope: TemplateScope = { values: { ...named, const: constants, secret: secrets, run: { unique } }, files };
  const { method, path, query, headers, body } = target.submit;
  const parts: Parts = {
    method,
    path: String(renderTemplate(path, scope, problems, encodeForPath) ?? ''),
    query: query.flatMap(([name, template]) => scalars(name, renderTemplate(template, scope, problems), problems)),
    headers: headers.flatMap(([name, template]) => headerOf(name, template, scope, problems)),
    body: renderBody(body, scope, problems),
  };
  checkFollowUps(target, scope, problems);
  return { parts, problems };
}

/** A constant in the address of a request that follows the submit must be known before the submit is charged. */
function checkFollowUps({ wait, hops }: Target, scope: TemplateScope, problems: string[]): void {
  const polled = wait?.until?.by === 'poll' ? [wait.until.request, ...wait.until.cancel] : [];
  for (const { template } of [...polled, ...hops.map(({ request }) => request)]) {
    const known = template.filter((part) => 'reference' in part && part.reference.namespace === 'const');
    renderTemplate([{ text: '' }, ...known], scope, problems);
  }
}

function renderBody(rule: BodyRule, scope: TemplateScope, problems: string[]): UnfinishedBody {
  switch (rule.encoding) {
    case 'none':
      return rule;
    case 'json': {
      const value = renderValue(rule.value, scope, problems) ?? null;
      if (isRenderedJson(value)) return { encoding: 'json', value };
      problems.push('an image cannot be put into JSON directly; use the b64 or data_uri filter');
      return { encoding: 'json', value: null };
    }
    case 'raw': {
      const content = renderTemplate(rule.content, scope, problems);
      if (content instanceof FileValue) return { encoding: 'raw', content: content.image };
      if (typeof content === 'string' || content instanceof ImageText)
        return { encoding: 'raw', content: String(content) };
      problems.push('a raw body must be one text or one image; use the str filter, or ${case.image | file}');
      return { encoding: 'raw', content: '' };
    }
    case 'form':
      return {
        encoding: 'form',
        fields: rule.fields.flatMap(([name, value]) => scalars(name, renderValue(value, scope, problems), problems)),
      };
    case 'multipart':
      return {
        encoding: 'multipart',
        parts: rule.fields.flatMap(([name, value]) => {
          const rendered = renderValue(value, scope, problems);
          const items = isList(rendered) ? rendered : [rendered];
          return items.flatMap((item): readonly WirePart[] =>
            item instanceof FileValue
              ? [{ name, file: item.image }]
              : scalars(name, item, problems).map(([, text]) => ({ name, value: text })),
          );
        }),
      };
  }
}

/** The value as text, one entry per item of a list; empty if undefined. */
function scalars(
  name: string,
  value: Rendered | undefined,
  problems: string[],
): readonly (readonly [name: string, text: string])[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.flatMap((item) => scalars(name, item, problems));
  if (typeof value !== 'object' || value instanceof ImageText) return [[name, String(value)]];
  const [what, filter] = value instanceof FileValue ? ['an image', 'b64'] : ['an object', 'str'];
  problems.push(`"${name}" would be ${what}, and must be text; use the ${filter} filter`);
  return [];
}

function headerOf(
  name: string,
  template: Template,
  scope: TemplateScope,
  problems: string[],
): readonly (readonly [string, string])[] {
  return scalars(name, renderTemplate(template, scope, problems), problems).map(([, text]) => {
    if (!isHeaderValue(text)) problems.push(`the header "${name}" would hold characters that are not valid in headers`);
    return [name, text];
  });
}

function renderCredential(
  { target: { auth, sign, secrets: needed }, constants }: Endpoint,
  secrets: Readonly<Record<string, string>>,
  problems: string[],
): RenderedRequest['credential'] {
  // Only a server on this machine may lack its key: it is called without.
  if (auth === undefined || needed.some((name) => secrets[name] === undefined)) return null;
  const scope: TemplateScope = { values: { secret: secrets, const: constants }, files: 'bytes' };
  const place = { in: auth.in, name: auth.in === 'header' ? auth.name.toLowerCase() : auth.name };
  const text = (template: Template) => String(renderTemplate([{ text: '' }, ...template], scope, problems));
  const check = (value: string) => {
    if (auth.in === 'header' && !isHeaderValue(value))
      problems.push('the credential holds characters that are not valid in headers');
  };
  if (sign === undefined) {
    const value = text(auth.value);
    if (value === '') problems.push('the credential of auth is empty');
    check(value);
    return { ...place, value };
  }
  const at = auth.value.findIndex((part) => 'reference' in part && part.reference.namespace === 'run');
  const [before, after] = [text(auth.value.slice(0, at)), text(auth.value.slice(at + 1))];
  check(`${before}.${after}`);
  const { expiresMs, notBeforeMs } = sign;
  const claims = plainJson(renderValue(sign.claims, scope, problems) ?? {})?.json;
  const jwt = { key: text(sign.key), claims: isObject(claims) ? claims : {}, expiresMs, notBeforeMs };
  if (jwt.key === '') problems.push('the key of sign is empty');
  return { ...place, before, after, jwt };
}

function joinUrl(baseUrl: string, { path, query }: Parts, problems: string[]): string {
  const url = joinBelow(baseUrl, path);
  if (url === null) {
    problems.push(`the path "${path}" does not stay below the base URL`);
    return baseUrl;
  }
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}

function finishBody(body: UnfinishedBody, digest: string): WireBody {
  return body.encoding === 'multipart' ? { ...body, boundary: `----retake-${digest.slice(0, 32)}` } : body;
}

function blankScope({ target }: Endpoint): Pick<RequestScope, 'secrets' | 'unique'> {
  return { secrets: Object.fromEntries(target.secrets.map((name) => [name, ''])), unique: 'unique' };
}

function withoutBytes(item: object): object {
  return 'bytes' in item && 'sha256' in item && item.bytes instanceof Uint8Array
    ? { sha256: item.sha256, ...('form' in item ? { form: item.form } : {}) }
    : item;
}
