import fc from 'fast-check';

/** One promise about one kind of input, with what draws such inputs. */
export interface FuzzProperty {
  /** One word, as the command line takes it. */
  readonly kind: string;
  /** What every input is held to, in a sentence. */
  readonly promise: string;
  /** Its part of all inputs, relative to the others: dear ones have less. */
  readonly share: number;
  /** Tries so many inputs; the same seed draws the same ones. Tells of each before it is tried. */
  readonly fuzz: (inputs: number, seed: number, told: (input: string) => void) => Promise<Fuzzed>;
}

/** What became of a property's inputs. */
export interface Fuzzed {
  readonly inputs: number;
  /** The input that broke the promise, as code, and how it did; null where none did. */
  readonly broken: { readonly input: string; readonly why: string } | null;
  /** Processor time of the input that took longest, in ms. */
  readonly slowestMs: number;
}

/** No input may take longer. Processor time: a crowded machine must not break a promise. */
const MOST_MS = 2000;

/** No input may leave the process larger. */
const MOST_RESIDENT_BYTES = 1.5 * 2 ** 30;

/**
 * A property from what draws its inputs (plain values, so that one can be pasted into a test) and what holds each to
 * the promise.
 */
export function property<Input>({
  inputs,
  hold,
  ...about
}: {
  readonly kind: string;
  readonly promise: string;
  readonly share: number;
  readonly inputs: fc.Arbitrary<Input>;
  /** Throws where the promise is broken. */
  readonly hold: (input: Input) => Promise<void> | void;
}): FuzzProperty {
  return {
    ...about,
    fuzz: async (numRuns, seed, told) => {
      let slowestMs = 0;
      const holds = fc.asyncProperty(inputs, async (input) => {
        told(fc.stringify(input));
        const before = process.cpuUsage();
        await hold(input);
        const { user, system } = process.cpuUsage(before);
        const tookMs = (user + system) / 1000;
        slowestMs = Math.max(slowestMs, tookMs);
        if (tookMs > MOST_MS) throw new Error(`took ${Math.round(tookMs)} ms of processor time`);
        const resident = process.memoryUsage.rss();
        if (resident > MOST_RESIDENT_BYTES) throw new Error(`left ${Math.round(resident / 2 ** 20)} MiB resident`);
      });
      const details = await fc.check(holds, { numRuns, seed });
      const [input] = details.counterexample ?? [];
      const { errorInstance } = details;
      const why =
        errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
      return {
        inputs: details.numRuns,
        broken: details.failed ? { input: fc.stringify(input), why } : null,
        slowestMs,
      };
    },
  };
}
