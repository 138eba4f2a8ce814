import type { CodecContext, Frame } from 'node-av/lib';

export type NodeAv = typeof import('node-av/lib') & typeof import('node-av/constants');

/** Makes MP4 in memory. Each step gives the code of FFmpeg, below 0 if it refuses. */
export interface Mp4Writer {
  readonly begin: () => number;
  readonly write: (frame: Frame) => number;
  readonly end: () => number;
  /** Of what was written so far. */
  readonly bytes: () => Buffer;
  /** Frees the encoder, too. */
  readonly close: () => void;
}

/**
 * Without sound and metadata: neither the maker's version nor the time of day is in it.
 * @param encoder opened, with its settings
 */
export function openMp4Writer(av: NodeAv, encoder: CodecContext, options: Readonly<Record<string, string>>): Mp4Writer {
  const file = new GrowingFile();
  const io = new av.IOContext();
  io.allocContextWithCallbacks(
    1 << 16,
    1,
    null,
    (piece) => file.write(piece),
    (offset, whence) => file.seek(offset, whence),
  );
  const container = new av.FormatContext();
  container.allocOutputContext2(null, 'mp4', null);
  container.pb = io;
  container.setFlags(av.AVFMT_FLAG_BITEXACT, av.AVFMT_FLAG_CUSTOM_IO);
  const stream = container.newStream(null);
  stream.codecpar.fromContext(encoder);
  stream.timeBase = encoder.timeBase;
  stream.avgFrameRate = encoder.framerate;
  // One by one: node-av's synchronous calls free a dictionary twice.
  for (const [name, value] of Object.entries(options)) container.setOption(name, value);
  const packet = new av.Packet();
  packet.alloc();
  const take = (frame: Frame | null): number => {
    let code = encoder.sendFrameSync(frame);
    while (code >= 0) {
      code = encoder.receivePacketSync(packet);
      if (code === av.AVERROR_EAGAIN || code === av.AVERROR_EOF) return 0;
      if (code < 0) return code;
      packet.streamIndex = stream.index;
      packet.rescaleTs(encoder.timeBase, stream.timeBase);
      code = container.interleavedWriteFrameSync(packet);
    }
    return code;
  };
  return {
    begin: () => container.writeHeaderSync(),
    write: take,
    end: () => {
      const code = take(null);
      return code < 0 ? code : container.writeTrailerSync();
    },
    bytes: () => {
      io.flushSync();
      return file.bytes();
    },
    close: () => {
      packet.free();
      encoder.freeContext();
      container.pb = null;
      container.freeContext();
      io.freeContext();
    },
  };
}

class GrowingFile {
  #bytes = Buffer.alloc(1 << 16);
  #at = 0;
  #length = 0;

  write(piece: Buffer): number {
    const end = this.#at + piece.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#at);
    this.#at = end;
    this.#length = Math.max(this.#length, end);
    return piece.length;
  }

  /** `whence` as for lseek; 65536 asks for the size. */
  seek(offset: bigint, whence: number): bigint {
    if (whence === 65536) return BigInt(this.#length);
    const base = whence === 1 ? this.#at : whence === 2 ? this.#length : 0;
    this.#at = Math.max(0, base + Number(offset));
    return BigInt(this.#at);
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}
