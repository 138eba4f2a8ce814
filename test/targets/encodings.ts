const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const percent = (text: string) => [...Buffer.from(text, 'utf8')].map((byte) => `%${hex(byte, 2)}`).join('');
const html = (text: string) =>
  text.replace(/[&<>"']/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '&#39;');

/** The encodings that servers, frameworks and proxies write text in. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in small letters': (text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded to the last letter': percent,
  'a form field': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1),
  'JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON in ASCII': (text) => [...text].map((one) => `\\u${hex(one.charCodeAt(0), 4).toUpperCase()}`).join(''),
  HTML: html,
  'HTML twice': (text) => html(html(text)),
  'HTML, numeric': (text) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  'HTML, hexadecimal': (text) => [...text].map((one) => `&#x${hex(one.charCodeAt(0), 1).toUpperCase()};`).join(''),
  'JSON in HTML': (text) => html(JSON.stringify(text)),
  capitals: (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 behind a user': (text) => Buffer.from(`user:${text}`).toString('base64'),
  'base64 behind another': (text) => Buffer.from(`k=${text}`).toString('base64'),
};
/** The text in the encoding of that name. */
export const encode = (name: string, text: string) => ENCODINGS[name]?.(text) ?? text;

/** Whether a text still holds the secret in the encoding of that name. */
export function isLeft(text: string, name: string, secret: string): boolean {
  const written = encode(name, secret);
  if (!name.startsWith('base64 ')) return text.includes(written);
  // Behind other bytes the ends are shared with them; a few letters between the ends stand anywhere by chance.
  const own = written.slice(6, -4);
  return own.length >= 6 && text.includes(own);
}
