import { REPORTERS } from '../../../report/reporters.ts';

/** What only this command makes, since it needs a browser. */
const SCREENSHOT = {
  format: 'png',
  description: 'a screenshot of the head of the page; needs Chromium',
  files: ['report.png'],
} as const;

/** The reports by format, for the help of `retake report`: what each is for, and its files. */
export function describeReporters(): string {
  const formats = [...REPORTERS, SCREENSHOT];
  const width = formats.reduce((widest, { format }) => Math.max(widest, format.length), 0);
  const lines = formats.map(
    ({ format, description, files }) => `  ${format.padEnd(width)}  ${description} (${files.join(', ')})`,
  );
  return ['Formats:', ...lines].join('\n');
}
