import { z } from 'zod';
import { count } from '../../kit/declare.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { CACHED } from '../effective-outcome.ts';
import { LATE, SLOWED } from '../effective-sample.ts';
import { lateVariants } from './too-many-late-stamps.ts';
import { variantList, variantsOf, warning } from './warning.ts';

/** In the order in which they are reported. */
const FLAGS = {
  [LATE]: {
    is: 'timestamped late',
    cause: 'this machine took a timestamp late',
    remedy:
      'run nothing else on this machine, or lower the load; no take is left out, because long takes are flagged more often',
  },
  resumed: {
    is: 'measured by two processes',
    cause: 'one process started them and another ended them; their clocks cannot be compared',
    remedy: 'run the suite without interruption to measure their latencies, which are left out',
  },
  [CACHED]: {
    is: 'served from a cache',
    cause: 'the service reports that they came from a cache; their latency is not that of a generation',
    remedy: 'add probes: [cache], which leaves repeats out of latency, or use fresh seeds',
  },
  [SLOWED]: {
    is: 'sent below load.concurrency',
    cause:
      'the service refused requests (rate limit), so Retake sent fewer at once than load.concurrency; a take beside fewer others may take less time',
    remedy: 'lower load.concurrency until no start is slowed, or have the rate limit of the account raised',
  },
} as const;

const TOLD = [LATE, 'resumed', CACHED, SLOWED] as const;

/** Flags remove no sample. Flags with a warning of their own are not repeated. */
export const flaggedSamples = warning({
  code: 'flagged_samples',
  meaning: 'Samples with a flag.',
  fields: {
    flag: z.enum(TOLD).describe('The flag.'),
    variants: variantList,
    samples: count.describe('How many samples.'),
    blocks: count.describe('How many blocks.'),
  },
  find: (evidence) => {
    const { trials, probes } = evidence;
    const toldOf: Partial<Record<(typeof TOLD)[number], readonly string[]>> = {
      [LATE]: lateVariants(evidence).map(({ variant }) => variant),
      [CACHED]: probes.flatMap(({ variant, cache }) => (cache?.code === 'cached' ? [variant] : [])),
    };
    return TOLD.flatMap((flag) => {
      const carrying = trials.filter(
        ({ flags, sample }) => flags.includes(flag) && toldOf[flag]?.includes(sample.trial.variant) !== true,
      );
      if (carrying.length === 0) return [];
      const blocks = new Set(carrying.map(({ sample }) => sample.trial.block)).size;
      return [{ flag, variants: variantsOf(carrying), samples: carrying.length, blocks }];
    });
  },
  words: ({ flag, variants, samples, blocks }) => {
    const { is, cause, remedy } = FLAGS[flag];
    const brief = `${plural(samples, 'take')} ${samples === 1 ? 'was' : 'were'} ${is}`;
    return {
      what: `${brief} (flag ${flag}), in ${plural(blocks, 'pair of takes')} (${listedInShort(variants)})`,
      brief,
      cause,
      remedy,
    };
  },
  example: { flag: 'cached', variants: ['standard'], samples: 1, blocks: 1 },
});
