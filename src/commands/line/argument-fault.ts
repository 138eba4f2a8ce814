import { ownValue } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import type { CommandName } from './help-text.ts';

interface Offered {
  /** The first argument, if it is a command: `run`. */
  readonly command: string | null;
  readonly options: readonly string[];
}

/** What each command takes beside its options, with an example; null: nothing. */
const WANTED: Readonly<Record<CommandName, readonly [what: string, example: string] | null>> = {
  run: ['a suite file', 'retake run suite.yaml'],
  work: ['a suite file', 'retake work suite.yaml --fleet nats://127.0.0.1:4222 --name eu-1'],
  plan: ['a suite file', 'retake plan suite.yaml'],
  try: ['a target', 'retake try reference/text-to-image'],
  validate: ['suite or target files', 'retake validate suite.yaml'],
  report: ['the folder of a run or suite', 'retake report results/demo'],
  score: ['the folder of a run or suite', 'retake score results/demo --from scores.csv'],
  vote: ['the folder of a run or suite', 'retake vote results/demo'],
  gate: ['the folder of a run or suite', 'retake gate results/demo'],
  baseline: ['the folder of a run or suite', 'retake baseline results/demo'],
  compare: ['the folders of two runs', 'retake compare results/demo/RUN1 results/demo/RUN2'],
  history: ['a suite', 'retake history demo'],
  view: ['the folder of a run', 'retake view results/demo'],
  prune: ['a suite', 'retake prune demo --keep 5'],
  serve: null,
  completion: null,
  fleet: ['keys, and the workers of a fleet', 'retake fleet keys eu-1 us-1'],
  merge: ['the folders of the shards of a run', 'retake merge results/demo/RUN-*of8'],
  targets: ['a name or a part of one', 'retake targets text-to-image'],
  init: ['the suite to write', 'retake init suite.yaml'],
  inspect: ['two images or videos', 'retake inspect a.png b.png'],
};

/** For options whose form is not obvious. */
const EXAMPLES: Readonly<Record<string, string>> = {
  set: 'repeats=5',
  out: 'results',
  from: 'scores.csv',
  format: 'html',
  kind: 'text-to-image',
  seed: '7',
  n: '5',
  port: '8787',
  host: '127.0.0.1',
  'allow-host': 'bench.example.com',
  workers: '2',
  prompt: '"A red fox"',
  image: 'fox.png',
  mask: 'mask.png',
  behaviour: 'faults.yaml',
  'base-url': 'https://api.example.com',
  'at-least': 'near',
  shard: '3/8',
  against: 'results/demo/baseline.json',
  run: '20261121T210000Z-7f3a',
  target: 'openai/images',
  reply: 'url',
  path: '/v1/generate',
  encoding: 'multipart',
  auth: 'header:x-api-key',
  secret: 'MY_API_KEY',
  model: 'fast',
  name: 'nightly',
  fleet: 'nats://127.0.0.1:4222',
  key: 'eu-1.key',
  vantage: 'eu',
  vantages: '3',
  keep: '5',
  pairs: '40',
  label: 'build-7',
  resume: 'results/demo/20261121T210000Z-7f3a',
  suite: 'suite.yaml',
  baseline: 'results/demo/baseline.json',
  export: 'votes.html',
  import: 'votes.csv',
  csv: 'trend.csv',
  html: 'trend.html',
  metric: 'latency.total',
  swap: 'old-model=new-model',
  ci: 'github',
  'in-use': 'https://live.example.com',
  'server-files': '"server/**"',
  const: 'turbo=false,true',
  'allow-origin': 'https://host.example.com',
  'download-origin': 'http://127.0.0.1:7002',
};

/** How to set keys of a suite that users try as options. */
const SUITE_KEYS: Readonly<Record<string, string>> = {
  repeats: 'repeats=5',
  seeds: "'seeds=[1, 2]'",
  seed: "'seeds=[1]'",
  probes: "'probes=[seed]'",
  concurrency: 'load.concurrency=4',
  rate: 'load.rate=2/s',
  warmup: 'load.warmup=1',
  timeout: 'limits.timeout=60s',
  requests: 'limits.requests=100',
  usd: 'limits.usd=5',
  model: 'variants.NAME.const.model=fast',
  'base-url': 'variants.NAME.base_url=https://api.example.com',
};

/** A fault that Retake finds itself, with its remedy in its message. */
export class ArgumentFault extends Error {}

/** Cause and remedy for an error of yargs, which has sentences and no codes. */
export function describeArgumentFault(error: unknown, args: readonly string[], offered: Offered): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArgumentFault) return message;
  const [first = '', second = ''] = message.split('\n');
  const [, option, given, choices] = /^\s*Argument: (.+), Given: (.+), Choices: (.+)$/.exec(second) ?? [];
  if (choices !== undefined) return `--${option} does not take ${given}; write one of ${choices}`;
  if (/^Not enough non-option arguments/.test(first)) return nothingNamed(offered.command);
  const [, bare] = /^Not enough arguments following: (.+)$/.exec(first) ?? [];
  if (bare !== undefined) return `${dashed(bare)} needs a value; write ${dashed(bare)} ${exampleOf(bare, offered)}`;
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)$/.exec(first) ?? [];
  if (unknown !== undefined) return describeUnknown(unknown, args, offered);
  const [, meant] = /^Did you mean (.+)\?$/.exec(first) ?? [];
  if (meant !== undefined) return `unknown command "${args[0] ?? ''}"; did you mean "${meant}"?`;
  return `${first.replace(/\.$/, '')}; see retake${offered.command === null ? '' : ` ${offered.command}`} --help`;
}

function wantedBy(command: string | null): (typeof WANTED)[CommandName] {
  return command === null ? null : (ownValue<(typeof WANTED)[CommandName]>(WANTED, command) ?? null);
}

/** What a command needs beside its options, with an example. */
export function nothingNamed(command: string | null): string {
  const [what, example] = wantedBy(command) ?? ['a command', 'retake --help'];
  return `name ${what}: ${example}`;
}

/** yargs names an option with a dash twice, the second time in camel case; the user wrote the first. */
function describeUnknown(list: string, args: readonly string[], { command, options }: Offered): string {
  const name = list.split(', ')[0] ?? list;
  const isOption = args.some((arg) => arg === dashed(name) || arg.startsWith(`${dashed(name)}=`));
  if (!isOption) {
    if (command === null) return `unknown command "${name}"; see retake --help`;
    const [what] = wantedBy(command) ?? [];
    const takes = what === undefined ? 'takes options only' : `takes ${what} and no more`;
    return `unexpected argument "${name}"; retake ${command} ${takes}`;
  }
  if (name === 'dry-run' && command === 'run')
    return `unknown option --dry-run; write retake plan in place of retake run`;
  const setting = SUITE_KEYS[name.replace(/_/g, '-')];
  const overridable = options.includes('set') && command !== 'try';
  if (overridable && setting !== undefined) {
    return `unknown option ${dashed(name)}; it is a key of the suite: write --set ${setting}`;
  }
  const near = nearest(name, options);
  const remedy =
    near === null ? `see retake${command === null ? '' : ` ${command}`} --help` : `did you mean ${dashed(near)}?`;
  return `unknown option ${dashed(name)}; ${remedy}`;
}

function exampleOf(option: string, { command }: Offered): string {
  if (option === 'set' && command === 'try') return 'model=fast';
  if (option === 'seed' && command === 'init') return 'exact';
  return EXAMPLES[option] ?? 'VALUE';
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
