import type { Json, JsonObject } from '../../kit/json.ts';
import { isHeaderValue } from '../language/json-limits.ts';
import { plainJson, type Reference, renderTemplate, renderValue } from '../language/template.ts';
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

/** What follow-ups may name: what earlier replies gave, and the constants of the call. */
export interface FollowUpValues {
  readonly job: JsonObject;
  readonly const: JsonObject;
}

interface RenderedFollowUp {
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** `body` is JSON; null: none. `problem`: a value that it needs was not captured, or does not fit. */
export function renderCancel(
  request: CancelRequest,
  baseUrl: string,
  values: FollowUpValues,
): (RenderedFollowUp & { readonly body: Json | null }) | { readonly problem: string } {
  const rendered = renderFollowUp(request, baseUrl, values);
  if ('problem' in rendered || request.body === null)
    return 'problem' in rendered ? rendered : { ...rendered, body: null };
  const problems: string[] = [];
  const value = renderValue(request.body, scopeOf(values), problems);
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  return { ...rendered, body: plainJson(value ?? null)?.json ?? null };
}

/** `problem`: a value that it needs was not captured, or does not fit. */
export function renderFollowUp(
  request: FollowUp,
  baseUrl: string,
  values: FollowUpValues,
): RenderedFollowUp | { readonly problem: string } {
  const { at, template, headers } = request;
  const problems: string[] = [];
  const scope = scopeOf(values);
  const text = String(renderTemplate(template, scope, problems, encoderOf(request)) ?? '');
  const rendered = headers.map(([name, value]): [string, string] => [
    name.toLowerCase(),
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

function scopeOf({ job, const: constants }: FollowUpValues) {
  return { values: { job, const: constants }, files: 'digest' } as const;
}
