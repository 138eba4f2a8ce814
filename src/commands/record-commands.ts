import type { Argv } from 'yargs';
import { REPORT_FORMATS } from '../suite/format/suite.ts';
import type { Edge, ExitCode } from './edge.ts';
import type { CompletedOption } from './line/completion.ts';
import { EXAMPLES } from './line/examples.ts';
import { describeFormats } from './line/help-text.ts';
import { number, optionalText, out, pastSuite, quiet, run, someOf, text } from './line/options.ts';

export type Chosen = () => Promise<ExitCode>;

export interface Declaring {
  readonly edge: Edge;
  /** What only help shows is only loaded if true. */
  readonly help: boolean;
  /** Receives a command's options before its arguments are checked, and returns them. */
  readonly offered: <T extends Readonly<Record<string, CompletedOption>>>(options: T) => T;
  readonly choose: (command: Chosen) => void;
}

/** Commands on records of runs: they send nothing. */
export function declareRecordCommands(commands: Argv, { edge, help, offered, choose }: Declaring): Argv {
  return commands
    .command(
      'report <run>',
      'write the reports of a run again; send nothing',
      async (y) =>
        y
          .example(EXAMPLES.report)
          .positional('run', run)
          .options(
            offered({
              ...quiet,
              format: {
                ...someOf('format', [...REPORT_FORMATS, 'png', 'terminal'] as const),
                describe: 'the reports to write, such as csv,html; by default those of the suite',
              },
              out: { ...optionalText, describe: 'the folder to write to; by default the folder of the run' },
            } as const),
          )
          .epilogue(
            help
              ? describeFormats((await import('../report/reporters.ts')).REPORTERS, Math.min(80, edge.out.width))
              : '',
          ),
      (a) => choose(async () => (await import('./report.ts')).reportCommand(a, edge)),
    )
    .command(
      'merge <shards..>',
      'join the shards of a run into one run, and report it',
      (y) =>
        y
          .example(EXAMPLES.merge)
          .positional('shards', {
            type: 'string',
            array: true,
            demandOption: true,
            describe: 'the folders of the shards: results/demo/RUN-*of8',
          })
          .options(
            offered({
              ...out,
              ...quiet,
              json: { type: 'boolean', default: false, describe: 'print events as JSON lines' },
            } as const),
          ),
      (a) => choose(async () => (await import('./merge.ts')).mergeCommand(a, edge)),
    )
    .command(
      'gate <run>',
      'decide the rules of a run again, from its record',
      (y) =>
        y
          .example(EXAMPLES.gate)
          .positional('run', run)
          .options(
            offered({
              ...quiet,
              baseline: {
                ...optionalText,
                describe: 'the stored baseline to compare with',
                defaultDescription: 'baseline.json of the suite',
              },
              json: { type: 'boolean', default: false, describe: 'print the verdict as JSON' },
            } as const),
          ),
      (a) => choose(async () => (await import('./gate.ts')).gateCommand(a, edge)),
    )
    .command(
      'baseline <run>',
      'keep a run as the stored baseline of its suite',
      (y) =>
        y
          .example(EXAMPLES.baseline)
          .positional('run', run)
          .options(
            offered({
              ...quiet,
              force: { type: 'boolean', default: false, describe: 'keep an incomplete run too' },
            } as const),
          ),
      (a) => choose(async () => (await import('./baseline.ts')).baselineCommand(a, edge)),
    )
    .command(
      'compare <a> <b>',
      'compare two runs by the prompts and seeds that both have',
      (y) =>
        y
          .example(EXAMPLES.compare)
          .positional('a', { ...run, describe: 'the earlier run: its folder' })
          .positional('b', { ...run, describe: 'the later run: its folder' })
          .options(
            offered({
              ...quiet,
              json: { type: 'boolean', default: false, describe: 'print one JSON object' },
            } as const),
          ),
      (a) => choose(async () => (await import('./compare.ts')).compareCommand(a, edge)),
    )
    .command(
      'history <suite>',
      'show the trend of a suite from run to run',
      (y) =>
        y
          .example(EXAMPLES.history)
          .positional('suite', pastSuite)
          .options(
            offered({
              ...out,
              ...quiet,
              metric: {
                type: 'string',
                array: true,
                nargs: 1,
                describe: 'show only this metric: --metric latency.download',
                defaultDescription: 'latency, errors, and rates above 0',
              },
              csv: { ...optionalText, describe: 'write every series to a CSV file; - prints it' },
              html: {
                ...optionalText,
                describe: 'the file to write the page to',
                defaultDescription: 'history.html beside the runs',
              },
              json: { type: 'boolean', default: false, describe: 'print every series as one JSON object' },
              rebuild: { type: 'boolean', default: false, describe: 'make history.jsonl again from the records' },
            } as const),
          ),
      (a) => choose(async () => (await import('./history.ts')).historyCommand(a, edge)),
    )
    .command(
      'view [run]',
      'show results in a browser; follow a run in progress',
      (y) =>
        y
          .example(EXAMPLES.view)
          .positional('run', {
            type: 'string',
            describe: "the folder of a run, or a suite's folder: its latest run; without it, all results",
          })
          .options(
            offered({
              ...out,
              port: { ...number, default: 8788, describe: 'the port; 0 picks a free port' },
              host: {
                ...text,
                default: '127.0.0.1',
                describe: 'the IP address to listen on; by default, only this machine can connect',
              },
              open: { type: 'boolean', default: false, describe: 'open the address in the browser of this machine' },
            } as const),
          ),
      (a) => choose(async () => (await import('./view.ts')).viewCommand(a, edge)),
    )
    .command(
      'prune <suite>',
      'delete the media of old runs; numbers and reports stay',
      (y) =>
        y
          .example(EXAMPLES.prune)
          .positional('suite', pastSuite)
          .options(
            offered({
              ...out,
              ...quiet,
              keep: { ...number, default: 10, describe: 'the number of latest runs that keep their media' },
              thumbs: {
                type: 'boolean',
                default: false,
                describe: 'delete thumbnails, copies and previews too; new reports show none',
              },
              'dry-run': { type: 'boolean', default: false, describe: 'print what would be deleted; delete nothing' },
              json: { type: 'boolean', default: false, describe: 'print one JSON object' },
            } as const),
          ),
      (a) => choose(async () => (await import('./prune.ts')).pruneCommand(a, edge)),
    );
}
