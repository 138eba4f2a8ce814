import type { Warning } from '../analysis.ts';
import type { CacheFinding, ProbeFindings } from '../probe-finding.ts';
import { counted, listed, percent, probability } from '../wording.ts';
import type { WarningRule } from './evidence.ts';

/** Repeats that come from memory: their latency is not that of generating, and that they are equal says nothing. */
export const servedFromCache: WarningRule = ({ probes }) =>
  probes.flatMap(({ variant, cache }): Warning[] => {
    if (cache?.word !== 'cached') return [];
    return [
      {
        what: `${variant} is served from a cache: repeats are left out of latency, and its determinism is not testable`,
        cause: cacheEvidence(cache),
        remedy:
          'latency is of the first take of each prompt and seed, for all variants of its kind; turn the cache off, or declare many seeds and new ones for each run (seeds: { random: 30, from: 2 })',
      },
    ];
  });

function cacheEvidence({ by, pairs, equal, ratio, p, saidOfRepeats }: CacheFinding): string {
  const timing =
    by.includes('timing') && ratio !== null && p !== null
      ? [
          `${equal} of ${pairs} repeats were equal to the byte and ${Number(ratio.toPrecision(2))} times as fast as requests never sent before (p = ${probability(p)})`,
        ]
      : [];
  const said = by.includes('said') ? [`the service says so of ${saidOfRepeats} of ${pairs} repeats`] : [];
  return [...timing, ...said].join('; ');
}

/** Seeds that do not do what the target says of them. */
export const seedProbe: WarningRule = ({ probes, variants }) =>
  probes.flatMap(({ variant, seed }): Warning[] => {
    const claim = variants.find(({ name }) => name === variant)?.seedClaim ?? 'none';
    if (seed === null || claim === 'none') return [];
    switch (seed.word) {
      case 'one picture for all seeds':
        return [
          {
            what: `seed ignored: ${counted(seed.otherSeeds + 1, 'seed')} of ${variant} gave one picture`,
            cause: `the service does not honour the seed, or the target does not send it as it should; the target claims "${claim}"`,
            remedy: 'check how the target sends the seed; until then takes of several seeds are takes of one picture',
          },
        ];
      case 'varies within a seed':
        return [
          {
            what: `seed not honoured: takes of one seed of ${variant} differ`,
            cause: `the target claims "${claim}", and ${counted(seed.takes, 'take')} of the first prompt and seed are, at worst, ${seed.within ?? 'not compared'}`,
            remedy:
              'check how the target sends the seed; if the service promises nothing of it, set claim: none in the target',
          },
        ];
      case 'similar':
        return claim === 'exact'
          ? [
              {
                what: `the seed of ${variant} gives similar pictures, not the same`,
                cause: `the target claims "exact", and takes of the first prompt and seed are, at worst, ${seed.within}`,
                remedy: 'compare at the level "similar", or set claim: similar in the target',
              },
            ]
          : [];
      default:
        return [];
    }
  });

/** What leaving the seed out does, where the target says otherwise. */
export const omittedSeed: WarningRule = ({ probes, variants }) =>
  probes.flatMap(({ variant, seed }): Warning[] => {
    const means = variants.find(({ name }) => name === variant)?.seedOmitMeans ?? 'unknown';
    const word = seed?.omitted.word;
    if (word === 'constant' && means === 'random') {
      return [
        {
          what: `without a seed ${variant} gave one picture twice`,
          cause: 'the service takes a constant seed where none is sent; the target says that it takes a random one',
          remedy: 'send seeds of your own for variety, and set omit_means: constant in the target',
        },
      ];
    }
    if (word === 'random' && means === 'constant') {
      return [
        {
          what: `without a seed ${variant} gave two pictures`,
          cause: 'the service takes a random seed where none is sent; the target says that it takes a constant one',
          remedy: 'send a seed wherever a picture has to come again, and set omit_means: random in the target',
        },
      ];
    }
    return [];
  });

/** Pictures that depend on what else the service does at the time. */
export const companyChanges: WarningRule = ({ probes, plan }) =>
  probes.flatMap(({ variant, load }): Warning[] => {
    if (load?.word !== 'company changes the picture') return [];
    const { changedByCompany, changedAlone, cells, p } = load;
    return [
      {
        what: `company changes the picture of ${variant}: in ${changedByCompany} of ${counted(cells, 'cell')} (${percent(changedByCompany / cells)})`,
        cause: `two takes alone agree and one with ${plan.load.concurrency} in flight departs; the other way round ${changedAlone}${p === null ? '' : ` (p = ${probability(p)})`}: the service computes requests together, and the batch shows in the pixels`,
        remedy:
          'its determinism is that of this load; set load.concurrency to 1 to see it alone, or judge at the level "near"',
      },
    ];
  });

/** Probes that were sent and could not be judged. */
export const unjudgedProbes: WarningRule = ({ probes, plan }) =>
  probes.flatMap((found) =>
    (['seed', 'cache', 'load'] as const).flatMap((kind): Warning[] => {
      const reason = unjudged(found, kind);
      const left = plan.probes?.unprobed.some(
        (each) => each.whole && each.probe === kind && each.variant === found.variant,
      );
      if (reason === null || left === true) return [];
      return [
        {
          what: `the probe "${kind}" of ${found.variant} could not be judged`,
          cause: reason,
          remedy:
            found.cache?.word === 'cached'
              ? 'turn the cache off and run again'
              : 'look at its rows in samples.csv (phase probe), and run again',
        },
      ];
    }),
  );

function unjudged(found: ProbeFindings, kind: 'seed' | 'cache' | 'load'): string | null {
  const finding = found[kind];
  return finding?.word === 'not testable' ? finding.reason : null;
}

/** Probes that were asked for and had nothing to find out. */
export const unprobed: WarningRule = ({ plan }) => {
  const left = plan.probes?.unprobed ?? [];
  const reasons = [...new Set(left.map(({ probe, whole, reason }) => JSON.stringify([probe, whole, reason])))];
  return reasons.map((key) => {
    const [probe, whole, reason]: readonly [string, boolean, string] = JSON.parse(key);
    const names = left
      .filter((each) => each.probe === probe && each.whole === whole && each.reason === reason)
      .map(({ variant }) => variant);
    return {
      what: `the probe "${probe}" ${whole ? 'had nothing to test' : 'tested a part only'} of ${listed(names)}`,
      cause: reason,
      remedy: REMEDIES[probe] ?? 'remove it from probes',
    };
  });
};

const REMEDIES: Readonly<Record<string, string>> = {
  load: 'raise load.concurrency, with prompts and seeds for it, or remove the probe',
};
