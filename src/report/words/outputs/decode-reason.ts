import type { FailureGroup } from '../../../analysis/analysis.ts';
import type { DecodeFault, PackageFault } from '../../../media/decode-fault.ts';
import type { UncomparedReason, UndecodableReason, UnexaminedReason } from '../../../record/model/fact.ts';
import { plural } from '../../../text/quantity.ts';

/**
 * Why an output does not decode, was not decoded, or could not be compared, as a clause. Holds texts of decoders, which
 * hostile bytes may reach into.
 */
export function decodeReason(reason: UndecodableReason | UnexaminedReason | UncomparedReason): string {
  switch (reason.code) {
    case 'digest_changed':
      return 'the stored file has changed: its digest does not match';
    case 'unknown_format':
      return 'the media format is unknown';
    case 'media_missing':
      return 'the media of one output is missing';
    case 'no_longer_decodes':
      return 'it no longer decodes';
    case 'failed':
      return reason.detail;
    case 'timed_out':
      return `decoding took longer than ${reason.limitMs / 1000} s and was stopped`;
    case 'decoder_died':
      return 'the process that decodes it ended twice: memory may be short, or the file makes the decoder crash';
    case 'package_missing':
    case 'package_broken':
      return `${reason.needed === 'animated_avif' ? 'animated AVIF is decoded as video: ' : ''}${packageWords(reason)}`;
    case 'no_demuxer':
      return `no demuxer for ${reason.mime}`;
    case 'no_decoder':
      return `no decoder for ${reason.codec}${reason.alpha ? ' with alpha' : ''}`;
    case 'no_conversion':
      return 'its frames cannot be converted';
    case 'avif_alpha':
      return 'animated AVIF with alpha is not supported';
    case 'avif_frame_sizes':
      return 'animated AVIF with frames of different sizes is not supported';
    default:
      return faultWords(reason);
  }
}

type Failure = Pick<FailureGroup, 'outcome' | 'message' | 'undecodable'>;

/** What is said of a failure: that its output is blank, why its output does not decode, or the words of the service or the system; may be empty. */
export function failureMessage({ outcome, message, undecodable }: Failure): string {
  if (outcome === 'blank') return 'shows only one colour: suspected moderation';
  return undecodable === null ? message : decodeReason(undecodable);
}

/** Why the package for video is not at hand, as a clause. */
export function packageWords(fault: PackageFault): string {
  if (fault.code === 'package_missing') return `${fault.package}, the package for video, is not installed`;
  const { package: name, version, needs, detail } = fault;
  return `${name} ${version ?? 'of unknown version'}, the package for video, does not load (Retake needs ${needs}): ${detail}`;
}

function faultWords(fault: DecodeFault): string {
  switch (fault.code) {
    case 'damaged':
      return fault.detail;
    case 'container_damaged':
      return `the container cannot be read: ${fault.detail}`;
    case 'codec_header_damaged':
      return `its ${fault.codec} header cannot be read: ${fault.detail}`;
    case 'stream_damaged':
      return `cut off or damaged after ${plural(fault.frames, 'frame')}${fault.detail === null ? '' : `: ${fault.detail}`}`;
    case 'frame_damaged':
      return fault.detail === null
        ? `frame ${fault.frame} is damaged`
        : `frame ${fault.frame} does not decode: ${fault.detail}`;
    case 'cut_off':
      return `cut off: the file declares ${fault.declaredBytes} bytes and has ${fault.bytes}`;
    case 'frames_end_early':
      return `its header declares ${fault.declaredS} s, but its frames end after ${fault.endS} s`;
    case 'frames_missing':
      return `the animation declares ${plural(fault.declared, 'frame')} and has ${fault.frames}`;
    case 'no_frame':
      return 'it has no frame that decodes';
    case 'no_video_stream':
      return 'it has no video stream';
    case 'unknown_codec':
      return 'the format of its video is unknown';
    case 'wrong_checksum':
      return `the checksum of a chunk ${fault.chunk} is wrong`;
    case 'chunks_out_of_order':
      return 'the chunks of the animation are out of order';
    case 'wrong_frame_control':
      return 'a frame control chunk has the wrong length';
    case 'unknown_frame_rules':
      return 'a frame of the animation has an unknown dispose or blend operation';
    case 'frame_without_data':
      return 'a frame of the animation has no data';
    case 'frame_outside_canvas':
      return 'a frame of the animation lies outside its canvas';
    case 'wrong_frame_size':
      return 'a frame decodes to another size than declared';
    case 'too_many_frames':
      return `over the limit of ${fault.limit} frames`;
    case 'too_many_pixels':
      return `over the limit of ${fault.limit} pixels`;
    case 'too_many_bytes':
      return `over the limit of ${fault.limit} bytes of decoded frames`;
    case 'too_long':
      return `over the limit of ${fault.limitS} s`;
    case 'frame_too_large':
      return `frames of ${fault.width} x ${fault.height} pixels are over the limit`;
  }
}
