import type { Json, JsonObject } from '../../kit/json.ts';
import { isHeaderValue } from '../language/json-limits.ts';
import {
  plainJson,
  type Reference,
  renderTemplate,
  renderValue,
  type Template,
  type TemplateScope,
  type ValueTemplate,
} from '../language/template.ts';
import type { CancelRequest, FollowUp } from '../model/job.ts';
import { httpUrl } from '../origins.ts';

/** Constants and captured values may contain slashes (`owner/model`); other values stay within one segment. */
export function encodeForPath(text: string, { namespace }: Reference): string {
  const wellFormed = Buffer.from(text, 'utf8').toString('utf8');
  const encoded = encodeURIComponent(wellFormed);
  return namespace === 'const' || namespace === 'job' ? encoded.replaceAll('%2F', '/') : encoded;
}

/** The URL of a path below the base; null if it leads elsewhere. */
export function joinBelow(baseUrl: string, path: string): URL | null {
  const climbs = (path.split('?')[0] ?? '').split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  const below = path.startsWith('/') && !path.startsWith('//') && !path.includes('\\') && !climbs;
  if (!below || !URL.canParse(baseUrl + path)) return null;
  const url = new URL(baseUrl + path);
  url.hash = '';
  return url;
}

/** A follow-up in which only `${job.*}` is still open. */
export type BoundFollowUp = FollowUp;

export type BoundCancel = CancelRequest;

export interface FollowUps {
  readonly poll: BoundFollowUp | null;
  readonly hops: readonly BoundFollowUp[];
  readonly cancel: readonly BoundCancel[];
}

interface RenderedFollowUp {
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Fills in everything except `${job.*}`. Errors are added to `problems`. */
export function bindFollowUp(request: FollowUp, scope: TemplateScope, problems: string[]): BoundFollowUp {
  const encode = encoderOf(request);
  return {
    ...request,
    template: bindTemplate(request.template, scope, problems, encode),
    headers: request.headers.map(([name, value]) => [name, bindTemplate(value, scope, problems, (text) => text)]),
  };
}

export function bindCancel(request: CancelRequest, scope: TemplateScope, problems: string[]): BoundCancel {
  const body = request.body === null ? null : bindValue(request.body, scope, problems);
  return { ...bindFollowUp(request, scope, problems), method: request.method, body };
}

/** `body` is JSON; null: none. `problem`: a value that it needs was not captured, or does not fit. */
export function renderCancel(
  request: BoundCancel,
  baseUrl: string,
  job: JsonObject,
): (RenderedFollowUp & { readonly body: Json | null }) | { readonly problem: string } {
  const rendered = renderFollowUp(request, baseUrl, job);
  if ('problem' in rendered || request.body === null)
    return 'problem' in rendered ? rendered : { ...rendered, body: null };
  const problems: string[] = [];
  const value = renderValue(request.body, { values: { job }, files: 'digest' }, problems);
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  return { ...rendered, body: plainJson(value ?? null)?.json ?? null };
}

/** `problem`: a value that it needs was not captured, or does not fit. */
export function renderFollowUp(
  request: BoundFollowUp,
  baseUrl: string,
  job: JsonObject,
): RenderedFollowUp | { readonly problem: string } {
  const { at, template, headers } = request;
  const problems: string[] = [];
  const scope: TemplateScope = { values: { job }, files: 'digest' };
  const text = String(renderTemplate(template, scope, problems, encoderOf(request)) ?? '');
  const rendered = headers.map(([name, value]): [string, string] => [
    name,
    String(renderTemplate(value, scope, problems, (text) => text) ?? ''),
  ]);
  const unfit = rendered.find(([, value]) => !isHeaderValue(value));
  if (unfit !== undefined)
    problems.push(`the header "${unfit[0]}" would hold characters that are not valid in headers`);
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  const url = at === 'path' ? joinBelow(baseUrl, text) : absoluteUrl(text, baseUrl);
  if (url !== null) return { url, headers: rendered.filter(([, value]) => value !== '') };
  return {
    problem:
      at === 'path' ? `the path "${text}" does not stay below the base URL` : `"${text}" is not an http or https URL`,
  };
}

/** A URL of a reply, a relative one resolved against `against`; null if not http or https. */
export function absoluteUrl(text: string, against: string): URL | null {
  return text !== '' && URL.canParse(text, against) ? httpUrl(new URL(text, against).href) : null;
}

/** The beginning of a URL stays unchanged; later values, and all of a path, are escaped for a path. */
function encoderOf({ at, template }: FollowUp): (text: string, reference: Reference) => string {
  const [first] = template;
  const begins = at === 'url' && first !== undefined && 'reference' in first ? first.reference : null;
  return (text, reference) => (reference === begins ? text : encodeForPath(text, reference));
}

function bindValue(value: ValueTemplate, scope: TemplateScope, problems: string[]): ValueTemplate {
  if ('literal' in value) return value;
  if ('list' in value) return { list: value.list.map((item) => bindValue(item, scope, problems)) };
  if ('object' in value) {
    return { object: value.object.map(([key, item]) => [key, bindValue(item, scope, problems)]) };
  }
  if ('set' in value || 'each' in value) return value;
  return { template: bindTemplate(value.template, scope, problems, (text) => text) };
}

function bindTemplate(
  template: Template,
  scope: TemplateScope,
  problems: string[],
  encode: (text: string, reference: Reference) => string,
): Template {
  return template.map((part) => {
    if ('text' in part || part.reference.namespace === 'job') return part;
    // Beside an empty text, so that the value is required and becomes text.
    return { text: String(renderTemplate([{ text: '' }, part], scope, problems, encode)) };
  });
}
