export const OUTCOME_WORDS = {
  ok: 'delivered',
  moderated: 'moderated',
  blank: 'blank',
  throttled: 'rate-limited',
  no_credit: 'no credit',
  rejected: 'rejected',
  error: 'error',
  timed_out: 'timed out',
  unknown_charged: 'no answer, may be charged',
  invalid_media: 'invalid media',
  cancelled: 'cancelled',
  dropped: 'dropped',
  defect: 'internal error in Retake',
} as const;

const BY_CODE = new Map<string, string>(Object.entries(OUTCOME_WORDS));

/** The code is text from the data of a page. */
export function outcomeWords(code: string): string {
  return BY_CODE.get(code) ?? code;
}

type VideoPackageFault =
  | { readonly code: 'package_missing'; readonly package: string }
  | {
      readonly code: 'package_broken';
      readonly package: string;
      readonly version: string | null;
      readonly needs: string;
      readonly detail: string;
    };

type Undecoded =
  | { readonly code: 'digest_changed' | 'unknown_format' | 'media_missing' | 'no_longer_decodes' | 'decoder_died' }
  | { readonly code: 'timed_out'; readonly limitMs: number }
  | { readonly code: 'failed' | 'not_decodable' | 'over_limit' | 'not_supported'; readonly detail: string }
  | VideoPackageFault;

/** Why an output is not decoded or not compared, as a clause. May contain hostile text of decoders. */
export function decodeReason(reason: Undecoded): string {
  switch (reason.code) {
    case 'digest_changed':
      return 'the stored file has changed: its digest does not match';
    case 'unknown_format':
      return 'the media format is unknown';
    case 'media_missing':
      return 'the media of one output is missing';
    case 'no_longer_decodes':
      return 'it no longer decodes';
    case 'timed_out':
      return `decoding took longer than ${reason.limitMs / 1000} s and was stopped`;
    case 'decoder_died':
      return 'the process that decodes it ended twice: memory may be short, or the file makes the decoder crash';
    case 'package_missing':
    case 'package_broken':
      return packageWords(reason);
    case 'failed':
    case 'not_decodable':
    case 'over_limit':
    case 'not_supported':
      return reason.detail;
  }
}

interface WordedFailure {
  readonly outcome: keyof typeof OUTCOME_WORDS;
  readonly message: string;
  readonly undecodable: Undecoded | null;
}

/** That the output is blank, why it does not decode, or the words of the service or the system; may be empty. */
export function failureMessage({ outcome, message, undecodable }: WordedFailure): string {
  if (outcome === 'blank') return 'shows only one colour: suspected moderation';
  return undecodable === null ? message : decodeReason(undecodable);
}

/** As a clause. */
function packageWords(fault: VideoPackageFault): string {
  if (fault.code === 'package_missing') return `${fault.package}, the package for video, is not installed`;
  const { package: name, version, needs, detail } = fault;
  return `${name} ${version ?? 'of unknown version'}, the package for video, does not load (Retake needs ${needs}): ${detail}`;
}

type VariantsLeftOut =
  | { readonly code: 'no_video_package'; readonly fault: VideoPackageFault }
  | { readonly code: 'no_video_encoder'; readonly encoder: string };

/** Why variants of a suite are not measured here, as a clause. */
export function leftOutReason(reason: VariantsLeftOut): string {
  const why =
    reason.code === 'no_video_package' ? packageWords(reason.fault) : `node-av was built without ${reason.encoder}`;
  return `the reference service makes no video here: ${why}`;
}
