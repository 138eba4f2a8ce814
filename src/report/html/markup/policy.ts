import { createHash } from 'node:crypto';

/**
 * The page's Content-Security-Policy: nothing from anywhere, but images and videos that stand in the page itself, this
 * one style sheet and this one script, each named by the SHA-256 of its exact text. An injected script or style does not run.
 *
 * @param script null of a page that has none, and no image or video either
 */
export function contentSecurityPolicy(style: string, script: string | null): string {
  return [
    "default-src 'none'",
    ...(script === null ? [] : ['img-src data:', 'media-src data:']),
    `style-src 'sha256-${digest(style)}'`,
    ...(script === null ? [] : [`script-src 'sha256-${digest(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64');
}
