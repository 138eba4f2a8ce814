import { groupBy } from '../../kit/grouping.ts';
import { decodeReason, failureMessage, leftOutReason } from '../../kit/outcome-words.ts';
import { count, listedInShort, plural, share } from '../../kit/wording.ts';
import { comparedWith } from '../../record/compared-variants.ts';
import { sum } from '../../statistics/mean.ts';
import { retirementWords, successorWords } from '../../targets/inputs.ts';
import { ANSWERABLE, type EffectiveSample, FAILED } from '../effective-sample.ts';
import { incompleteCause, incompleteRemedy, whyIncomplete } from '../incomplete.ts';
import type { FailureGroup, VariantSummary } from '../summaries.ts';
import { rules } from './warning-rule.ts';

/** Above this share of failures or missing pairs, latencies do not represent the whole. */
const MOST_MISSING_TAKES = 0.05;

/** What was not measured or brought no output: what is left may be the easy part. */
export const MISSING = rules(
  {
    code: 'incomplete',
    meaning: 'Trials were not measured.',
    find: ({ run, variants }) => {
      if (run.complete) return [];
      const missing = sum(variants.map((variant) => variant.missing + (variant.outcomes.cancelled ?? 0)));
      const planned = sum(variants.map((variant) => variant.plannedTrials));
      const { missingProbes } = run;
      const probes = missingProbes === 0 ? '' : `, ${plural(missingProbes, 'probe')} not sent`;
      const why = whyIncomplete({ run, variants });
      return [
        {
          variants: [],
          facts: { missing, planned, missingProbes },
          what: `the run is incomplete: ${count(missing)} of ${plural(planned, 'take')} were not measured${probes}`,
          cause: incompleteCause(why),
          remedy: `${incompleteRemedy(why)}; the numbers cover only what was measured`,
        },
      ];
    },
  },
  {
    code: 'variants_left_out',
    meaning: 'Variants that this machine cannot measure.',
    find: ({ leftOut }) =>
      [...groupBy(leftOut, ({ reason }) => JSON.stringify(reason)).values()].map((group) => {
        const variants = group.map(({ variant }) => variant);
        return {
          variants,
          facts: { reason: group[0].reason },
          what: `${plural(variants.length, 'variant')} of the suite left out: ${listedInShort(variants)}`,
          cause: leftOutReason(group[0].reason),
          remedy:
            'run npm install --include=optional, set base_url to a service that makes video, or mark the variants optional: true',
        };
      }),
  },
  {
    code: 'unanswered_requests',
    meaning: 'Requests sent by a process that was killed.',
    find: ({ unanswered: requests }) =>
      requests === 0
        ? []
        : [
            {
              variants: [],
              facts: { requests },
              what: `${plural(requests, 'request')} ${requests === 1 ? 'was' : 'were'} sent but not answered`,
              cause: 'the process was killed while they were in flight',
              remedy: 'check your account at the service: they may have been charged',
            },
          ],
  },
  {
    code: 'defects',
    meaning: 'Trials that failed inside Retake.',
    find: ({ variants }) => {
      const trials = sum(variants.map(({ outcomes }) => outcomes.defect ?? 0));
      if (trials === 0) return [];
      return [
        {
          variants: [],
          facts: { trials },
          what: `${plural(trials, 'take')} failed inside Retake`,
          cause: 'internal error in Retake; see the failures',
          remedy: 'please report it; these takes are left out of rates and latencies',
        },
      ];
    },
  },
  {
    code: 'many_failures',
    meaning: 'More than 5 % of takes failed.',
    find: ({ run, variants, failures }) =>
      variants.flatMap((variant) => {
        const [failed, takes] = [countOf(variant, FAILED), countOf(variant, ANSWERABLE)];
        if (takes === 0 || failed / takes <= MOST_MISSING_TAKES) return [];
        const mostOften = failures.find(({ variant: name, outcome }) => name === variant.name && FAILED.has(outcome));
        const isGone = GONE.includes(mostOften?.httpStatus ?? 0);
        const [ended] = isGone ? (variant.retires ?? []) : [];
        return [
          {
            variants: [variant.name],
            facts: {
              ...{ failed, takes, outcome: mostOften?.outcome ?? null, errorCode: mostOften?.code ?? null },
              httpStatus: mostOften?.httpStatus ?? null,
            },
            what: `${count(failed)} of ${plural(takes, 'take')} of ${variant.name} failed (${share(failed / takes)})`,
            cause: mostOften === undefined ? 'see the failures' : `most often ${failureWords(mostOften)}`,
            remedy:
              ended === undefined
                ? failureRemedy(mostOften)
                : `${retirementWords(ended, run.startedAt.slice(0, 10))}: ${successorWords(ended.to)}`,
          },
        ];
      }),
  },
  {
    code: 'missing_pairs',
    meaning: 'More than 5 % of pairs have a latency on one side only.',
    find: ({ variants, trialsOf, plan }) => {
      if (plan.load.mode === 'open') return []; // Its variants are not paired, and dropped starts have a warning.

      const blocksOf = (name: string) => {
        const usable = trialsOf(name).filter(({ outcome }) => outcome === 'ok' || outcome === 'timed_out');
        return new Set(usable.map(({ sample }) => sample.trial.block));
      };
      return variants.flatMap((compared) =>
        comparedWith(compared, variants).flatMap(({ name: baseline }) => {
          const { name: variant } = compared;
          const [blocks, reference] = [blocksOf(variant), blocksOf(baseline)];
          const baselineMissing = [...blocks].filter((block) => !reference.has(block)).length;
          const variantMissing = [...reference].filter((block) => !blocks.has(block)).length;
          const [pairs, missing] = [blocks.size + variantMissing, variantMissing + baselineMissing];
          if (pairs === 0 || missing / pairs <= MOST_MISSING_TAKES) return [];
          return [
            {
              variants: [variant],
              facts: { baseline, pairs, variantMissing, baselineMissing },
              what: `${count(missing)} of ${plural(pairs, 'pair')} of takes of ${variant} and ${baseline} ${missing === 1 ? 'lacks' : 'lack'} one take and ${missing === 1 ? 'is' : 'are'} left out`,
              brief: `${count(missing)} of ${plural(pairs, 'pair')} of takes of ${variant} and ${baseline} ${missing === 1 ? 'lacks' : 'lack'} one take`,
              cause: `${plural(variantMissing, 'take')} of ${variant} and ${count(baselineMissing)} of ${baseline} have no latency, but the other take of the pair has one`,
              remedy:
                'do not compare the latencies until both variants deliver: the missing takes may be the slow ones',
            },
          ];
        }),
      );
    },
  },
  {
    code: 'undecodable_outputs',
    meaning: 'Outputs that do not decode.',
    find: ({ trials }) => {
      const broken = deliveredOutputs(trials).flatMap(({ undecodable: reason, ...output }) =>
        reason === null ? [] : [{ ...output, reason }],
      );
      return [...groupBy(broken, ({ reason }) => JSON.stringify(reason)).values()].map((group) => {
        const variants = [...new Set(group.map(({ variant }) => variant))];
        const outputs = group.length;
        const [{ reason }] = group;
        return {
          variants,
          facts: { outputs, reason },
          what: `${plural(outputs, 'output')} of ${listedInShort(variants)} could not be decoded`,
          cause: decodeReason(reason) || 'the bytes are damaged or cut short',
          remedy:
            'open the files under media/; a take whose first output does not decode counts as a failure and is left out of latency',
        };
      });
    },
  },
  {
    code: 'other_output_count',
    meaning: 'Replies with more or fewer outputs than their request asked for.',
    find: ({ variants, trialsOf }) =>
      variants.flatMap(({ name, asks }) => {
        const came = trialsOf(name).flatMap(({ outputs }) => (outputs.length === 0 ? [] : [outputs.length]));
        const others = [...groupBy(came, (outputs) => outputs)].filter(([outputs]) => outputs !== asks);
        if (asks === undefined || others.length === 0) return [];
        const got = others
          .map(([outputs, takes]) => ({ outputs, takes: takes.length }))
          .sort((a, b) => b.takes - a.takes || a.outputs - b.outputs);
        const words = got.map(
          ({ outputs, takes }, at) =>
            `${count(takes)}${at === 0 ? ` of ${plural(came.length, 'take')}` : ''} had ${count(outputs)}`,
        );
        return [
          {
            variants: [name],
            facts: { asks, takes: came.length, got },
            what: `${name} asks for ${plural(asks, 'output')} a request: ${words.join(', ')}`,
            cause: 'the service may leave out outputs that it moderates, or ignore the number',
            remedy: 'look at a reply: `retake try TARGET --bodies`; made.* and cost.per_output count what came',
          },
        ];
      }),
  },
  {
    code: 'blank_outputs',
    meaning: 'Outputs of only one colour.',
    find: ({ trials }) => {
      const blank = deliveredOutputs(trials).filter(({ shown }) => shown?.blank === true);
      return [...groupBy(blank, ({ variant }) => variant)].map(([variant, group]) => {
        const outputs = group.length;
        const prompts = new Set(group.map(({ prompt }) => prompt)).size;
        const media = group[0].mime?.startsWith('video/') ? 'video' : 'image';
        return {
          variants: [variant],
          facts: { outputs, prompts },
          what: `${plural(outputs, media)} of ${variant} ${outputs === 1 ? 'is' : 'are'} blank (${plural(prompts, 'prompt')})`,
          cause: `only one colour is visible: suspected moderation (some services return a plain ${media} as a success)`,
          remedy:
            'look at these outputs, and try their prompts one by one; a take whose first output is blank counts in block_rate, not in latency or determinism; if a reply says so, declare it as moderated in the target',
        };
      });
    },
  },
);

/** Of takes that delivered, with those behind the first. */
function deliveredOutputs(trials: readonly EffectiveSample[]) {
  return trials.flatMap(({ sample: { outcome, trial }, outputs }) =>
    outcome === 'ok' ? outputs.map((output) => ({ ...output, variant: trial.variant, prompt: trial.prompt })) : [],
  );
}

/** Status of what is no longer there. */
const GONE: readonly number[] = [404, 410];

function countOf({ outcomes }: VariantSummary, among: ReadonlySet<string>): number {
  return sum(Object.entries(outcomes).map(([outcome, n]) => (among.has(outcome) ? n : 0)));
}

/** Messages of servers are not shortened: they may name the remedy. */
function failureWords(group: FailureGroup): string {
  const { outcome, code, httpStatus } = group;
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`;
  const named = code === '' || code === outcome ? outcome : `${outcome} (${code})`;
  const message = failureMessage(group);
  return `${named}${status}: ${plural(group.count, 'time')}${message === '' ? '' : `; message: ${message}`}`;
}

function failureRemedy(mostOften: FailureGroup | undefined): string {
  if (mostOften?.httpStatus === 401 || mostOften?.httpStatus === 403) return 'check the key and its permissions';
  if (mostOften?.outcome === 'timed_out')
    return 'raise the limit that the message names, or lower the load; time-outs count as longer than every latency';
  const leftOut = 'failed takes other than time-outs are left out of latency';
  return mostOften?.outcome === 'rejected'
    ? `change the request as the message says, and measure again (retake try shows one call); ${leftOut}`
    : `remove the cause of the failures, and measure again; ${leftOut}`;
}
