import type { RuleFaultReason } from '../../analysis/gate/planning/rule-fault.ts';
import type { Ungated } from '../../analysis/measures/metric.ts';
import type { Fault } from '../../kit/diagnostic.ts';
import { suggest } from '../../kit/nearest.ts';
import { count, duration, listedInShort, oneOf, plural } from '../../kit/wording.ts';
import { SCORE_PREFIX } from '../../suite/format/score-label.ts';
import type { WrittenAs } from '../../suite/format/suite.ts';

/** Holds hostile text: names that others wrote. */
export function ruleFaultWords(fault: RuleFaultReason): Fault {
  switch (fault.code) {
    case 'unknown_metric':
      return { cause: `there is no metric "${fault.metric}"`, remedy: suggest(fault.metric, fault.known) };
    case 'unknown_name':
      return { cause: `there is no ${fault.what} "${fault.id}"`, remedy: suggest(fault.id, fault.known) };
    case 'about_nothing':
      return {
        cause: 'the rule is about no take of this suite',
        remedy: 'widen its variants, kinds, prompts or tags; a comparison needs a variant beside the baseline variant',
      };
    case 'unknown_statistic':
      return {
        cause: `${fault.metric} has no bound for the statistic ${fault.statistic}`,
        remedy: `use ${oneOf(fault.known)}`,
      };
    case 'not_comparable':
      return {
        cause: `${fault.metric} has no value for a single take, so variants cannot be compared by it`,
        remedy: 'use max or min',
      };
    case 'not_by_block':
      return {
        cause: `${fault.statistic} of two variants cannot be compared block by block`,
        remedy: 'use max or min with this statistic, or slow_rate with over and max_rise',
      };
    case 'never_decided':
      return {
        cause: `${fault.metric} ${NEVER[fault.why]}, so no rule can be decided by it`,
        remedy: 'remove the rule',
      };
    case 'needs_open_load':
      return {
        cause: `${fault.metric} is measured under open load only`,
        remedy: 'declare open load (load.rate), or use latency.total',
      };
    case 'of_variant':
      return {
        cause: `${fault.metric} is of all requests of a variant, so a rule cannot narrow it to prompts or tags`,
        remedy: 'remove prompts and tags',
      };
    case 'needs_repeats':
      return {
        cause: `${fault.metric} compares takes of one prompt and seed, and each has one take only`,
        remedy: 'set repeats to 2 or more',
      };
    case 'needs_probe':
      return {
        cause: `${fault.metric} is measured by the ${fault.probe} probe, which the suite does not ask for`,
        remedy: `add ${fault.probe} to probes`,
      };
    case 'wrong_direction':
      return {
        cause: `a ${fault.better === 'higher' ? 'higher' : 'lower'} ${fault.metric} is better`,
        remedy: `use ${fault.better === 'higher' ? 'max_decrease' : 'max_increase'}`,
      };
    case 'counts_events':
      return {
        cause: `${fault.metric} is a share of events, which rises in points`,
        remedy: 'write max_rise: 5%',
      };
    case 'not_a_ratio':
      return {
        cause: `${fault.metric} may be 0, so a change of it is not a percentage`,
        remedy: fault.metric.startsWith(SCORE_PREFIX)
          ? 'write an amount without a unit, such as 0.02'
          : 'use an amount in its unit, such as 20ms, or max_rise for a rate',
      };
    case 'not_a_difference':
      return { cause: `${fault.metric} is compared as a ratio`, remedy: 'use a percentage, such as 5%' };
    case 'not_a_rate':
      return { cause: `${fault.metric} is not a rate`, remedy: 'use max_increase or max' };
    case 'wrong_unit':
      return { cause: `${fault.metric} is ${WANTED[fault.wants].is}`, remedy: WANTED[fault.wants].remedy };
    case 'no_rate_in_history':
      return {
        cause: 'rates of earlier runs are mostly 0, so they do not tell which rise is more than chance',
        remedy:
          'use max, such as max: 5%, or against: baseline with --against, which sends the deployment in use again',
      };
    case 'no_ratio_in_history':
      return {
        cause: 'earlier runs are compared by the ratio of a metric',
        remedy: 'use latency or cost with a percentage, such as max_increase: 10%',
      };
    case 'no_scope_in_history':
      return { cause: 'scope has no meaning for a rule against earlier runs', remedy: 'remove it' };
    case 'zero_limit':
      return { cause: 'a limit of 0 can never be shown to hold', remedy: 'use a limit above 0, or none' };
    case 'above_all':
      return { cause: `${fault.metric} is never above 100 %`, remedy: 'use a percentage up to 100%' };
    case 'needs_over':
      return {
        cause: `${fault.metric} needs a latency that separates slow from fast`,
        remedy: 'add over, such as over: 10s',
      };
    case 'takes_no_over':
      return { cause: `over has no meaning for ${fault.metric}`, remedy: `remove it, or use ${oneOf(fault.known)}` };
    case 'over_beyond_timeout':
      return {
        cause: `over (${duration(fault.overMs)}) is above the timeout of ${fault.variant} (${duration(fault.timeoutMs)}), so that no take could be slow`,
        remedy: 'lower over or raise limits.timeout',
      };
    case 'wrong_event':
      return { cause: `${fault.event} is an event of other metrics`, remedy: `use ${oneOf(fault.metrics)}` };
    case 'stability_needs_media':
      return {
        cause: `${fault.metric} compares media, and the media of the stored baseline's run ${fault.run} are gone`,
        remedy: 'keep a new baseline with retake baseline, or use stability.pixel or stability.related',
      };
    case 'needs_stored_baseline':
      return { cause: `${fault.metric} compares a run with the stored baseline`, remedy: 'add against: baseline' };
    case 'not_against_baseline':
      return {
        cause: `the rule compares ${fault.metric} with the stored baseline, which must be sent again in the same run`,
        remedy: 'add --against results/SUITE/baseline.json; to measure without the gate, add --set "gate=[]"',
      };
    case 'not_in_baseline':
      return {
        cause: `the stored baseline lacks ${listedInShort(fault.variants)}`,
        remedy: 'name other variants, or keep a new baseline with retake baseline',
      };
    case 'compares_nothing':
      return {
        cause: `${fault.bound} does not compare, so it takes no stored baseline`,
        remedy: 'remove against, or use max_increase, max_decrease or max_rise',
      };
    case 'not_of_stability':
      return { cause: `${fault.metric} is the share of cells that still match`, remedy: 'use none: change or min' };
    case 'prompts_above_one':
      return {
        cause: 'scope: prompts needs independent cell pairs, and above concurrency 1 cells share their slices',
        remedy: 'set load.concurrency to 1 or remove scope',
      };
    case 'mixed_order':
      return {
        cause: MIXED[fault.madeOf],
        remedy: 'set load.order to paired',
      };
    case 'no_scope_of_bound':
      return { cause: 'scope: prompts applies to max_increase and max_decrease only', remedy: 'remove scope' };
    case 'sequential_order':
      return {
        cause:
          'variants that are sent one after the other cannot be compared: the difference includes drift of the service',
        remedy: 'set load.order to paired',
      };
    case 'sweep':
      return {
        cause: 'a gate needs one concurrency, and this load sweeps over several',
        remedy: 'set load.concurrency to one number',
      };
    case 'too_few_cells': {
      const { variant, n, needs } = fault;
      const remedy = needs === null ? 'change its limit' : `it needs ${plural(needs, 'cell')}: add prompts or seeds`;
      return { cause: `with ${plural(n, 'cell')} of ${variant} the rule can never pass`, remedy };
    }
    case 'short_load':
      return {
        cause: `the open load of ${fault.variant} lasts ${duration(fault.lastsMs)}, so that the rule can never pass`,
        remedy: `it needs ${duration(fault.needsMs)}, 10 times the limit: lengthen load.duration, add repeats, or lower the limit`,
      };
    case 'cannot_pass':
    case 'cannot_fail':
      return reachWords(fault);
  }
}

const NEVER: Readonly<Record<Ungated['never'], string>> = {
  one_call: 'is one value without an interval',
  no_interval: 'is an estimate without an interval',
  of_a_sweep: 'is of a sweep, and a gate needs one concurrency',
};

const MIXED = {
  latencies: 'latencies of variants in flight together cannot be compared',
  completions: 'variants in flight together have no throughput of their own',
} as const;

const WANTED: Readonly<Record<WrittenAs, { readonly is: string; readonly remedy: string }>> = {
  duration: { is: 'a time, and the limit has no unit of time', remedy: 'write 500ms, 20s or 10m' },
  percentage: { is: 'a share', remedy: 'write a percentage, such as 5%' },
  number: { is: 'a plain number', remedy: 'write it without a unit, such as 0.05' },
};

const UNITS = { cells: 'cell pair', rounds: 'round', prompts: 'prompt', blocks: 'block', takes: 'take' } as const;

const MORE: Readonly<Record<keyof typeof UNITS, string>> = {
  cells: 'prompts or seeds',
  prompts: 'prompts',
  rounds: 'prompts, seeds or repeats',
  blocks: 'prompts, seeds or repeats',
  takes: 'prompts, seeds or repeats',
};

function reachWords(fault: RuleFaultReason & { readonly code: 'cannot_pass' | 'cannot_fail' }): Fault {
  const { code, variant, units, n, needs, comparisons } = fault;
  const noun = UNITS[units];
  const family = code === 'cannot_fail' && comparisons > 1 ? ` in a gate of ${count(comparisons)} comparisons` : '';
  const cause = `with ${plural(n, noun)} of ${variant}${family} the rule can never ${code === 'cannot_pass' ? 'pass' : 'fail'}`;
  if (needs === null) return { cause, remedy: 'change its limit' };
  const narrow = family === '' ? '' : ', or narrow the gate by variants, kinds or prompts';
  return { cause, remedy: `it needs ${plural(needs, noun)}: add ${MORE[units]}${narrow}` };
}
