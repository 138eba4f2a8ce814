/** What a browser says of the page that made it send a request; other clients say nothing. */
export interface Fetched {
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
  readonly 'sec-fetch-dest'?: string | string[] | undefined;
}

/**
 * Whether a page of another site makes the browser load something from here, such as an image, which sends no `Origin`. Another port
 * of this machine is another site too. A link that somebody follows to a whole page is none.
 */
export function isLoadedByForeignSite(headers: Fetched): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return !(headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
}
