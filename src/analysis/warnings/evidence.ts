import { groupBy } from '../../kit/grouping.ts';
import type { Json } from '../../kit/json.ts';
import { decodeReason } from '../../kit/outcome-words.ts';
import { count, listedInShort, plural } from '../../kit/wording.ts';
import type { ImageBox } from '../../media/shown-shape.ts';
import { endsSoon, endWords, successorWords } from '../../targets/inputs.ts';
import { CACHED } from '../effective-outcome.ts';
import { LATE, SLOWED } from '../effective-sample.ts';
import { lateVariants } from './overload.ts';
import { rules, variantsOf } from './warning-rule.ts';

/** What numbers leave out or rest on, and what will not hold for long. */
export const EVIDENCE = rules(
  {
    code: 'not_warmed_up',
    meaning: 'No warm-up was planned.',
    find: ({ plan }) =>
      plan.load.warmup > 0
        ? []
        : [
            {
              variants: [],
              facts: {},
              what: 'no warm-up was sent',
              cause: 'load.warmup is 0, so the first takes may include a cold start and new connections',
              remedy: 'set load.warmup to 1 or more',
            },
          ],
  },
  {
    code: 'warmup_failed',
    meaning: 'No warm-up succeeded.',
    find: ({ plan, variants: all, warmups }) => {
      if (plan.load.warmup === 0) return [];
      const warm = variantsOf(warmups.filter(({ outcome }) => outcome === 'ok' || outcome === 'blank'));
      const tried = variantsOf(warmups);
      const variants = all.map(({ name }) => name).filter((name) => tried.includes(name) && !warm.includes(name));
      if (variants.length === 0) return [];
      return [
        {
          variants,
          facts: {},
          what: `every warm-up of ${listedInShort(variants)} failed`,
          cause: 'the first takes may include a cold start and new connections',
          remedy: 'look at the warm-ups in samples.csv',
        },
      ];
    },
  },
  {
    code: 'other_size',
    meaning: 'Outputs of another size than the prompt requests.',
    find: ({ trials, prompts }) => {
      const shapes = new Map(prompts.map(({ id, inputs }) => [id, askedShape(inputs.size)]));
      const other = trials.flatMap(({ sample, outcome, output }) => {
        const shape = shapes.get(sample.trial.prompt) ?? null;
        if (outcome !== 'ok' || shape === null) return [];
        const { width = null, height = null } = output ?? {};
        if (width === null || height === null || fitsShape({ width, height }, shape)) return [];
        return [{ variant: sample.trial.variant, asked: shape.text, width, height }];
      });
      return [...groupBy(other, ({ variant }) => variant).values()].map((takes) => {
        const [{ variant, asked, width, height }] = takes;
        const outputs = takes.length;
        return {
          variants: [variant],
          facts: { outputs, asked, width, height },
          what: `${plural(outputs, 'output')} of ${variant} ${outputs === 1 ? 'has' : 'have'} another size than requested${outputs === 1 ? ':' : ', such as'} ${width} x ${height} instead of ${asked}`,
          cause: 'the service rounds sizes, or the target does not send this one',
          remedy: 'check the size that `retake try --bodies` sends; outputs of different sizes take different times',
        };
      });
    },
  },
  {
    code: 'other_shape',
    meaning: 'Edits with a mask that have another shape than their first input image: `edit.outside` leaves them out.',
    find: ({ variants, trialsOf }) =>
      variants.flatMap(({ name }) => {
        // Without a mask nothing is missing.
        const masked = trialsOf(name).filter(({ edit }) => edit !== undefined && edit.outside !== undefined);
        const other = masked.filter(({ edit }) => edit?.otherShape === true);
        const { width = null, height = null } = other[0]?.output ?? {};
        if (width === null || height === null) return [];
        return [
          {
            variants: [name],
            facts: { edits: other.length, ofEdits: masked.length, width, height },
            what: `outputs of ${name} have another shape than the input in ${count(other.length)} of ${plural(masked.length, 'edit')} with a mask, such as ${width} x ${height}`,
            cause: 'the service makes images of a shape of its own, so that they cannot be compared outside the mask',
            remedy: 'send a size with the shape of the input, or use input images of a shape that the service makes',
          },
        ];
      }),
  },
  {
    code: 'flagged_samples',
    meaning: 'Samples with a flag.',
    find: (evidence) => {
      const { trials, probes } = evidence;
      // Flags with a warning of their own are not repeated.
      const toldOf: Partial<Record<string, readonly string[]>> = {
        [LATE]: lateVariants(evidence).map(({ variant }) => variant),
        [CACHED]: probes.filter(({ code }) => code === 'cached').map(({ variant }) => variant),
      };
      return FLAGS.flatMap(({ flag, is, ...why }) => {
        const carrying = trials.filter(
          ({ flags, sample }) => flags.includes(flag) && toldOf[flag]?.includes(sample.trial.variant) !== true,
        );
        if (carrying.length === 0) return [];
        const [samples, variants] = [carrying.length, variantsOf(carrying)];
        const blocks = new Set(carrying.map(({ sample }) => sample.trial.block)).size;
        const brief = `${plural(samples, 'take')} ${samples === 1 ? 'was' : 'were'} ${is}`;
        return [
          {
            variants,
            facts: { flag, samples, blocks },
            what: `${brief} (flag ${flag}), in ${plural(blocks, 'pair of takes')} (${listedInShort(variants)})`,
            brief,
            ...why,
          },
        ];
      });
    },
  },
  {
    code: 'not_decoded',
    meaning: 'Outputs that are compared by their bytes alone.',
    find: ({ trials }) => {
      const blind = trials.flatMap((effective) => {
        const { outcome, output } = effective;
        if (outcome !== 'ok' || output === null || output.frames !== null) return [];
        const media = output.mime?.startsWith('video/') === true ? 'video' : 'image';
        return [{ effective, reason: output.undecoded, media } as const];
      });
      const groups = groupBy(blind, ({ reason, media }) => JSON.stringify([reason, media]));
      return [...groups.values()].map((group) => {
        const variants = variantsOf(group.map(({ effective }) => effective));
        const [{ media, reason }] = group;
        const outputs = group.length;
        const redo =
          reason?.code === 'decoder_died'
            ? 'free memory, then run retake report again'
            : decodingRemedy(reason !== null, media);
        return {
          variants,
          facts: { outputs, media, reason },
          what: `${plural(outputs, media === 'video' ? 'video' : 'output')} of ${listedInShort(variants)} ${outputs === 1 ? 'was' : 'were'} not decoded`,
          cause: reason === null ? 'they were not examined yet' : decodeReason(reason),
          remedy: `${redo}; until then only their bytes are compared, and damage is not detected`,
        };
      });
    },
  },
  {
    code: 'not_compared',
    meaning: 'Pairs of outputs whose difference is not known; determinism leaves them out.',
    find: ({ trials, uncompared }) =>
      [...groupBy(uncompared, ({ reason }) => JSON.stringify(reason)).values()].flatMap((group) => {
        const outputs = new Set(group.flatMap(({ a, b }) => [a, b]));
        const variants = variantsOf(trials.filter(({ output }) => output !== null && outputs.has(output.sha256)));
        const [{ reason }] = group;
        const pairs = group.length;
        if (variants.length === 0) return [];
        return [
          {
            variants,
            facts: { pairs, reason },
            what: `${plural(pairs, 'pair')} of outputs of ${listedInShort(variants)} ${pairs === 1 ? 'was' : 'were'} not compared`,
            cause: decodeReason(reason),
            remedy: 'look at these outputs yourself; determinism leaves them out',
          },
        ];
      }),
  },
  {
    code: 'single_takes',
    meaning: 'One repeat: determinism cannot be measured.',
    find: ({ plan }) =>
      plan.repeats > 1
        ? []
        : [
            {
              variants: [],
              facts: {},
              what: 'determinism cannot be measured: each prompt and seed has one take',
              cause: 'repeats is 1',
              remedy: 'set repeats to 2 or more',
            },
          ],
  },
  {
    code: 'value_ends',
    meaning: 'A constant, such as a model, ends within 30 days of the run, or had ended.',
    find: ({ run, variants }) => {
      const day = run.startedAt.slice(0, 10);
      // Dates move, so a run is never refused for them.
      return variants.flatMap(({ name, retires = [] }) =>
        retires
          .filter((retirement) => endsSoon(retirement, day))
          .map(({ constant, value, on, to }) => ({
            variants: [name],
            facts: { constant, value, on, to },
            what: `the ${constant} ${value} of ${name} ${endWords(on, day)}`,
            cause: 'calls then fail, or another model answers them',
            remedy: successorWords(to),
          })),
      );
    },
  },
  {
    code: 'end_announced',
    meaning: 'The service says by a header that the endpoint is deprecated, or when it ends.',
    find: ({ run, variants, trialsOf }) =>
      variants.flatMap(({ name }) => {
        const end = trialsOf(name).findLast(({ sample }) => sample.reported.end !== undefined)?.sample.reported.end;
        if (end === undefined) return [];
        const { deprecatedOn, endsOn, successor } = end;
        const since = deprecatedOn === null ? '' : ` since ${deprecatedOn}`;
        const ends = endsOn === null ? `is deprecated${since}` : endWords(endsOn, run.startedAt.slice(0, 10));
        return [
          {
            variants: [name],
            facts: { ...end },
            what: `the service says that the endpoint of ${name} ${ends}`,
            cause: `its replies have the header ${endsOn === null ? 'Deprecation' : 'Sunset'}`,
            remedy: successor === null ? 'ask its provider what takes its place' : `use ${successor} instead`,
          },
        ];
      }),
  },
);

interface AskedShape {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly unit: 'pixels' | 'ratio';
}

/** What an input `size` asks for: `1024x768` or `16:9`. Null for other text, which endpoints may define. */
function askedShape(size: Json | undefined): AskedShape | null {
  const parts = typeof size === 'string' ? /^(\d{1,5})([x:])(\d{1,5})$/.exec(size) : null;
  if (parts === null) return null;
  const [text, width, sign, height] = parts;
  if (Number(width) === 0 || Number(height) === 0) return null;
  return { text, width: Number(width), height: Number(height), unit: sign === 'x' ? 'pixels' : 'ratio' };
}

/** Slack of a ratio, since most models round sides to multiples of 8, 16 or 64. */
const RATIO_SLACK = 0.06;

function fitsShape({ width, height }: ImageBox, asked: AskedShape): boolean {
  if (asked.unit === 'pixels') return width === asked.width && height === asked.height;
  const off = (width * asked.height) / (height * asked.width);
  return off <= 1 + RATIO_SLACK && off >= 1 / (1 + RATIO_SLACK);
}

/** No take with a flag is left out. In the order in which they are reported. */
const FLAGS = [
  {
    flag: LATE,
    is: 'timestamped late',
    cause: 'this machine took a timestamp late',
    remedy:
      'run nothing else on this machine, or lower the load; no take is left out, because long takes are flagged more often',
  },
  {
    flag: 'resumed',
    is: 'measured by two processes',
    cause: 'one process started them and another ended them; their clocks cannot be compared',
    remedy: 'run the suite without interruption to measure their latencies, which are left out',
  },
  {
    flag: CACHED,
    is: 'served from a cache',
    cause: 'the service reports that they came from a cache; their latency is not that of a generation',
    remedy: 'add probes: [cache], which leaves repeats out of latency, or use fresh seeds',
  },
  {
    flag: SLOWED,
    is: 'sent below load.concurrency',
    cause:
      'the service refused requests (rate limit), so Retake sent fewer at once than load.concurrency; a take beside fewer others may take less time',
    remedy: 'lower load.concurrency until no start is slowed, or have the rate limit of the account raised',
  },
] as const;

function decodingRemedy(examined: boolean, media: 'image' | 'video'): string {
  if (!examined) return 'run retake report again';
  return media === 'video'
    ? 'install the current optional dependencies (npm install --include=optional), then run retake report again'
    : 'have the service send another format';
}
