import { REPORTERS } from '../../../report/reporters.ts';

/** The reports by format, for the help of `retake report`: what each is for, and its files. */
export function describeReporters(): string {
  const width = REPORTERS.reduce((widest, { format }) => Math.max(widest, format.length), 0);
  const lines = REPORTERS.map(
    ({ format, description, files }) => `  ${format.padEnd(width)}  ${description} (${files.join(', ')})`,
  );
  return ['Formats:', ...lines].join('\n');
}
