import type { WrittenWarning } from '../analysis/analysis.ts';
import type { FailureKind, ManyFailures, NotDecoded, UndecodableOutputs } from '../analysis/coded-warning.ts';
import { listed } from '../analysis/wording.ts';
import { decodeReason, failureMessage } from './decode-reason.ts';
import { plural, share } from './quantity.ts';

type FailureWords = Pick<WrittenWarning, 'what' | 'cause' | 'remedy'>;

/** Puts a warning of failures, or of outputs that were not decoded, into words. May hold hostile text. */
export function failureWarningWords(warning: ManyFailures | UndecodableOutputs | NotDecoded): FailureWords {
  switch (warning.code) {
    case 'many_failures': {
      const { variant, failed, takes, mostOften } = warning;
      return {
        what: `${failed} of ${plural(takes, 'take')} of ${variant} failed (${share(failed / takes)})`,
        cause: mostOften === null ? 'see failures' : `most often ${kindWords(mostOften)}`,
        remedy: remedyFor(mostOften),
      };
    }
    case 'undecodable_outputs':
      return {
        what: `${plural(warning.outputs, 'output')} of ${listed(warning.variants)} could not be decoded`,
        cause: decodeReason(warning.reason) || 'the bytes are damaged or cut short',
        remedy: 'open the file under media/; they count as failures and in no latency',
      };
    case 'not_decoded':
      return notDecodedWords(warning);
  }
}

function remedyFor(mostOften: FailureKind | null): string {
  if (mostOften?.httpStatus === 401 || mostOften?.httpStatus === 403) return 'check the key and what it may do';
  if (mostOften?.outcome === 'timed_out')
    return 'raise the limit that the message names, or send less at once; time-outs count as slower than every latency';
  return 'fix the failures first: failed takes other than time-outs are in no latency';
}

function kindWords(kind: FailureKind): string {
  const { outcome, errorCode, httpStatus, count } = kind;
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`;
  const named = errorCode === '' || errorCode === outcome ? outcome : `${outcome} (${errorCode})`;
  // The service's own words may name the remedy.
  const said = failureMessage(kind);
  return `${named}${status}: ${plural(count, 'time')}${said === '' ? '' : `; message: ${said}`}`;
}

function notDecodedWords({ variants, outputs, media, reason }: NotDecoded): FailureWords {
  const again =
    media === 'video'
      ? 'install Retake with its optional dependencies, up to date (npm install --include=optional), and make the report again'
      : 'make the report again with a version that decodes them';
  const remedy = reason === null ? 'make the report again from the record' : again;
  return {
    what: `${plural(outputs, media === 'video' ? 'video' : 'output')} of ${listed(variants)} ${outputs === 1 ? 'was' : 'were'} not decoded`,
    cause: reason === null ? 'examination has not reached them' : decodeReason(reason),
    remedy: `${remedy}; until then they are judged by their bytes alone, and whether they are sound is not known`,
  };
}
