import type { Warning, WrittenWarning } from '../analysis/analysis.ts';
import type {
  CodedWarning,
  EqualVariants,
  FlagsDisagree,
  LateVariant,
  NoSeedSent,
  OtherSeedEchoed,
  RateLimited,
  TooManyLateStamps,
} from '../analysis/coded-warning.ts';
import { listed } from '../analysis/wording.ts';
import { failureWarningWords } from './failure-warning-words.ts';
import { loadWarningWords } from './load-warning-words.ts';
import { probeWarningWords } from './probe-warning-words.ts';
import { count, duration, plural, rate, rateUnit, share } from './quantity.ts';

/** A warning as a reader sees it. Holds names, prompts and constants, which are others' text. */
export type WarningWords = Omit<WrittenWarning, 'code'>;

/** Puts a warning into words. */
export function warningWords(warning: Warning): WarningWords {
  if (warning.code === undefined) return warning;
  return { ...(warning.unfit === true ? { unfit: true } : {}), ...codedWords(warning) };
}

function codedWords(warning: CodedWarning): Omit<WarningWords, 'unfit'> {
  switch (warning.code) {
    case 'too_many_late_stamps':
      return lateStampsWords(warning);
    case 'flags_disagree':
      return flagsWords(warning);
    case 'seed_not_honoured':
      return {
        what: `the seed of ${warning.variant} is not honoured: takes differ in ${count(warning.cells)} of ${plural(warning.ofCells, 'cell')}`,
        cause: 'its target claims "exact", and takes of one prompt and seed are different images',
        remedy:
          'check how the target sends the seed, and ask for probes: [seed]; if the service promises nothing, set claim: none in the target',
      };
    case 'other_seed_echoed':
      return echoWords(warning);
    case 'no_seed_sent':
      return noSeedWords(warning);
    case 'same_for_all_seeds':
      return {
        what: `${listed(warning.variants)} gave the same bytes for different seeds (${plural(warning.prompts, 'prompt')})`,
        cause: 'the seed is not honoured, or replies come from a cache',
        remedy: 'check how the target sends the seed; a cached reply has no generation latency',
      };
    case 'equal_variants':
      return equalWords(warning);
    case 'many_failures':
    case 'undecodable_outputs':
    case 'not_decoded':
      return failureWarningWords(warning);
    case 'rate_limited':
      return rateLimitWords(warning);
    case 'dependent_takes':
    case 'queue_grows':
      return loadWarningWords(warning);
    default:
      return probeWarningWords(warning);
  }
}

/** More names than these are a wall: then how many, and the worst. */
const MOST_NAMES = 6;

function lateStampsWords({ variants, ofVariants, loopDelay, mode }: TooManyLateStamps): WarningWords {
  const spelled = ({ variant, late, samples }: LateVariant) =>
    `${count(late)} of ${plural(samples, 'sample')} of ${variant} (${share(late / samples)})`;
  const [worst] = variants.toSorted((a, b) => b.late / b.samples - a.late / a.samples);
  const names =
    variants.length <= MOST_NAMES || worst === undefined
      ? listed(variants.map(spelled))
      : `samples of ${count(variants.length)} of ${plural(ofVariants, 'variant')}, worst ${worst.variant} (${count(worst.late)} of ${count(worst.samples)}),`;
  const delay = loopDelay === null ? '' : ` (up to ${duration(loopDelay.maxMs)}, p99 ${duration(loopDelay.p99Ms)})`;
  // Where p50 is the same without them, it is not to be thrown away.
  const agree = variants.every((each) => each.agree === true);
  return {
    what: `this machine could not keep up with the run: ${names} were stamped late`,
    cause: `the thread that takes time stamps had to wait${delay}; the numbers reflect this machine as much as the service`,
    remedy: `leave the machine to the run, ${mode === 'open' ? 'lower load.rate' : 'lower load.concurrency'}, or measure from a faster one; ${
      agree
        ? 'p50 with and without these samples agree: read no small difference and no p95 from this run'
        : 'do not use these latencies'
    }`,
  };
}

function flagsWords({ variant, step, withFlaggedMs, withoutFlaggedMs }: FlagsDisagree): WarningWords {
  const words = (ms: number | null) => (ms === null ? 'above the time limit' : duration(ms));
  return {
    what: `p50 of ${variant}${step === null ? '' : ` at ${count(step)} in flight`} is ${words(withFlaggedMs)} with its flagged samples and ${words(withoutFlaggedMs)} without: they disagree beyond their intervals`,
    cause: 'what the flags stand for changed the latencies, or occurs more often in long calls',
    remedy: 'trust neither number; fix what was flagged and measure again',
  };
}

function echoWords({ variant, samples, ofSamples, sent, echoed, kept }: OtherSeedEchoed): WarningWords {
  const what = `the service reports another seed than ${variant} sent, in ${count(samples)} of ${plural(ofSamples, 'sample')}: ${echoed} for ${sent}`;
  if (kept === null) {
    return {
      what,
      cause: 'the seed does not reach the model, or meta.seed reads another number',
      remedy:
        'check how the target sends the seed (submit) and where it reads it (meta.seed); the samples carry the flag seed_echo',
    };
  }
  const how = {
    modulo: `the seed modulo ${kept.size}`,
    clamp: `seeds up to ${kept.size - 1}`,
    signed: 'the seed as a signed number of 32 bits',
  }[kept.how];
  const max = (kept.how === 'signed' ? kept.size / 2 : kept.size) - 1;
  return {
    what,
    cause: `the service keeps ${how}, which explains every seed it reports`,
    remedy: `set inputs.seed.max: ${max} in the target; a larger seed is the same as a smaller one`,
  };
}

function noSeedWords({ variants, seeds }: NoSeedSent): WarningWords {
  const [first, second] = seeds;
  return {
    what: `seeds ${first} and ${second} make the same request for ${listed(variants)}: no seed is sent`,
    cause: `the target takes no seed, so ${plural(seeds.length, 'seed')} of the suite are takes of one request; equal or different outputs say nothing about seeds`,
    remedy: 'declare one seed and more repeats, or put ${case.seed} into the target if the endpoint takes a seed',
  };
}

function equalWords({ variants, cells, constants }: EqualVariants): WarningWords {
  const values = constants.map(
    ({ name, values: each }) => `${name} (${listed(each.map((value) => JSON.stringify(value)))})`,
  );
  return {
    what: `${listed(variants)} gave the same bytes in ${count(cells)} of ${plural(cells, 'cell')}: what they differ in does not reach the model`,
    cause: `they differ in ${listed(values)}: the target does not send it, or the service ignores the value`,
    remedy: 'check the spelling of the value, and where the target puts it',
  };
}

function rateLimitWords({ variants, trials, waitedMs, mode, concurrency, servedPerSecond }: RateLimited): WarningWords {
  const open = mode === 'open';
  const per = rateUnit([servedPerSecond]);
  const served = servedPerSecond === null ? '' : ` (${rate(servedPerSecond, per).replace(' / ', '/')} got through)`;
  return {
    what: `${plural(trials, 'take')} of ${listed(variants)} met a rate limit`,
    cause: `the service refuses requests at ${open ? 'this rate' : `concurrency ${count(concurrency)}`}${served}; ${(waitedMs / 1000).toFixed(1)} s were spent waiting, ${open ? 'counted in latency.response, not in latency.total' : 'not counted in latency'}`,
    remedy: open
      ? 'lower load.rate, or ask for a higher limit'
      : concurrency === 1
        ? 'space the requests: load: { mode: open, rate: ... } below the limit; or ask for a higher limit'
        : 'lower load.concurrency, or ask for a higher limit',
  };
}
