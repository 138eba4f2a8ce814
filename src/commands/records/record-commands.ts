import { REPORT_FORMATS } from '../../suite/report-format.ts';
import { command, type DeclaredCommand } from '../line/declare.ts';
import { describeFormats } from '../line/help-text.ts';
import {
  flag,
  jsonEvents,
  jsonObject,
  numberOr,
  optionalText,
  out,
  pastSuite,
  quiet,
  required,
  requiredTexts,
  run,
  someOf,
} from '../line/options.ts';

const report = command(
  'report',
  '<run>',
  'write the reports of a run again; send nothing',
  async (y, { edge, help, offered }) =>
    y
      .positional('run', run)
      .options(
        offered({
          ...quiet,
          format: someOf(
            'format',
            [...REPORT_FORMATS, 'terminal'],
            'the reports to write, such as csv,html; by default those of the suite',
          ),
          out: optionalText('the folder to write to; by default the folder of the run'),
        }),
      )
      .epilogue(
        help ? describeFormats((await import('../display/reporters.ts')).REPORTERS, Math.min(80, edge.out.width)) : '',
      ),
  async (args, edge) => (await import('./report.ts')).reportCommand(args, edge),
);

const merge = command(
  'merge',
  '<shards..>',
  'join the shards (parts on several machines) of a run, and report it',
  (y, { offered }) =>
    y.positional('shards', requiredTexts('the folders of the shards: results/demo/RUN-*of8')).options(
      offered({
        ...out,
        replace: flag('take the place of an earlier merge of the run; its votes and scores stay'),
        ...quiet,
        ...jsonEvents,
      }),
    ),
  async (args, edge) => (await import('./merge.ts')).mergeCommand(args, edge),
);

const gate = command(
  'gate',
  '<run>',
  'decide the rules of a run again, from its record',
  (y, { offered }) =>
    y.positional('run', run).options(
      offered({
        ...quiet,
        baseline: {
          ...optionalText('the stored baseline to compare with'),
          defaultDescription: 'baseline.json of the suite',
        },
        json: flag('print the verdict as JSON'),
      }),
    ),
  async (args, edge) => (await import('./gate.ts')).gateCommand(args, edge),
);

const baseline = command(
  'baseline',
  '<run>',
  'keep a run as the stored baseline of its suite',
  (y, { offered }) =>
    y.positional('run', run).options(
      offered({
        ...quiet,
        force: flag('keep an incomplete run too'),
        'restart-history': flag('ignore earlier runs in rules against earlier runs'),
      }),
    ),
  async (args, edge) => (await import('./baseline.ts')).baselineCommand(args, edge),
);

const compare = command(
  'compare',
  '<a> <b>',
  'compare two runs by the prompts and seeds that both have',
  (y, { offered }) =>
    y
      .positional('a', required('the earlier run: its folder'))
      .positional('b', required('the later run: its folder'))
      .options(
        offered({
          ...quiet,
          ...jsonObject,
          html: optionalText('write one page with the outputs of both to this file'),
        }),
      ),
  async (args, edge) => (await import('./compare.ts')).compareCommand(args, edge),
);

const history = command(
  'history',
  '<suite>',
  'show the trend of a suite from run to run',
  (y, { offered }) =>
    y.positional('suite', pastSuite).options(
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
        csv: optionalText('write every series to a CSV file; - prints it'),
        html: {
          ...optionalText('the file to write the page to'),
          defaultDescription: 'history.html beside the runs',
        },
        json: flag('print every series as one JSON object'),
        rebuild: flag('make history.jsonl again from the records'),
      }),
    ),
  async (args, edge) => (await import('./history.ts')).historyCommand(args, edge),
);

const prune = command(
  'prune',
  '<suite>',
  'delete the media of old runs; numbers and reports stay',
  (y, { offered }) =>
    y.positional('suite', pastSuite).options(
      offered({
        ...out,
        ...quiet,
        keep: numberOr(10, 'the number of latest runs that keep their media'),
        thumbs: flag('delete thumbnails, copies and previews too; new reports show none'),
        'dry-run': flag('print what would be deleted; delete nothing'),
        ...jsonObject,
      }),
    ),
  async (args, edge) => (await import('./prune.ts')).pruneCommand(args, edge),
);

/** They send nothing. */
export const RECORD_COMMANDS: readonly DeclaredCommand[] = [report, merge, gate, baseline, compare, history, prune];
