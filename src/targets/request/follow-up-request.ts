import type { Json, JsonObject } from '../../suite/document/json.ts';
import { isHeaderValue } from '../language/header-value.ts';
import { plainJson, renderTemplate, renderValue, type Scope, type ValueTemplate } from '../language/render-template.ts';
import type { Reference, Template } from '../language/write-template.ts';
import type { CancelRequest, FollowUp } from '../model/job.ts';
import { httpUrl } from '../model/origins.ts';
import { encodeForPath, joinBelow } from './url-path.ts';

/** A later request as it goes to the wire: only `${job.*}` is still open in it. */
export type BoundRequest = FollowUp;

/** A request that ends a job as it goes to the wire. */
export type BoundCancel = CancelRequest;

/** What follows a submit. */
export interface FollowUps {
  readonly poll: BoundRequest | null;
  readonly hops: readonly BoundRequest[];
  /** Sent where the job is abandoned. */
  readonly cancel: readonly BoundCancel[];
}

/** A later request with its job filled in. */
export interface RenderedLater {
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Fills in all but `${job.*}`. What goes wrong is added to `problems`. */
export function bindLater(request: FollowUp, scope: Scope, problems: string[]): BoundRequest {
  const encode = encoderOf(request);
  return {
    ...request,
    template: bindTemplate(request.template, scope, problems, encode),
    headers: request.headers.map(([name, value]) => [name, bindTemplate(value, scope, problems, (text) => text)]),
  };
}

/** Fills in all but `${job.*}` of a request that ends a job. */
export function bindCancel(request: CancelRequest, scope: Scope, problems: string[]): BoundCancel {
  const body = request.body === null ? null : bindValue(request.body, scope, problems);
  return { ...bindLater(request, scope, problems), method: request.method, body };
}

/** The request that ends a job, its body as JSON (null: none); or why it cannot be made of what was captured. */
export function renderCancel(
  request: BoundCancel,
  baseUrl: string,
  job: JsonObject,
): (RenderedLater & { readonly body: Json | null }) | { readonly problem: string } {
  const rendered = renderLater(request, baseUrl, job);
  if ('problem' in rendered || request.body === null)
    return 'problem' in rendered ? rendered : { ...rendered, body: null };
  const problems: string[] = [];
  const value = renderValue(request.body, { values: { job }, files: 'digest' }, problems);
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  return { ...rendered, body: plainJson(value ?? null)?.json ?? null };
}

/** The request for a job; or why it cannot be made of what was captured. */
export function renderLater(
  request: BoundRequest,
  baseUrl: string,
  job: JsonObject,
): RenderedLater | { readonly problem: string } {
  const { at, template, headers } = request;
  const problems: string[] = [];
  const scope: Scope = { values: { job }, files: 'digest' };
  const text = String(renderTemplate(template, scope, problems, encoderOf(request)) ?? '');
  const rendered = headers.map(([name, value]): [string, string] => [
    name,
    String(renderTemplate(value, scope, problems) ?? ''),
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

/** A URL as a reply gives it, a relative one taken from `against`; null where it is not an http or https URL. */
export function absoluteUrl(text: string, against: string): URL | null {
  return text !== '' && URL.canParse(text, against) ? httpUrl(new URL(text, against).href) : null;
}

/** What begins a URL comes unchanged; everything after it, and all of a path, is a value in a path. */
function encoderOf({ at, template }: FollowUp): (text: string, reference: Reference) => string {
  const [first] = template;
  const begins = at === 'url' && first !== undefined && 'reference' in first ? first.reference : null;
  return (text, reference) => (reference === begins ? text : encodeForPath(text, reference));
}

function bindValue(value: ValueTemplate, scope: Scope, problems: string[]): ValueTemplate {
  if ('literal' in value) return value;
  if ('list' in value) return { list: value.list.map((item) => bindValue(item, scope, problems)) };
  if ('object' in value) {
    return { object: value.object.map(([key, item]) => [key, bindValue(item, scope, problems)]) };
  }
  if ('set' in value) return value;
  return { template: bindTemplate(value.template, scope, problems, (text) => text) };
}

function bindTemplate(
  template: Template,
  scope: Scope,
  problems: string[],
  encode: (text: string, reference: Reference) => string,
): Template {
  return template.map((part) => {
    if ('text' in part || part.reference.namespace === 'job') return part;
    // Beside an empty text, so that it must be there and becomes text.
    return { text: String(renderTemplate([{ text: '' }, part], scope, problems, encode)) };
  });
}
