export interface RequestedRange {
  readonly first: number;
  readonly last: number;
}

/**
 * RFC 9110, section 14.1.2. Null where no range is asked for, or what may be answered with the whole file: another
 * unit, several ranges. `unsatisfiable` where the range begins after the end.
 *
 * @param bytes of the file
 */
export function byteRange(header: string | undefined, bytes: number): RequestedRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (match === null) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const suffix = Math.min(Number(to), bytes);
    return suffix === 0 ? 'unsatisfiable' : { first: bytes - suffix, last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first >= bytes) return 'unsatisfiable';
  return last < first ? null : { first, last };
}
