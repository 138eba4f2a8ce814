import { z } from 'zod';
import { count } from '../../kit/declare.ts';
import { listedInShort, plural } from '../../kit/wording.ts';
import { variantList, variantsOf, warning } from './warning.ts';

/** Abandoned requests may have been running beside these samples. */
export const abandonedRequests = warning({
  code: 'abandoned_requests',
  meaning: 'Requests may still have run at the service; samples ran at the same time.',
  fields: {
    requests: count.nullable().describe('Null where they were not counted.'),
    samples: count.describe('How many samples.'),
    variants: variantList.describe('Variants of these samples.'),
    interrupted: z.boolean().describe('The user aborted them: no time limit did.'),
    withoutCancel: variantList.describe('Those whose target does not say how to cancel a job.'),
  },
  find: ({ run, trials, warmups, noCancel }) => {
    const beside = trials.filter(({ flags }) => flags.includes('orphans'));
    if (beside.length === 0 && (run.orphans ?? 0) === 0) return [];
    const all = [...trials, ...warmups];
    const lost = variantsOf(all.filter(({ outcome }) => outcome === 'timed_out' || outcome === 'cancelled'));
    return [
      {
        requests: run.orphans,
        samples: beside.length,
        variants: variantsOf(beside),
        // Only the user's second interrupt aborts calls: no limit should be raised for that.
        interrupted: all.some(({ sample }) => sample.error?.code === 'cancelled'),
        withoutCancel: noCancel.filter((name) => lost.includes(name)),
      },
    ];
  },
  words: ({ requests, samples, variants, interrupted, withoutCancel }) => {
    const who =
      requests === null || requests === 0
        ? 'requests were'
        : `${plural(requests, 'request')} ${requests === 1 ? 'was' : 'were'}`;
    const marked =
      samples === 0
        ? 'no take was measured at that time'
        : `${plural(samples, 'take')} of ${listedInShort(variants)} may have run at that time (flag orphans)`;
    const cancel =
      withoutCancel.length === 0
        ? ''
        : `; if the service can cancel jobs, declare it in wait.cancel of the target of ${listedInShort(withoutCancel)}`;
    return {
      what: `${who} abandoned and may still have run at the service; ${marked}`,
      cause: interrupted
        ? 'the run was interrupted and aborted them; the service may still work on them'
        : 'a request that is abandoned at its time limit may still run at the service, so more requests ran there than were in flight here',
      remedy: `${interrupted ? 'wait until the service is idle before another run' : 'raise limits.timeout, so that fewer requests are abandoned'}${cancel}`,
    };
  },
  example: { requests: 2, samples: 3, variants: ['standard'], interrupted: false, withoutCancel: [] },
});
