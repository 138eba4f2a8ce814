import type { JudgedSample, Warning } from '../analysis.ts';
import { askedShape, fitsShape } from '../asked-shape.ts';
import { isBlank } from '../blank.ts';
import { groupBy } from '../grouping.ts';
import { CACHED } from '../judge.ts';
import { counted, listed } from '../wording.ts';
import type { WarningRule } from './evidence.ts';
import { LATE, unfitVariants } from './late-stamps.ts';

/** Delivered outputs that nothing is known of but their bytes, by why that is. */
export const unexamined: WarningRule = ({ trials }) => {
  const blind = trials.flatMap((judged) =>
    judged.outcome === 'ok' && judged.output !== null && judged.output.frames === null
      ? [{ judged, reason: judged.output.undecoded, video: judged.output.mime?.startsWith('video/') ?? false }]
      : [],
  );
  const groups = groupBy(blind, ({ reason, video }) => JSON.stringify([reason, video]));
  return [...groups.values()].flatMap((group): Warning[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { reason, video } = first;
    return [
      {
        code: 'not_decoded',
        variants: variantNames(group.map(({ judged }) => judged)),
        outputs: group.length,
        media: video ? 'video' : 'image',
        reason,
      },
    ];
  });
};

/** Pictures that are ok and show nothing: what a safety filter hands out, told so that none passes for a success. */
export const blankPictures: WarningRule = ({ trials }) => {
  const groups = groupBy(trials.filter(isBlank), ({ sample }) => sample.trial.variant);
  return [...groups].map(([variant, own]): Warning => {
    const prompts = new Set(own.map(({ sample }) => sample.trial.prompt)).size;
    const what = own[0]?.output?.mime?.startsWith('video/') ? 'video' : 'picture';
    return {
      what: `${counted(own.length, what)} of ${variant} ${own.length === 1 ? 'is' : 'are'} blank (${counted(prompts, 'prompt')})`,
      cause: 'nothing but one colour is to be seen: suspected moderation, which hands out a plain picture as a success',
      remedy:
        'look at them below and try the prompts one by one; they count in block_rate, and in no latency and no determinism. Where a reply says so, tell it as moderated in the target',
    };
  });
};

/** Outputs of another size or shape than was asked for. */
export const otherSizes: WarningRule = ({ trials, prompts }) => {
  const asked = new Map(prompts.map(({ id, inputs }) => [id, askedShape(inputs.size)]));
  const other = trials.filter(({ sample, outcome, output }) => {
    const shape = asked.get(sample.trial.prompt) ?? null;
    return outcome === 'ok' && output !== null && shape !== null && !fitsShape(output, shape);
  });
  return [...groupBy(other, ({ sample }) => sample.trial.variant)].map(([variant, own]): Warning => {
    const [first] = own;
    const shape = first === undefined ? null : (asked.get(first.sample.trial.prompt) ?? null);
    return {
      what: `${counted(own.length, 'output')} of ${variant} ${own.length === 1 ? 'is' : 'are'} not of the size asked for: ${first?.output?.width} x ${first?.output?.height} for ${shape?.text}`,
      cause: 'the service rounds sizes, or the target does not send this one',
      remedy: 'see what `retake try` sends for size; a smaller output is not made in the same time as a larger one',
    };
  });
};

/** What the flags of samples mean, in the order they are reported. */
const FLAGS: readonly { readonly flag: string; readonly cause: string; readonly remedy: string }[] = [
  {
    flag: LATE,
    cause: 'this machine was late in taking a time stamp',
    remedy:
      'leave the machine to the run, or send less at once; none is left out, since long calls are flagged more often',
  },
  {
    flag: 'resumed',
    cause: 'they were begun by one process and ended by another, whose clocks do not compare',
    remedy: 'their latencies are left out; run the suite in one go to have them',
  },
  {
    flag: CACHED,
    cause: 'the service says that they came from a cache; their latencies are not those of generating',
    remedy: 'ask for probes: [cache], which leaves repeats out of latency, or use seeds that were never sent',
  },
];

/** Samples that carry a flag; none is removed for it. What warnings of their own tell of is not told again. */
export const flagged: WarningRule = ({ trials, flagged: summaries, variants }) => {
  const told = new Set(unfitVariants({ flagged: summaries, variants, trials }).map(({ variant }) => variant));
  return FLAGS.flatMap(({ flag, cause, remedy }) => {
    const carrying = trials.filter(
      ({ flags, sample }) => flags.includes(flag) && !(flag === LATE && told.has(sample.trial.variant)),
    );
    if (carrying.length === 0) return [];
    const blocks = new Set(carrying.map(({ sample }) => sample.trial.block)).size;
    const what = `${counted(carrying.length, 'sample')} of ${variantsOf(carrying)} ${carrying.length === 1 ? 'carries' : 'carry'} the flag ${flag}, in ${counted(blocks, 'block')}`;
    return [{ what, cause, remedy }];
  });
};

function variantsOf(samples: readonly JudgedSample[]): string {
  return listed(variantNames(samples));
}

function variantNames(samples: readonly JudgedSample[]): readonly string[] {
  return [...new Set(samples.map(({ sample }) => sample.trial.variant))];
}
