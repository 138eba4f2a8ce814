import { wrapped } from '../../kit/text-width.ts';
import type { Reporter } from '../../report/reporter.ts';
import { FILES_OF_FORMAT } from '../../suite/report-format.ts';
import type { CompletedOption } from './completion.ts';

export const WHAT_IT_IS = 'Benchmarks and compares generative-media models behind HTTP APIs.';
const BEGIN = 'Begin with: retake run demo. It needs no key and no network.';

export const FIRST_STEPS = `${BEGIN}
For your own endpoint: retake init writes a suite, retake plan shows what a run
would send, retake run measures it.
retake <command> --help shows the options of a command, with examples.`;

/** By what people want to do; the last ones are only named. */
const GROUPS: readonly (readonly [title: string, commands: readonly CommandName[]])[] = [
  ['Measure', ['init', 'validate', 'plan', 'try', 'run']],
  ['Look', ['view', 'report', 'compare', 'history', 'inspect']],
  ['Decide', ['gate', 'baseline']],
  ['Quality', ['score', 'vote']],
];

/** The first help, in 24 lines of 80 columns; `--help all` has every command in full. */
export function shortHelp(commands: readonly { readonly name: CommandName; readonly does: string }[]): string {
  const width = Math.max(...GROUPS.map(([title]) => title.length));
  const rows = GROUPS.flatMap(([title, names]) =>
    commands
      .filter(({ name }) => names.includes(name))
      .map(({ name, does }, at) => `${(at === 0 ? title : '').padEnd(width)}  ${name.padEnd(10)}${does.split(';')[0]}`),
  );
  const others = commands.filter(({ name }) => GROUPS.every(([, names]) => !names.includes(name)));
  return [
    WHAT_IT_IS,
    '',
    ...rows,
    `${'More'.padEnd(width)}  ${others.map(({ name }) => name).join(', ')}`,
    '',
    BEGIN,
    'retake <command> --help shows a command, with examples; retake --help all shows',
    'all commands, retake --version the version.',
  ].join('\n');
}

/** Options that few users need; of a command with many options they are shown by `--help all`. */
const FOLDED: readonly (readonly [title: string, options: readonly string[]])[] = [
  ['Over machines:', ['shard', 'vantage', 'fleet', 'key', 'workers', 'by-vantage', 'leave-media']],
  ['Trust:', ['allow-outside', 'allow-origin', 'allow-commands']],
];
const MOST_OPTIONS = 12;

/** Options as help shows them. @param all whether folded ones are shown, in groups */
export function arranged<T extends Readonly<Record<string, CompletedOption>>>(options: T, all: boolean): T {
  const names = Object.keys(options);
  if (names.length <= MOST_OPTIONS) return options;
  const entries = names.map((name) => {
    const [title] = FOLDED.find(([, folded]) => folded.includes(name)) ?? [];
    if (all) return [name, { ...options[name], group: title ?? 'Options:' }];
    return [name, title === undefined ? options[name] : { ...options[name], hidden: true }];
  });
  return Object.fromEntries(entries) as T;
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
  throughput     outputs per second
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

/** For yargs: what is typed, with `$0` for the program, and what it does. */
type Example = [string, string];

export const EXAMPLES = {
  run: [
    ['$0 run demo', 'measure the built-in suite'],
    ['$0 run suite.yaml --set repeats=10', 'with another value for this run'],
  ],
  work: [
    ['$0 work s.yaml --fleet URL --name a', 'wait for a coordinator'],
    ['$0 work s.yaml --fleet URL --name b', 'a second worker'],
  ],
  plan: [
    ['$0 plan demo', 'requests, cost, what the gate can detect'],
    ['$0 plan suite.yaml --bodies', 'one request of each variant in full'],
  ],
  try: [
    ['$0 try reference/text-to-image', 'one call to the reference service'],
    ['$0 try ./my-target.yaml -n 10', 'ten calls, and p50'],
  ],
  validate: [
    ['$0 validate suite.yaml', 'a suite, with the targets it names'],
    ['$0 validate suites/*.yaml --quiet', 'several files; print only what is wrong'],
  ],
  targets: [
    ['$0 targets --kind text-to-video', 'the targets of one kind'],
    ['$0 targets reference/text-to-image', 'the details of one target'],
  ],
  report: [
    ['$0 report results/demo', 'the reports of the latest run of demo'],
    ['$0 report results/demo --format csv', 'one more format'],
  ],
  score: [
    ['$0 score results/demo --from hps.csv', 'the latest run of demo'],
    ['$0 score RUN --allow-commands', 'start the programs of its suite'],
  ],
  vote: [
    ['$0 vote results/demo', 'serve a page to vote in, until Ctrl-C'],
    ['$0 vote RUN --export votes.html', 'the page as a file; it saves votes.csv'],
  ],
  merge: [
    ['$0 merge results/demo/RUN-*of8', 'all shards of one run'],
    ['$0 merge RUN-1of2 RUN-2of2', 'two shards, named by their folders'],
  ],
  gate: [
    ['$0 gate results/demo', 'the verdict on the latest run'],
    ['$0 gate results/demo --json', 'the verdict as JSON'],
  ],
  baseline: [
    ['$0 baseline results/demo', 'keep the latest run of demo'],
    ['$0 baseline results/demo/RUN --force', 'keep a run, even if it is incomplete'],
  ],
  compare: [
    ['$0 compare RUN1 RUN2', 'two runs, named by their folders'],
    ['$0 compare RUN1 RUN2 --json', 'the same as JSON'],
  ],
  history: [
    ['$0 history demo', 'latency and errors from run to run'],
    ['$0 history demo --html trend.html', 'the same as a page'],
  ],
  view: [
    ['$0 view', 'all results'],
    ['$0 view results/demo', 'the latest run, also in progress'],
  ],
  prune: [
    ['$0 prune demo --keep 5', 'keep the media of the last 5 runs'],
    ['$0 prune demo --keep 5 --dry-run', 'only say what would be deleted'],
  ],
  inspect: [
    ['$0 inspect a.png b.png', 'how equal two images are, and where they differ'],
    ['$0 inspect a.mp4 b.mp4 --json', 'the same of two videos, as JSON'],
  ],
  init: [
    ['$0 init', 'ask for each value, write suite.yaml'],
    ['$0 init suite.yaml --ci github', 'write the workflow that runs the suite'],
  ],
  serve: [
    ['$0 serve', 'listen on port 8787 of this machine'],
    ['$0 serve --behaviour faults.yaml', 'inject the faults of a file'],
  ],
  fleet: [
    ['$0 fleet keys eu-1 us-1', 'keys for two workers and the coordinator'],
    ['$0 fleet keys eu-1 --out keys', 'the same in another folder'],
  ],
  completion: [
    ['source <($0 completion)', 'in this shell: bash or zsh'],
    ['$0 completion > ~/.zfunc/_retake', 'in zsh, with ~/.zfunc in fpath'],
  ],
} satisfies Readonly<Record<string, [Example, Example]>>;

export type CommandName = keyof typeof EXAMPLES;
