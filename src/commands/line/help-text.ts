import { wrapped } from '../../kit/text-width.ts';
import type { Reporter } from '../../report/reporter.ts';

export const FIRST_STEPS = `Begin with: retake run demo. It needs no key and no network.
For your own endpoint: retake init writes a suite, retake plan shows what a run
would send, retake run measures it.
retake <command> --help shows the options of a command, with examples.`;

export const EXIT_CODES = `Exit codes, the first of 5, 2, 3, 1, 4, 0 that applies:
  0  the run is complete; the gate passed, or there is none
  1  a rule of the gate failed
  2  the suite, a target or an argument is wrong; nothing was sent
  3  the run is incomplete, or failures are above limits.failures
  4  the gate is inconclusive
  5  internal error in Retake`;

export const TABLE = `What the table at the end shows (the report has all numbers):
  p50          median latency of the delivered takes; in open load, from when
               a call was due
  speed        2.13x [2.01, 2.27]: 2.13 times as fast as the baseline variant
               of its kind, by the typical ratio of latencies over the same
               prompts and seeds (Hodges-Lehmann estimate: the median of the
               means of all pairs of ratios), with its 95 % interval; "1.20x
               as long": it takes longer; "undecided": they are not told
               apart, of three or more candidates after adjustment for their
               number (Benjamini and Hochberg, 5 %); "too few": too few takes
               to tell
  like baseline
               outputs that stay visually similar to those of the baseline
               variant for the same prompt and seed, of those compared: what
               changed, not whether it is better or worse
  same again   where repeats of a prompt and seed differ: cells whose takes are
               all equal, of those with two takes, and in what (bytes, pixels,
               near: visually identical). A cell is all takes of a variant for
               one prompt and seed, a pair the cells of two variants for these
  errors       failed takes, of those that count
  blocked      takes that were refused by moderation, or blank
  dropped      of open load: starts that were not sent
  cost each    dollars per delivered output, where a price is known
  assets/s     of a sweep: outputs per second at each concurrency
  at the end   how many takes took how long, one axis per kind; time-outs are
               not drawn
  knee         of a sweep: the concurrency with the highest throughput /
               median latency (Kleinrock 1979)
All numbers are for these prompts in this run; intervals assume independent
takes.
`;

/** Made by this command only: one needs a browser, the other is not a file. */
const MORE = [
  {
    format: 'png',
    description: 'screenshots: the head of the page, and a card for chats; needs Chromium',
    files: ['report.png', 'card.png'],
  },
  { format: 'terminal', description: 'the summary that the run ended with, printed again', files: ['no file'] },
] as const;

/**
 * For the help of `retake report`.
 * @param columns of a line
 */
export function describeFormats(reporters: readonly Reporter[], columns: number): string {
  const formats = [...reporters, ...MORE];
  const width = formats.reduce((widest, { format }) => Math.max(widest, format.length), 0);
  const begin = 2 + width + 2;
  const lines = formats.map(({ format, description, files }) => {
    const words = wrapped(`${description} (${files.join(', ')})`, columns - begin);
    return `  ${format.padEnd(width)}  ${words.join(`\n${' '.repeat(begin)}`)}`;
  });
  return ['Formats:', ...lines].join('\n');
}
