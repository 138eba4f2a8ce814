import { pathToFileURL } from 'node:url';
import { wrapped } from '../../kit/text-width.ts';
import type { Reporter } from '../../report/reporter.ts';
import { FILES_OF_FORMAT } from '../../suite/report-format.ts';
import type { Edge } from '../edge.ts';
import type { Option } from './options.ts';

export const WHAT_IT_IS = 'Benchmarks and compares generative-media models behind HTTP APIs.';
const BEGIN = 'Begin with: retake run demo. It needs no key and no network.';

export const FIRST_STEPS = `${BEGIN}
For your own endpoint: retake init writes a suite, retake plan shows what a run
would send, retake run measures it.
retake <command> --help shows the options of a command, with examples.`;

export const GROUPS = ['Measure', 'Look', 'Decide', 'Quality'] as const;

interface Listed {
  readonly name: string;
  readonly does: string;
  readonly group?: (typeof GROUPS)[number];
}

/** The first help, in 24 lines of 80 columns. */
export function shortHelp(commands: readonly Listed[]): string {
  const width = Math.max(...GROUPS.map((title) => title.length));
  const rows = GROUPS.flatMap((title) =>
    commands
      .filter(({ group }) => group === title)
      .map(({ name, does }, at) => `${(at === 0 ? title : '').padEnd(width)}  ${name.padEnd(10)}${does.split(';')[0]}`),
  );
  const others = commands.filter(({ group }) => group === undefined);
  return [
    WHAT_IT_IS,
    '',
    ...rows,
    `${'More'.padEnd(width)}  ${others.map(({ name }) => name).join(', ')}`,
    '',
    BEGIN,
    'retake <command> --help shows a command, with examples.',
  ].join('\n');
}

export function helpColumns({ out }: Pick<Edge, 'out'>): number {
  return Math.min(100, out.width);
}

/** @param program the file of this program */
export function suiteSchemaOf(program: string): URL {
  return new URL('../suites/suite.schema.json', pathToFileURL(program));
}

/** Options as help shows them: those that few users need under titles of their own, below the others. */
export function arranged(
  options: Readonly<Record<string, Option>>,
  isShown: boolean,
): Readonly<Record<string, Option>> {
  const entries = Object.entries(options).map(([name, option]) => {
    // yargs makes the help of each command that it runs, of all options that are not hidden: 40 ms.
    return [name, isShown ? { ...option, group: option.group ?? 'Options:' } : { ...option, hidden: true }] as const;
  });
  return Object.fromEntries(entries);
}

export const EXIT_CODES = `Exit codes, the first of 5, 2, 3, 1, 4, 0 that applies:
  0  the run is complete; the gate passed, or there is none
  1  a rule of the gate failed
  2  the suite, a target or an argument is wrong; nothing was sent
  3  the run is incomplete, or failures are above limits.failures
  4  the gate is not decided
  5  internal error in Retake`;

export const TABLE = `Columns of the table at the end:
  p50            median latency of takes that came; open load: from the due time
  speed          times as fast as the baseline variant; "–": no difference found
  similar        outputs that look like those of the baseline variant
  equal repeats  prompts x seeds whose takes are all equal, and in what
  errors         takes that failed, of those that count
  blocked        takes that moderation refused, or that are blank
  dropped        open load: starts that were not sent
  cost each      dollars for each output that is not blank
  throughput     takes delivered per second
  load           sweep with load.hold: whether this load holds it
  at the right   how many takes took how long; time-outs are not drawn
Definitions: results/README.md
`;

/** A format of this command only. */
const TERMINAL = {
  format: 'terminal',
  description: 'the summary that the run ended with, printed again',
  files: ['no file'],
} as const;

/** For the help of `retake report`. @param columns of a line */
export function describeFormats(reporters: readonly Reporter[], columns: number): string {
  const formats = [
    ...reporters.map((reporter) => ({ ...reporter, files: FILES_OF_FORMAT[reporter.format] })),
    TERMINAL,
  ];
  const width = formats.reduce((widest, { format }) => Math.max(widest, format.length), 0);
  const begin = 2 + width + 2;
  const lines = formats.map(({ format, description, files }) => {
    const words = wrapped(`${description} (${files.join(', ')})`, columns - begin);
    return `  ${format.padEnd(width)}  ${words.join(`\n${' '.repeat(begin)}`)}`;
  });
  return ['Formats:', ...lines].join('\n');
}
