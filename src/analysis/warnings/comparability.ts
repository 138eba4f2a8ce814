import { count, duration, listedInShort, plural } from '../../kit/wording.ts';
import type { RunTogether } from '../../record/run.ts';
import { rules } from './warning-rule.ts';

/** How the run was sent: what keeps its numbers from being compared, with each other or with those of other runs. */
export const COMPARABILITY = rules(
  {
    code: 'contended',
    meaning: 'Variants ran at the same time.',
    find: ({ plan, variants }) =>
      variants.length > 1 && plan.load.order === 'mixed'
        ? [
            {
              variants: [],
              facts: {},
              what: 'the variants ran at the same time, so they may have slowed each other',
              cause: 'order is mixed, so variants queue behind each other and their differences shrink',
              remedy: 'use order: paired to compare latencies',
            },
          ]
        : [],
  },
  {
    code: 'drift_confounded',
    meaning: 'Variants ran one after the other.',
    find: ({ plan: { load }, variants }) => {
      if (variants.length < 2 || load.order !== 'sequential') return [];
      const words =
        load.mode === 'open'
          ? {
              what: 'open load measured the variants one after the other, so their latencies cannot be compared',
              brief: 'open load sent one variant after the other: latencies are not comparable',
              cause:
                'open load sends one variant at a time, so drift of the service looks like a difference between variants',
              remedy: 'read each variant by itself; to compare latencies, use mode: closed with order: paired',
            }
          : {
              what: 'the variants were measured one after the other, so a difference between them may be drift of the service',
              cause: 'load.order is sequential: the service may change from the first variant to the last',
              remedy: 'use order: paired to compare latencies',
            };
      return [{ variants: [], facts: {}, ...words }];
    },
  },
  {
    code: 'changed_environment',
    meaning: 'With `--against`: environment variables that had another value when the stored baseline was measured.',
    find: ({ run: { against } }) => {
      if (against === null || against.changedEnvironment.length === 0) return [];
      const { run: baselineRun, changedEnvironment: names } = against;
      const one = names.length === 1;
      return [
        {
          variants: [],
          facts: { baselineRun, names },
          what: `${listedInShort(names)} ${one ? 'has another value' : 'have other values'} than when the stored baseline was measured (${baselineRun})`,
          cause: `the variants of the stored baseline were sent with the ${one ? 'value' : 'values'} of this run`,
          remedy: `to compare two deployments, keep ${one ? 'it' : 'them'} and set base_url or const of the suite's variants`,
        },
      ];
    },
  },
  {
    code: 'measured_in_shards',
    meaning: 'A merged run: the concurrency or rate at the service is not known.',
    find: ({ run, plan: { load } }) => {
      if (run.shards === null || run.shards.of < 2) return [];
      const { merged, together } = run.shards;
      const inFlight = `together had at most ${count(load.concurrency)} in flight`;
      const words =
        together === undefined ? apart(merged.length, load.mode, inFlight) : inStep(merged.length, together, inFlight);
      return [{ variants: [], facts: { shards: merged.length }, ...words }];
    },
  },
  {
    code: 'concurrency_not_reached',
    meaning: 'Slices are smaller than load.concurrency.',
    find: ({ plan: { load, largestSlice } }) => {
      // Under open load it is a limit, not a target.
      if (load.mode === 'open' || largestSlice >= load.concurrency) return [];
      return [
        {
          variants: [],
          facts: { largestSlice },
          what: `at most ${plural(largestSlice, 'request')} ${largestSlice === 1 ? 'was' : 'were'} in flight; load.concurrency allows ${count(load.concurrency)}`,
          cause: `a variant is sent in groups of at most ${plural(largestSlice, 'take')}, each ends before the next begins`,
          remedy:
            load.steps === null
              ? 'add prompts or seeds, or use order: mixed to test load instead of comparing variants'
              : 'add prompts, seeds or repeats, or remove the larger steps',
        },
      ];
    },
  },
);

function inStep(workers: number, { spreadMs: { p50, most } }: RunTogether, inFlight: string) {
  const spread = p50 === null || most === null ? '' : `, within ${duration(p50)} (p50; at most ${duration(most)})`;
  return {
    what: `${plural(workers, 'worker')} of a fleet measured this run in step, and began each group of takes together${spread}`,
    brief: `${plural(workers, 'worker')} of a fleet, in step`,
    cause: `all workers ${inFlight}; clocks of different machines are not compared`,
    remedy: 'compare only with runs that were split the same way',
  };
}

function apart(shards: number, mode: 'closed' | 'open', inFlight: string) {
  const load = mode === 'open' ? 'rate' : 'concurrency';
  return {
    what: `${plural(shards, 'shard')} measured this run without a common clock: the ${load} at the service is not known`,
    brief: `${plural(shards, 'shard')} without a common clock: the ${load} at the service is not known`,
    cause: `clocks of different machines cannot be compared, so nothing shows which requests ran at the same time; all shards ${inFlight}`,
    remedy: 'start all shards together on similar machines; compare only with runs that were split the same way',
  };
}
