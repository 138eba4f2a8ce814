import { REPORTERS } from '../../../report/reporters.ts';
import { wrapped } from '../../../text/text-width.ts';

/** Made by this command only: one needs a browser, the other is not a file. */
const MORE = [
  { format: 'png', description: 'a screenshot of the head of the page; needs Chromium', files: ['report.png'] },
  { format: 'terminal', description: 'the summary that the run ended with, printed again', files: ['no file'] },
] as const;

/**
 * For the help of `retake report`.
 * @param columns of a line
 */
export function describeReporters(columns: number): string {
  const formats = [...REPORTERS, ...MORE];
  const width = formats.reduce((widest, { format }) => Math.max(widest, format.length), 0);
  const begin = 2 + width + 2;
  const lines = formats.map(({ format, description, files }) => {
    const words = wrapped(`${description} (${files.join(', ')})`, columns - begin);
    return `  ${format.padEnd(width)}  ${words.join(`\n${' '.repeat(begin)}`)}`;
  });
  return ['Formats:', ...lines].join('\n');
}
