import type { WarningOf } from '../../../analysis/warning-codes/coded-warning.ts';
import type { OutputWarning } from '../../../analysis/warning-codes/output-warning.ts';
import { listedInShort, plural } from '../../../kit/wording.ts';
import { decodeReason } from '../outcome-words.ts';
import type { WarningText, WordsOf } from './warning-text.ts';

export const OUTPUT_WARNING_WORDS: WordsOf<OutputWarning['code']> = {
  not_decoded: notDecodedWords,
  not_compared: notComparedWords,
  blank_outputs: blankWords,
  other_size: sizeWords,
  flagged_samples: flaggedWords,
};

function notDecodedWords({ variants, outputs, media, reason }: WarningOf<'not_decoded'>): WarningText {
  return {
    what: `${plural(outputs, media === 'video' ? 'video' : 'output')} of ${listedInShort(variants)} ${outputs === 1 ? 'was' : 'were'} not decoded`,
    cause: reason === null ? 'they were not examined yet' : decodeReason(reason),
    remedy: `${reason?.code === 'decoder_died' ? 'free memory, then run retake report again' : decodingRemedy(reason !== null, media)}; until then only their bytes are compared, and damage is not detected`,
  };
}

function notComparedWords({ variants, pairs, reason }: WarningOf<'not_compared'>): WarningText {
  return {
    what: `${plural(pairs, 'pair')} of outputs of ${listedInShort(variants)} ${pairs === 1 ? 'was' : 'were'} not compared`,
    cause: decodeReason(reason),
    remedy: 'look at these outputs yourself; determinism leaves them out',
  };
}

function decodingRemedy(examined: boolean, media: WarningOf<'not_decoded'>['media']): string {
  if (!examined) return 'run retake report again';
  return media === 'video'
    ? 'install the current optional dependencies (npm install --include=optional), then run retake report again'
    : 'run retake report with a version of Retake that decodes them';
}

function blankWords({ variant, outputs, prompts, media }: WarningOf<'blank_outputs'>): WarningText {
  return {
    what: `${plural(outputs, media)} of ${variant} ${outputs === 1 ? 'is' : 'are'} blank (${plural(prompts, 'prompt')})`,
    cause: `only one colour is visible: suspected moderation (some services return a plain ${media} as a success)`,
    remedy:
      'look at these outputs, and try their prompts one by one; they count in block_rate, not in latency or determinism; if a reply says so, declare it as moderated in the target',
  };
}

function sizeWords({ variant, outputs, asked, width, height }: WarningOf<'other_size'>): WarningText {
  return {
    what: `${plural(outputs, 'output')} of ${variant} ${outputs === 1 ? 'has' : 'have'} another size than requested: ${width} x ${height} instead of ${asked}`,
    cause: 'the service rounds sizes, or the target does not send this one',
    remedy: 'check the size that `retake try --bodies` sends; outputs of different sizes take different times',
  };
}

const FLAGS: Readonly<
  Record<WarningOf<'flagged_samples'>['flag'], Pick<WarningText, 'cause' | 'remedy'> & { readonly is: string }>
> = {
  harness_lag: {
    is: 'timestamped late',
    cause: 'this machine took a timestamp late',
    remedy:
      'run nothing else on this machine, or lower the load; no take is left out, because long calls are flagged more often',
  },
  resumed: {
    is: 'measured by two processes',
    cause: 'one process started them and another ended them; their clocks cannot be compared',
    remedy: 'run the suite without interruption to measure their latencies, which are left out',
  },
  cached: {
    is: 'served from a cache',
    cause: 'the service reports that they came from a cache; their latency is not that of a generation',
    remedy: 'add probes: [cache], which leaves repeats out of latency, or use fresh seeds',
  },
  slowed: {
    is: 'sent below load.concurrency',
    cause:
      'the service refused requests (rate limit), so Retake sent fewer at once than load.concurrency; a call beside fewer others may take less time',
    remedy: 'lower load.concurrency until no start is slowed, or have the rate limit of the account raised',
  },
};

function flaggedWords({ flag, variants, samples, blocks }: WarningOf<'flagged_samples'>): WarningText {
  const { is, cause, remedy } = FLAGS[flag];
  return {
    what: `${plural(samples, 'take')} ${samples === 1 ? 'was' : 'were'} ${is} (flag ${flag}), in ${plural(blocks, 'block')} (${listedInShort(variants)})`,
    brief: `${plural(samples, 'take')} ${samples === 1 ? 'was' : 'were'} ${is}`,
    cause,
    remedy,
  };
}
