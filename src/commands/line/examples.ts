/** For yargs: what is typed, with `$0` for the program, and what it does. */
type Example = [string, string];

/** Two of each command. */
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
  calibrate: [
    ['$0 calibrate', 'the smallest difference that this machine can resolve'],
    ['$0 calibrate --json', 'the same as JSON'],
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
    ['source <($0 completion bash)', 'in bash'],
    ['$0 completion zsh > ~/.zfunc/_retake', 'in zsh, with ~/.zfunc in fpath'],
  ],
} satisfies Readonly<Record<string, [Example, Example]>>;

export type CommandName = keyof typeof EXAMPLES;
