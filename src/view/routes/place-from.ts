/** From 0; 0 where the query asks for none. */
export function placeFrom(asked: unknown, of: number): number {
  if (typeof asked !== 'string' || !/^\d{1,9}$/.test(asked)) return 0;
  return Math.min(Number(asked), Math.max(0, of - 1));
}
