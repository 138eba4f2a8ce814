/** Smaller chunks are joined: a reply in single bytes must not cost an object for each. */
const SMALL_CHUNK_BYTES = 16 * 1024;

export interface CollectedBody {
  readonly add: (chunk: Uint8Array) => void;
  /** Owns its buffer, so that it can be transferred to another thread. */
  readonly whole: () => Uint8Array;
}

/** Memory that is reserved for an announced length, at most. */
const MOST_AHEAD_BYTES = 16 * 1024 * 1024;

/**
 * Collects a body in about twice its size in memory, however small its pieces; in its size if `announcedBytes` is
 * right.
 */
export function createBody(announcedBytes: number | null = null): CollectedBody {
  const chunks: Uint8Array[] = [];
  const ahead = announcedBytes !== null && announcedBytes <= MOST_AHEAD_BYTES ? announcedBytes : 0;
  let gathered = bytesToFill(ahead);
  let filled = 0;
  let size = 0;
  const flush = (): void => {
    if (filled === 0) return;
    chunks.push(gathered.subarray(0, filled));
    gathered = new Uint8Array(0);
    filled = 0;
  };
  return {
    add: (chunk) => {
      size += chunk.byteLength;
      if (filled + chunk.byteLength > gathered.byteLength) {
        flush();
        if (chunk.byteLength >= SMALL_CHUNK_BYTES) {
          chunks.push(chunk);
          return;
        }
        // Most small bodies come in one piece: it gets what it needs.
        gathered = bytesToFill(size === chunk.byteLength ? size : SMALL_CHUNK_BYTES);
      }
      gathered.set(chunk, filled);
      filled += chunk.byteLength;
    },
    whole: () => {
      if (filled === size && gathered.byteLength === size) return gathered;
      flush();
      const whole = bytesToFill(size);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.byteLength;
      }
      return whole;
    },
  };
}

/** Not zeroed, because it is overwritten; its own buffer, so that it can be transferred to another thread. */
function bytesToFill(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
}
