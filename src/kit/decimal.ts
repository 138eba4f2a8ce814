/** A number as JSON writes it (RFC 8259, section 6). */
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** A number in one form: equal numbers give equal texts, however long. Null for a text that JSON takes as no number. */
export function decimalOf(text: string): string | null {
  const [, sign, whole, fraction = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}

/** The nearest double of a number, also of one in a text; null for everything else, such as `true` and `[1]`. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && decimalOf(value) !== null ? Number(value) : null;
}

/** Whether a text is this number to the last digit. */
export function isSameNumber(text: string, number: number): boolean {
  const written = String(number);
  return text === written || decimalOf(text) === decimalOf(written);
}
