import type {
  BlankOutputs,
  FlaggedSamples,
  NotDecoded,
  OtherSize,
  OutputWarning,
} from '../../analysis/warning-codes/output-warning.ts';
import { listed } from '../../text/listed.ts';
import { plural } from '../../text/quantity.ts';
import { decodeReason } from './decode-reason.ts';
import type { WarningText } from './warning-text.ts';

/** Warnings about outputs and the samples that carry them, in words. */
export function outputWarningWords(warning: OutputWarning): WarningText {
  switch (warning.code) {
    case 'not_decoded':
      return notDecodedWords(warning);
    case 'blank_outputs':
      return blankWords(warning);
    case 'other_size':
      return sizeWords(warning);
    case 'flagged_samples':
      return flaggedWords(warning);
  }
}

function notDecodedWords({ variants, outputs, media, reason }: NotDecoded): WarningText {
  return {
    what: `${plural(outputs, media === 'video' ? 'video' : 'output')} of ${listed(variants)} ${outputs === 1 ? 'was' : 'were'} not decoded`,
    cause: reason === null ? 'examination has not reached them' : decodeReason(reason),
    remedy: `${decodingRemedy(reason !== null, media)}; until then they are judged by their bytes alone, and whether they are sound is not known`,
  };
}

function decodingRemedy(examined: boolean, media: NotDecoded['media']): string {
  if (!examined) return 'make the report again from the record';
  return media === 'video'
    ? 'install Retake with its optional dependencies, up to date (npm install --include=optional), and make the report again'
    : 'make the report again with a version that decodes them';
}

function blankWords({ variant, outputs, prompts, media }: BlankOutputs): WarningText {
  return {
    what: `${plural(outputs, media)} of ${variant} ${outputs === 1 ? 'is' : 'are'} blank (${plural(prompts, 'prompt')})`,
    cause: `nothing but one colour is to be seen: suspected moderation, which hands out a plain ${media} as a success`,
    remedy:
      'look at them below and try the prompts one by one; they count in block_rate, and in no latency and no determinism. Where a reply says so, tell it as moderated in the target',
  };
}

function sizeWords({ variant, outputs, asked, width, height }: OtherSize): WarningText {
  return {
    what: `${plural(outputs, 'output')} of ${variant} ${outputs === 1 ? 'is' : 'are'} not of the size asked for: ${width} x ${height} for ${asked}`,
    cause: 'the service rounds sizes, or the target does not send this one',
    remedy: 'see what `retake try` sends for size; a smaller output is not made in the same time as a larger one',
  };
}

/** What a flag means, and what to do about it. */
const FLAGS: Readonly<Record<FlaggedSamples['flag'], Pick<WarningText, 'cause' | 'remedy'>>> = {
  harness_lag: {
    cause: 'this machine was late in taking a time stamp',
    remedy:
      'leave the machine to the run, or send less at once; none is left out, since long calls are flagged more often',
  },
  resumed: {
    cause: 'they were begun by one process and ended by another, whose clocks do not compare',
    remedy: 'their latencies are left out; run the suite in one go to have them',
  },
  cached: {
    cause: 'the service says that they came from a cache; their latencies are not those of generating',
    remedy: 'ask for probes: [cache], which leaves repeats out of latency, or use seeds that were never sent',
  },
};

function flaggedWords({ flag, variants, samples, blocks }: FlaggedSamples): WarningText {
  return {
    what: `${plural(samples, 'sample')} of ${listed(variants)} ${samples === 1 ? 'carries' : 'carry'} the flag ${flag}, in ${plural(blocks, 'block')}`,
    ...FLAGS[flag],
  };
}
