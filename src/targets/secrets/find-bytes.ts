export interface BytesFinder {
  /** Calls `found` for each match, in order, until it gives true; gives whether it did. */
  readonly some: (content: Uint8Array, visit: (at: number, needle: number) => boolean) => boolean;
}

/**
 * A finder for needles of 3 bytes or more, after Wu and Manber ("A fast algorithm for multi-pattern searching", 1994):
 * its time hardly depends on the number of needles.
 */
export function createFinder(needles: readonly Uint8Array[]): BytesFinder {
  const length = Math.min(...needles.map(({ byteLength }) => byteLength));
  if (needles.length === 0) return { some: () => false };
  if (length < 3) throw new Error('a needle has fewer than 3 bytes');
  const most = Math.min(255, length - 1);
  const shifts = new Uint8Array(65_536).fill(most);
  /** By the last two bytes of a needle's counted part. */
  const ending = new Map<number, number[]>();
  for (const [index, needle] of needles.entries()) {
    for (let end = 1; end < length; end += 1) {
      const block = ((needle[end - 1] ?? 0) << 8) | (needle[end] ?? 0);
      shifts[block] = Math.min(shifts[block] ?? 0, length - 1 - end, most);
      if (end === length - 1) ending.set(block, [...(ending.get(block) ?? []), index]);
    }
  }
  const stands = (content: Uint8Array, at: number, needle: Uint8Array): boolean => {
    if (at + needle.byteLength > content.byteLength) return false;
    for (let offset = 0; offset < needle.byteLength; offset += 1) {
      if (content[at + offset] !== needle[offset]) return false;
    }
    return true;
  };
  return {
    some: (content, visit) => {
      for (let end = length - 1; end < content.byteLength; ) {
        const block = ((content[end - 1] ?? 0) << 8) | (content[end] ?? 0);
        const shift = shifts[block] ?? 0;
        if (shift > 0) {
          end += shift;
          continue;
        }
        const at = end - length + 1;
        for (const index of ending.get(block) ?? []) {
          if (stands(content, at, needles[index] ?? content) && visit(at, index)) return true;
        }
        end += 1;
      }
      return false;
    },
  };
}
