/** Chunks smaller than this are gathered into one another: a reply in single bytes must not cost an object for each. */
const SMALL_CHUNK_BYTES = 16 * 1024;

/** A body as it comes. */
export interface CollectedBody {
  readonly add: (chunk: Uint8Array) => void;
  /** One array that owns its buffer, so that it can be handed to another thread. */
  readonly whole: () => Uint8Array;
}

/** Collects a body in about twice the memory of its bytes, in however small pieces it comes. */
export function createBody(): CollectedBody {
  const chunks: Uint8Array[] = [];
  let gathered: Uint8Array<ArrayBuffer> = new Uint8Array(0);
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
      if (chunk.byteLength >= SMALL_CHUNK_BYTES) {
        flush();
        chunks.push(chunk);
        return;
      }
      if (filled + chunk.byteLength > gathered.byteLength) {
        flush();
        // Most small bodies come in one piece: it gets what it needs.
        gathered = new Uint8Array(size === chunk.byteLength ? size : SMALL_CHUNK_BYTES);
      }
      gathered.set(chunk, filled);
      filled += chunk.byteLength;
    },
    whole: () => {
      if (filled === size && gathered.byteLength === size) return gathered;
      flush();
      const whole = new Uint8Array(size);
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.byteLength;
      }
      return whole;
    },
  };
}
