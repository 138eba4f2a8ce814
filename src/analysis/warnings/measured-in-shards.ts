import { z } from 'zod';
import { count, duration, plural } from '../../kit/wording.ts';
import { togetherSchema } from '../../record/run.ts';
import { loadMode, warning } from './warning.ts';

/** Several machines without a common clock: load at the service and throughput are unknown. */
export const measuredInShards = warning({
  code: 'measured_in_shards',
  meaning: 'A merged run: the concurrency or rate at the service is not known.',
  fields: {
    shards: z.int().min(1).describe('Shards that were merged.'),
    concurrency: z.int().min(1).describe('Of all shards together: more were never in flight.'),
    mode: loadMode,
    together: togetherSchema.exactOptional().describe('How far the workers of a fleet kept in step.'),
  },
  find: ({ run: { shards }, plan: { load } }) =>
    shards === null || shards.of < 2
      ? []
      : [
          {
            shards: shards.merged.length,
            concurrency: load.concurrency,
            mode: load.mode,
            ...(shards.together === undefined ? {} : { together: shards.together }),
          },
        ],
  words: ({ shards, concurrency, mode, together }) => {
    if (together !== undefined) {
      const { p50, most } = together.spreadMs;
      const spread = p50 === null || most === null ? '' : `, within ${duration(p50)} (p50; at most ${duration(most)})`;
      return {
        what: `${plural(shards, 'worker')} of a fleet measured this run in step, and began each group of takes together${spread}`,
        brief: `${plural(shards, 'worker')} of a fleet, in step`,
        cause: `all workers together had at most ${count(concurrency)} in flight; clocks of different machines are not compared`,
        remedy: 'compare only with runs that were split the same way',
      };
    }
    const load = mode === 'open' ? 'rate' : 'concurrency';
    return {
      what: `${plural(shards, 'shard')} measured this run without a common clock: the ${load} at the service is not known`,
      brief: `${plural(shards, 'shard')} without a common clock: the ${load} at the service is not known`,
      cause: `clocks of different machines cannot be compared, so nothing shows which requests ran at the same time; all shards together had at most ${count(concurrency)} in flight`,
      remedy: 'start all shards together on similar machines; compare only with runs that were split the same way',
    };
  },
  example: { shards: 3, concurrency: 8, mode: 'closed' },
});
