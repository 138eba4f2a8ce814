/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';
/** Characters of an error message that are kept. */
export const MESSAGE_LENGTH = 300;

/**
 * Makes text of a reply or an error fit to get out: control characters gone, every secret replaced, shortened. A secret
 * is found as it is, percent-encoded, as in a query, in base64 and with JSON escapes, also where shortening would have cut it.
 */
export type Redact = (text: string, length?: number) => string;

/** @param secrets values that must not get out; empty ones are ignored, and more may be added later */
export function createRedact(secrets: readonly string[]): Redact {
  let known: { readonly forms: readonly string[]; readonly longest: number } | null = null;
  let count = 0;
  return (text, length = MESSAGE_LENGTH) => {
    // Only when there is a text: most calls have none.
    if (known === null || secrets.length !== count) known = allForms(secrets);
    count = secrets.length;
    const { forms, longest } = known;
    const window = 20 * length + longest;
    let clean = plainText(text.slice(0, window));
    for (const form of forms) clean = clean.replaceAll(form, REDACTED);
    if (text.length > window) clean = clean.slice(0, Math.max(0, clean.length - longest));
    return shorten(clean.trim(), length);
  };
}

function allForms(secrets: readonly string[]): { readonly forms: readonly string[]; readonly longest: number } {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))];
  forms.sort((a, b) => b.length - a.length); // a longer one may hold a shorter one
  return { forms, longest: forms[0]?.length ?? 0 };
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8'));
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  return [secret, base64, base64.replace(/=+$/, ''), json, encoded, form].filter((text) => text !== '');
}

/** White space as single spaces; other control characters and those that turn the direction of text removed. */
function plainText(text: string): string {
  return text
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not in the middle of a surrogate pair.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
