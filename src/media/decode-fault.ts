/**
 * What is wrong with bytes that do not decode, as a code with what belongs to it. `detail` is a decoder's own text, shortened:
 * hostile, since bytes may reach into it.
 */
export type DecodeFault =
  | { readonly code: 'damaged'; readonly detail: string }
  | { readonly code: 'container_damaged'; readonly detail: string }
  | { readonly code: 'codec_header_damaged'; readonly codec: string; readonly detail: string }
  /** Between two frames, after so many. */
  | { readonly code: 'stream_damaged'; readonly frames: number; readonly detail: string | null }
  /** `frame` counts from 1. */
  | { readonly code: 'frame_damaged'; readonly frame: number; readonly detail: string | null }
  /** The outermost box or element declares more bytes than there are. */
  | { readonly code: 'cut_off'; readonly declaredBytes: number; readonly bytes: number }
  | { readonly code: 'frames_end_early'; readonly declaredS: number; readonly endS: number }
  | { readonly code: 'frames_missing'; readonly declared: number; readonly frames: number }
  | { readonly code: 'no_frame' | 'no_video_stream' | 'unknown_codec' }
  /** Of an animated PNG. */
  | { readonly code: 'wrong_checksum'; readonly chunk: string }
  | {
      readonly code:
        | 'chunks_out_of_order'
        | 'wrong_frame_control'
        | 'unknown_frame_rules'
        | 'frame_without_data'
        | 'frame_outside_canvas'
        | 'wrong_frame_size';
    }
  | { readonly code: 'too_many_frames' | 'too_many_pixels' | 'too_many_bytes'; readonly limit: number }
  | { readonly code: 'too_long'; readonly limitS: number }
  | { readonly code: 'frame_too_large'; readonly width: number; readonly height: number };

/** Why the optional package that decodes video is not at hand. */
export type PackageFault =
  | { readonly code: 'package_missing'; readonly package: string }
  | {
      readonly code: 'package_broken';
      readonly package: string;
      /** The version found; null where its package.json does not say. */
      readonly version: string | null;
      /** The versions that would do, as package.json writes them. */
      readonly needs: string;
      /** The loader's own text, without folders of this machine. */
      readonly detail: string;
    };

/** Why bytes that may be sound were not decoded here. */
export type MissingDecoder =
  | (PackageFault & { readonly needed: 'video' | 'animated_avif' })
  | { readonly code: 'no_demuxer'; readonly mime: string }
  | { readonly code: 'no_decoder'; readonly codec: string; readonly alpha: boolean }
  | { readonly code: 'no_conversion' | 'avif_alpha' | 'avif_frame_sizes' };

/** Thrown where bytes do not decode. */
export class DecodeError extends Error {
  readonly fault: DecodeFault;

  constructor(fault: DecodeFault) {
    super(fault.code);
    this.name = 'DecodeError';
    this.fault = fault;
  }
}

/** Thrown where this machine cannot decode bytes that may be sound. */
export class NoDecoder extends Error {
  readonly why: MissingDecoder;

  constructor(why: MissingDecoder) {
    super(why.code);
    this.name = 'NoDecoder';
    this.why = why;
  }
}
