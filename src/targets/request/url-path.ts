import type { Reference } from '../language/write-template.ts';

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
