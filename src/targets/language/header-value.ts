/** Whether RFC 9110 allows it as a field value; control characters are refused. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.trim() === text;
}
