import { createHash } from 'node:crypto';

/**
 * Images and videos: what stands in the page, and the files beside it. `'self'` is where a server hands the page out, and in
 * Chromium the files of this machine where it was opened from one; other browsers need to be told `file:`, which no page from a network
 * can load.
 */
const BESIDE = "data: 'self' file:";

/**
 * The page's Content-Security-Policy: nothing from a network but where it comes from itself. It has images and videos, this
 * one style sheet and this one script, each named by the SHA-256 of its exact text. An injected script or style does not run.
 *
 * @param script null of a page that has none, and no image or video but an empty icon
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

/** What names a style sheet or a script in a policy: the SHA-256 of its exact text. */
export function sourceDigest(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}
