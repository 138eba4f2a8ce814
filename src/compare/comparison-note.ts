import { z } from 'zod';
import { choice, type Recorded } from '../shape/declare.ts';

export const comparisonNoteSchema = choice(
  'ComparisonNote',
  'What must be known to read a comparison: a code, some with a number.',
  'code',
  [
    z.strictObject({
      code: z.enum([
        'no_pair',
        /** In most units one side timed out, so that the ratio has no number. */
        'candidate_timed_out',
        'baseline_timed_out',
        /** Time-outs leave an end of the interval open. */
        'ci_low_open',
        'ci_high_open',
        'contended',
        /** One variant was sent after the other, so that drift is in the difference. */
        'sequential',
        /** The difference is less than the noise floor of the machine, which is of single calls. It decides nothing. */
        'below_noise_floor',
        /** Without the blocks that hold a flagged take the value is outside the interval. */
        'flagged_disagree',
        /** Nothing is left without the blocks that hold a flagged take. */
        'all_flagged',
      ]),
    }),
    z.strictObject({
      code: z.enum([
        'needs_blocks',
        'needs_cell_pairs',
        'needs_rounds',
        'needs_prompts',
        /** Above concurrency 1 and of a sweep: the rounds that interval and p stand on. */
        'rounds',
        /** The effect differs by prompt; p of Kruskal and Wallis' test. */
        'differs_by_prompt',
      ]),
      value: z.number().describe('The number that belongs to the code.'),
    }),
  ],
);
export type PlainComparisonNoteCode = Exclude<ComparisonNote, { value: number }>['code'];
export type NumberedComparisonNoteCode = Extract<ComparisonNote, { value: number }>['code'];
export type ComparisonNote = Recorded<typeof comparisonNoteSchema>;
