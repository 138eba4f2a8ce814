import { createHash } from 'node:crypto';

/**
 * `'self'` is the server of a page and, in Chromium, this machine's files for a page that was opened from one; other
 * browsers need `file:`, which a page from a network cannot load.
 */
const BESIDE = "data: 'self' file:";

/**
 * Allows nothing from a network except the page's own origin, and one style sheet and one script by the SHA-256 of
 * their exact text: an injected script or style does not run.
 *
 * @param script null for a page without script, which may show only an empty icon
 */
export function contentSecurityPolicy(style: string, script: string | null): string {
  return [
    "default-src 'none'",
    ...(script === null ? ['img-src data:'] : [`img-src ${BESIDE}`, `media-src ${BESIDE}`]),
    `style-src ${sourceDigest(style)}`,
    ...(script === null ? [] : [`script-src ${sourceDigest(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The SHA-256 of the exact text, as a policy names it. */
export function sourceDigest(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}
