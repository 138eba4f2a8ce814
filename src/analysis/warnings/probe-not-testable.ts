import { z } from 'zod';
import { variantName } from '../../kit/declare.ts';
import { PROBES } from '../../suite/suite.ts';
import { probeReason } from '../note.ts';
import { probeReasonSchema } from '../probe.ts';
import { warning } from './warning.ts';

export const probeNotTestable = warning({
  code: 'probe_not_testable',
  meaning: 'A probe was sent, but has no finding.',
  fields: { variant: variantName, probe: z.enum(PROBES).describe('The probe.'), reason: probeReasonSchema },
  find: ({ probes, plan }) =>
    probes.flatMap((findings) =>
      (['seed', 'cache', 'load'] as const).flatMap((probe) => {
        const finding = findings[probe];
        const left = plan.probes?.skippedProbes.some(
          (skipped) => skipped.whole && skipped.probe === probe && skipped.variant === findings.variant,
        );
        if (finding?.code !== 'not_testable' || finding.reason === null || left === true) return [];
        return [{ variant: findings.variant, probe, reason: finding.reason }];
      }),
    ),
  words: ({ variant, probe, reason }) => ({
    what: `the probe "${probe}" of ${variant} is inconclusive`,
    cause: probeReason(reason),
    remedy:
      reason.code === 'cached'
        ? 'turn the cache off and run again'
        : 'look at its rows in samples.csv (phase probe), then run again',
  }),
  example: {
    variant: 'standard',
    probe: 'seed',
    reason: { code: 'requests_failed', failed: 1, sent: 1, outcome: 'error', error: 'E9' },
  },
});
