import { REPORT_FORMATS } from '../../suite/report-format.ts';
import { command, type DeclaredCommand, named } from '../line/command.ts';
import { describeFormats } from '../line/help-text.ts';
import {
  allowCommands,
  flag,
  jsonEvents,
  jsonObject,
  listeningOn,
  numberOr,
  optional,
  optionalNumber,
  optionalText,
  out,
  pastSuite,
  quiet,
  required,
  requiredTexts,
  run,
  someOf,
} from '../line/options.ts';

const RUN = ['the folder of a run or suite', 'results/demo'] as const;

export const report = command({
  does: 'write the reports of a run again; send nothing',
  takes: { run },
  options: {
    ...quiet,
    format: someOf(
      [...REPORT_FORMATS, 'terminal'],
      'the reports to write, such as csv,html; by default those of the suite',
      'html',
    ),
    out: optionalText('the folder to write to; by default the folder of the run', 'results'),
  },
  wants: RUN,
  examples: [
    ['$0 report results/demo', 'the reports of the latest run of demo'],
    ['$0 report results/demo --format csv', 'one more format'],
  ],
  group: 'Look',
  needsImages: true,
  about: async ({ out: { width } }) =>
    describeFormats((await import('../display/reporters.ts')).REPORTERS, Math.min(80, width)),
});

export const score = command({
  does: 'add scores to the outputs of a run, and report it again',
  takes: { run },
  options: {
    ...quiet,
    from: optionalText('a CSV file of scores, with the columns trial, metric and value', 'scores.csv'),
    suite: optionalText('use the scorers and expect of this suite; by default the suite of the run', 'suite.yaml'),
    ...allowCommands,
    yes: flag('start without confirmation, even if a judge may cost more than 1 USD'),
  },
  wants: ['the folder of a run or suite', 'results/demo --from scores.csv'],
  examples: [
    ['$0 score results/demo --from hps.csv', 'the latest run of demo'],
    ['$0 score RUN --allow-commands', 'start the programs of its suite'],
  ],
  group: 'Quality',
  needsImages: true,
});

export const vote = command({
  does: 'blind votes: which of two images or videos is better',
  takes: { run },
  options: {
    ...quiet,
    pairs: {
      ...optionalNumber('pairs per variant, each with the baseline variant; fixed when ballots are first drawn', '40', {
        least: 1,
      }),
      defaultDescription: '40',
    },
    // A fixed port, because a browser keeps the id of its voter for one address.
    ...listeningOn(8789),
  },
  wants: RUN,
  examples: [
    ['$0 vote results/demo', 'serve a page to vote in, until Ctrl-C'],
    ['$0 vote RUN --pairs 20', 'show at most 20 pairs of each two variants'],
  ],
  group: 'Quality',
  needsImages: true,
});

export const merge = command({
  does: 'join the shards (parts on several machines) of a run, and report it',
  takes: { shards: requiredTexts('the folders of the shards: results/demo/RUN-*of8') },
  options: {
    ...out,
    replace: flag('take the place of an earlier merge of the run; its votes and scores stay'),
    ...quiet,
    ...jsonEvents,
  },
  wants: ['the folders of the shards of a run', 'results/demo/RUN-*of8'],
  examples: [
    ['$0 merge results/demo/RUN-*of8', 'all shards of one run'],
    ['$0 merge RUN-1of2 RUN-2of2', 'two shards, named by their folders'],
  ],
  needsImages: true,
});

export const gate = command({
  does: 'decide the rules of a run again, from its record',
  takes: { run },
  options: {
    ...quiet,
    baseline: {
      ...optionalText('the stored baseline to compare with', 'results/demo/baseline.json'),
      defaultDescription: 'baseline.json of the suite',
    },
    json: flag('print the verdict as JSON'),
  },
  wants: RUN,
  examples: [
    ['$0 gate results/demo', 'the verdict on the latest run'],
    ['$0 gate results/demo --json', 'the verdict as JSON'],
  ],
  group: 'Decide',
  needsImages: true,
});

export const follow = command({
  does: 'check that the numbers of a run follow from its record; send nothing',
  takes: { run },
  options: {
    ...quiet,
    baseline: optionalText('the stored baseline that a rule was decided with, or that was sent again', 'baseline.json'),
    history: optionalText('the folder of the suite, whose history.jsonl a rule was decided with', 'results/demo'),
    published: optionalText('the digest of its claims that was published before the run', 'a41645530f0b5487'),
  },
  wants: RUN,
  examples: [
    ['$0 follow results/demo/RUN', 'a record of somebody else'],
    ['$0 follow RUN --history results/demo', 'one with a rule against earlier runs'],
  ],
  group: 'Decide',
  needsImages: true,
});

export const baseline = command({
  does: 'keep a run as the stored baseline of its suite',
  takes: { run },
  options: {
    ...quiet,
    force: flag('keep an incomplete run too'),
    'restart-history': flag('ignore earlier runs in rules against earlier runs'),
  },
  wants: RUN,
  examples: [
    ['$0 baseline results/demo', 'keep the latest run of demo, if its gate did not fail'],
    ['$0 baseline results/demo/RUN --force', 'keep a run, even if it is incomplete'],
  ],
  group: 'Decide',
});

export const compare = command({
  does: 'compare two runs by the prompts and seeds that both have',
  takes: { a: required('the earlier run: its folder'), b: required('the later run: its folder') },
  options: {
    ...quiet,
    ...jsonObject,
    html: optionalText('write one page with the outputs of both to this file', 'two-runs.html'),
  },
  wants: ['the folders of two runs', 'results/demo/RUN1 results/demo/RUN2'],
  examples: [
    ['$0 compare RUN1 RUN2', 'two runs, named by their folders'],
    ['$0 compare RUN1 RUN2 --json', 'the same as JSON'],
  ],
  group: 'Look',
});

export const history = command({
  does: 'show the trend of a suite from run to run',
  takes: { suite: pastSuite },
  options: {
    ...out,
    ...quiet,
    metric: {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'show only this metric: --metric latency.download',
      defaultDescription: 'latency, errors, and rates above 0',
      example: 'latency.total',
    },
    csv: optionalText('write every series to a CSV file; - prints it', 'trend.csv'),
    html: {
      ...optionalText('the file to write the page to', 'trend.html'),
      defaultDescription: 'history.html beside the runs',
    },
    json: flag('print every series as one JSON object'),
  },
  wants: ['a suite', 'demo'],
  examples: [
    ['$0 history demo', 'latency and errors from run to run'],
    ['$0 history demo --html trend.html', 'the same as a page'],
  ],
  group: 'Look',
});

export const view = command({
  does: 'show results in a browser; follow a run in progress',
  takes: { run: optional("the folder of a run, or a suite's folder: its latest run; without it, all results") },
  options: { ...out, ...listeningOn(8788) },
  wants: ['the folder of a run', 'results/demo'],
  examples: [
    ['$0 view', 'all results'],
    ['$0 view results/demo', 'the latest run, also in progress'],
  ],
  group: 'Look',
});

export const prune = command({
  does: 'delete the media of old runs; numbers and reports stay',
  takes: { suite: pastSuite },
  options: {
    ...out,
    ...quiet,
    keep: numberOr(10, 'the number of latest runs that keep their media', '5', { least: 0 }),
    thumbs: flag('delete thumbnails, copies and previews too; new reports show none'),
    'dry-run': flag('print what would be deleted; delete nothing'),
  },
  wants: ['a suite', 'demo --keep 5'],
  examples: [
    ['$0 prune demo --keep 5', 'keep the media of the last 5 runs'],
    ['$0 prune demo --keep 5 --dry-run', 'only say what would be deleted'],
  ],
});

/** They send nothing but what scorers ask. */
export const RECORD_COMMANDS: readonly DeclaredCommand[] = [
  named('report', report, async (args, edge) => (await import('../records/report.ts')).reportCommand(args, edge)),
  named('score', score, async (args, edge) => (await import('../score/score.ts')).scoreCommand(args, edge)),
  named('vote', vote, async (args, edge) => (await import('../score/vote.ts')).voteCommand(args, edge)),
  named('merge', merge, async (args, edge) => (await import('../records/merge.ts')).mergeCommand(args, edge)),
  named('gate', gate, async (args, edge) => (await import('../records/gate.ts')).gateCommand(args, edge)),
  named('follow', follow, async (args, edge) => (await import('../records/follow.ts')).followCommand(args, edge)),
  named('baseline', baseline, async (args, edge) =>
    (await import('../records/baseline.ts')).baselineCommand(args, edge),
  ),
  named('compare', compare, async (args, edge) => (await import('../records/compare.ts')).compareCommand(args, edge)),
  named('history', history, async (args, edge) => (await import('../records/history.ts')).historyCommand(args, edge)),
  named('view', view, async (args, edge) => (await import('../view/view.ts')).viewCommand(args, edge)),
  named('prune', prune, async (args, edge) => (await import('../records/prune.ts')).pruneCommand(args, edge)),
];
