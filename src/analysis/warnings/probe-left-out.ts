import { z } from 'zod';
import { groupBy } from '../../kit/grouping.ts';
import { listedInShort } from '../../kit/wording.ts';
import { PROBES, type ProbeKind } from '../../suite/suite.ts';
import { probeReason } from '../note.ts';
import { probeReasonSchema } from '../probe.ts';
import { variantList, warning } from './warning.ts';

const REMEDIES: Readonly<Record<ProbeKind, string>> = {
  seed: 'remove it from probes',
  cache: 'remove it from probes',
  load: 'raise load.concurrency and add prompts or seeds, or remove it from probes',
};

export const probeLeftOut = warning({
  code: 'probe_left_out',
  meaning: 'A probe had nothing to test, or was incomplete.',
  fields: {
    probe: z.enum(PROBES).describe('The probe.'),
    whole: z.boolean().describe('Left out; else tested in part.'),
    variants: variantList,
    reason: probeReasonSchema,
  },
  find: ({ plan }) => {
    const skipped = plan.probes?.skippedProbes ?? [];
    const groups = groupBy(skipped, ({ probe, whole, reason }) => JSON.stringify([probe, whole, reason]));
    return [...groups.values()].map((group) => {
      const [{ probe, whole, reason }] = group;
      return { probe, whole, variants: group.map(({ variant }) => variant), reason };
    });
  },
  words: ({ probe, whole, variants, reason }) => ({
    what: `the probe "${probe}" ${whole ? 'had nothing to test' : 'was incomplete'} for ${listedInShort(variants)}`,
    cause: probeReason(reason),
    remedy: REMEDIES[probe],
  }),
  example: { probe: 'load', whole: true, variants: ['standard'], reason: { code: 'concurrency_1' } },
});
