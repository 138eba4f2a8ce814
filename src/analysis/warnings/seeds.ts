import { groupBy } from '../../kit/grouping.ts';
import { plainText } from '../../kit/redact.ts';
import { count, listedInShort, plural } from '../../kit/wording.ts';
import { isAtLeast } from '../../media/level.ts';
import type { ProbeKind } from '../../suite/suite.ts';
import { echoedSeed, SEED_ECHO } from '../effective-outcome.ts';
import type { EffectiveSample } from '../effective-sample.ts';
import type { ProbeFinding } from '../probe.ts';
import { skippedReason } from '../probe-untestable.ts';
import type { Cell } from '../summaries.ts';
import { probed, rules } from './warning-rule.ts';

/** What a service makes of seeds and prompts, and what probes found or could not find. */
export const SEEDS = rules(
  probed(
    'ignored',
    { code: 'seed_ignored', meaning: 'The seed probe found one image for all seeds.' },
    'the seed is ignored',
  ),
  probed('unstable', { code: 'seed_unstable', meaning: 'The seed probe found takes of one seed that differ.' }),
  probed('similar', {
    code: 'seed_similar',
    meaning: 'The seed probe found takes of one seed that are only similar, though the target claims `exact`.',
  }),
  {
    code: 'seed_not_honoured',
    meaning: 'Takes of a seed differ, though the target claims `exact`.',
    find: ({ variants, cells, probes, trialsOf }) => {
      const byVariant = groupBy(cells, ({ variant }) => variant);
      return variants.flatMap(({ name, seedClaim, sendsSeed }) => {
        const isKnown = probes.some(({ variant, code }) => variant === name && UNLIKE_TAKES.has(code));
        const models = new Set(trialsOf(name).flatMap(({ sample }) => sample.reported.model ?? []));
        const isExplained = isKnown || models.size > 1;
        if (seedClaim !== 'exact' || !sendsSeed || isExplained) return [];
        const levels = (byVariant.get(name) ?? []).flatMap(({ level }) => level ?? []);
        const differing = levels.filter((level) => !isAtLeast(level, 'pixel')).length;
        if (differing === 0) return [];
        return [
          {
            variants: [name],
            facts: { cells: differing, ofCells: levels.length },
            what: `the seed of ${name} does not fix the image: takes differ in ${count(differing)} of ${plural(levels.length, 'prompt x seed')}`,
            cause: 'the target claims "exact", but takes of one prompt and seed are different images',
            remedy:
              'check how the target sends the seed, and add probes: [seed]; if the service promises nothing, set claim: none in the target',
          },
        ];
      });
    },
  },
  {
    code: 'other_seed_echoed',
    meaning: 'The service reports another seed.',
    find: ({ variants, trialsOf }) =>
      variants.flatMap(({ name }) => {
        const takes = trialsOf(name);
        const others = takes.filter(({ flags }) => flags.includes(SEED_ECHO));
        const [first] = others.flatMap(({ sample }) => echoedSeed(sample) ?? []);
        if (first === undefined) return [];
        const { sent, echoed } = first;
        const echoes = takes.flatMap(({ sample }) => echoedSeed(sample) ?? []);
        const [samples, ofSamples] = [others.length, echoes.length];
        return [
          {
            variants: [name],
            facts: { samples, ofSamples, sent, echoed },
            what: `the service reports another seed than ${name} sent in ${count(samples)} of ${plural(ofSamples, 'take')}${samples === 1 ? ':' : ', such as'} ${echoed} instead of ${sent}`,
            cause:
              'the service keeps only a part of large seeds, or the seed does not reach the model, or meta.seed reads the wrong number',
            remedy:
              'if only large seeds differ, set inputs.seed.max in the target; else check how it sends the seed (submit) and where it reads it (meta.seed); these takes carry the flag seed_echo',
          },
        ];
      }),
  },
  {
    code: 'prompt_rewritten',
    meaning: 'The service says that it used another prompt.',
    find: ({ variants, prompts, trialsOf }) => {
      const texts = new Map(prompts.map(({ id, text }) => [id, text]));
      return variants.flatMap(({ name }) => {
        const told = trialsOf(name).flatMap(({ sample: { trial, reported } }) =>
          reported.prompt === undefined ? [] : [{ ...trial, text: reported.prompt }],
        );
        const rewritten = told.filter(({ prompt, text }) => !isSameText(text, texts.get(prompt) ?? ''));
        if (rewritten.length === 0) return [];
        const textsBy = (keyOf: (take: (typeof told)[number]) => string) =>
          [...groupBy(rewritten, keyOf).values()].map((takes) => new Set(takes.map(({ text }) => text)).size);
        const mostTexts = Math.max(...textsBy(({ prompt }) => prompt));
        const differing = textsBy(({ prompt, seed }) => JSON.stringify([prompt, seed])).filter((of) => of > 1).length;
        return [
          {
            variants: [name],
            facts: { takes: rewritten.length, ofTakes: told.length, mostTexts, differing },
            what: `the service rewrote the prompt of ${name} in ${count(rewritten.length)} of ${plural(told.length, 'take')}: ${mostTexts === 1 ? 'one text' : `up to ${plural(mostTexts, 'different text')}`} for one prompt`,
            cause:
              differing === 0
                ? 'the service writes a prompt of its own for the model'
                : `takes of one prompt and seed got different texts for ${plural(differing, 'prompt x seed')}: their outputs may differ for this reason alone`,
            remedy: 'turn the rewriting off if the endpoint can; else the comparison includes it',
          },
        ];
      });
    },
  },
  {
    code: 'same_for_all_seeds',
    meaning: 'All seeds of a prompt gave the same bytes.',
    find: ({ cells, probes, variants: all, trialsOf }) => {
      const told = new Set(
        probes.filter(({ code, remedy }) => code === 'ignored' && remedy !== null).map(({ variant }) => variant),
      );
      const delivered = groupBy(
        cells.filter(({ outputGroups }) => outputGroups.length > 0),
        ({ variant }) => variant,
      );
      const counts = all
        .filter(({ name, sendsSeed }) => sendsSeed && !told.has(name) && !trialsOf(name).some(isUnchanged))
        .map(({ name }) => {
          const prompts = [...groupBy(delivered.get(name) ?? [], ({ prompt }) => prompt).values()];
          const ofSeveral = prompts.filter(({ length }) => length > 1);
          return { name, prompts: ofSeveral.filter(isSameOverSeeds).length, ofPrompts: ofSeveral.length };
        })
        .filter(({ prompts }) => prompts > 0);
      const groups = groupBy(counts, ({ prompts, ofPrompts }) => `${prompts} of ${ofPrompts}`);
      return [...groups.values()].map((group) => {
        const [{ prompts, ofPrompts }] = group;
        const variants = group.map(({ name }) => name);
        const unfit = { of: 'comparison', variants, because: 'all seeds gave the same bytes' } as const;
        return {
          variants,
          ...(prompts === ofPrompts ? { unfit } : {}),
          facts: { prompts, ofPrompts },
          what: `the same bytes for all seeds of ${count(prompts)} of ${plural(ofPrompts, 'prompt')} from ${variants.length > 1 ? 'each of ' : ''}${listedInShort(variants)}`,
          cause: 'the seed has no effect, or replies come from a cache',
          remedy: 'check how the target sends the seed; the latency of a cached reply is not that of a generation',
        };
      });
    },
  },
  {
    code: 'no_seed_sent',
    meaning: 'The target takes no seed, and the suite declares several.',
    find: ({ variants: all, plan: { seeds } }) => {
      const variants = all.filter(({ sendsSeed }) => !sendsSeed).map(({ name }) => name);
      if (variants.length === 0 || seeds.length < 2) return [];
      return [
        {
          variants,
          facts: { seeds },
          what: `seeds ${seeds[0]} and ${seeds[1]} make the same request for ${listedInShort(variants)}: no seed is sent`,
          cause: `the target takes no seed, so the ${plural(seeds.length, 'seed')} of the suite repeat one request; equal or different outputs say nothing about seeds`,
          remedy: 'declare one seed and more repeats, or put ${case.seed} into the target if the endpoint takes a seed',
        },
      ];
    },
  },
  probed('constant', {
    code: 'omitted_seed_constant',
    meaning: 'Without a seed, the service uses a constant one; the target declares a random one.',
  }),
  probed('random', {
    code: 'omitted_seed_random',
    meaning: 'Without a seed, the service uses a random one; the target declares a constant one.',
  }),
  probed('batch_dependent', { code: 'batch_dependent', meaning: 'Concurrency changes the output.' }),
  probed('not_testable', { code: 'probe_not_testable', meaning: 'A probe was sent, but has no finding.' }),
  {
    code: 'probe_left_out',
    meaning: 'A probe had nothing to test, or was incomplete.',
    find: ({ plan }) => {
      const skipped = plan.probes?.skippedProbes ?? [];
      const groups = groupBy(skipped, ({ probe, whole, reason }) => JSON.stringify([probe, whole, reason]));
      return [...groups.values()].map((group) => {
        const [{ probe, whole, reason }] = group;
        const variants = group.map(({ variant }) => variant);
        return {
          variants,
          facts: { probe, whole },
          what: `the probe "${probe}" ${whole ? 'had nothing to test' : 'was incomplete'} for ${listedInShort(variants)}`,
          cause: skippedReason(reason),
          remedy: LEFT_OUT_REMEDIES[probe],
        };
      });
    },
  },
);

/** What probes find where takes of a seed differ. */
const UNLIKE_TAKES: ReadonlySet<ProbeFinding['code']> = new Set(['unstable', 'similar', 'batch_dependent']);

const LEFT_OUT_REMEDIES: Readonly<Record<ProbeKind, string>> = {
  seed: 'remove it from probes',
  cache: 'remove it from probes',
  load: 'raise load.concurrency and add prompts or seeds, or remove it from probes',
};

/** What is reported is shortened, and has no control characters. */
function isSameText(reported: string, sent: string): boolean {
  const plain = plainText(sent).trim();
  return reported === plain || (reported.endsWith('…') && plain.startsWith(reported.slice(0, -1)));
}

function isSameOverSeeds(cells: readonly Cell[]): boolean {
  return new Set(cells.flatMap(({ outputGroups }) => outputGroups.map(({ sha256 }) => sha256))).size === 1;
}

function isUnchanged({ edit }: Pick<EffectiveSample, 'edit'>): boolean {
  return edit?.unchanged === true;
}
