import { z } from 'zod';
import { groupBy } from '../../kit/grouping.ts';
import { listedInShort } from '../../kit/wording.ts';
import { PROBES, type ProbeKind } from '../../suite/suite.ts';
import { probeReason } from '../note.ts';
import { probeReasonSchema } from '../probe.ts';
import { variantList, type WarningRule, warningShape } from './warning.ts';

const REMEDIES: Readonly<Record<ProbeKind, string>> = {
  seed: 'remove it from probes',
  cache: 'remove it from probes',
  load: 'raise load.concurrency and add prompts or seeds, or remove it from probes',
};

const shape = warningShape('probe_left_out', 'A probe had nothing to test, or was incomplete.', {
  probe: z.enum(PROBES).describe('The probe.'),
  whole: z.boolean().describe('Left out; else tested in part.'),
  variants: variantList,
  reason: probeReasonSchema,
});

export const probeLeftOut: WarningRule<typeof shape> = {
  shape,
  find: ({ plan }) => {
    const skipped = plan.probes?.skippedProbes ?? [];
    const groups = groupBy(skipped, ({ probe, whole, reason }) => JSON.stringify([probe, whole, reason]));
    return [...groups.values()].flatMap((group) => {
      const variants = group.map(({ variant }) => variant);
      return group
        .slice(0, 1)
        .map(({ probe, whole, reason }) => ({ code: 'probe_left_out', probe, whole, variants, reason }));
    });
  },
  words: ({ probe, whole, variants, reason }) => ({
    what: `the probe "${probe}" ${whole ? 'had nothing to test' : 'was incomplete'} for ${listedInShort(variants)}`,
    cause: probeReason(reason),
    remedy: REMEDIES[probe],
  }),
  examples: [
    {
      code: 'probe_left_out',
      probe: 'load',
      whole: true,
      variants: ['standard'],
      reason: { code: 'concurrency_1' },
    },
  ],
};
