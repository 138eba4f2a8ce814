import { choice, type Recorded } from '../../kit/declare.ts';
import { failureWarnings } from './failure-warning.ts';
import { harnessWarnings } from './harness-warning.ts';
import { loadWarnings } from './load-warning.ts';
import { outputWarnings } from './output-warning.ts';
import { probeWarnings } from './probe-warning.ts';
import { runWarnings } from './run-warning.ts';
import { seedWarnings } from './seed-warning.ts';

export const warningSchema = choice(
  'Warning',
  'Something that may have affected the numbers: a code with its numbers and names. The reports put it into words.',
  'code',
  [
    ...runWarnings,
    ...failureWarnings,
    ...harnessWarnings,
    ...loadWarnings,
    ...outputWarnings,
    ...seedWarnings,
    ...probeWarnings,
  ],
);
/** Something that may have affected the numbers: a code with its numbers and names. */
export type Warning = Recorded<typeof warningSchema>;

export type WarningOf<Code extends Warning['code']> = Extract<Warning, { code: Code }>;
