import { nearest } from '../../kit/nearest.ts';
import type { DeclaredCommand } from './command.ts';
import { ArgumentFault, dashed, overrides } from './options.ts';

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

/**
 * Cause and remedy for an error of yargs, which has sentences and no codes.
 * @param command the one that is named; null: none
 */
export function describeArgumentFault(
  error: unknown,
  args: readonly string[],
  command: DeclaredCommand | null,
): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArgumentFault) return message;
  const [first = '', second = ''] = message.split('\n');
  const [, option, given, choices] = /^\s*Argument: (.+), Given: (.+), Choices: (.+)$/.exec(second) ?? [];
  if (choices !== undefined) return `--${option} does not take ${given}; write one of ${choices}`;
  if (/^Not enough non-option arguments/.test(first)) return nothingNamed(command);
  const [, bare] = /^Not enough arguments following: (.+)$/.exec(first) ?? [];
  if (bare !== undefined) return `${dashed(bare)} needs a value; write ${dashed(bare)} ${exampleOf(bare, command)}`;
  const [, unknown] = /^Unknown (?:argument|command)s?: (.+)$/.exec(first) ?? [];
  if (unknown !== undefined) return describeUnknown(unknown, args, command);
  const [, meant] = /^Did you mean (.+)\?$/.exec(first) ?? [];
  if (meant !== undefined) return `unknown command "${args[0] ?? ''}"; did you mean "${meant}"?`;
  return `${first.replace(/\.$/, '')}; ${seeHelp(command)}`;
}

/** What a command needs beside its options, with an example. */
export function nothingNamed(command: Pick<DeclaredCommand, 'name' | 'wants'> | null): string {
  if (command?.wants === undefined) return 'name a command: retake --help';
  const [what, typed] = command.wants;
  return `name ${what}: retake ${command.name} ${typed}`;
}

/** yargs names an option with a dash twice, the second time in camel case; the user wrote the first. */
function describeUnknown(list: string, args: readonly string[], command: DeclaredCommand | null): string {
  const name = list.split(', ')[0] ?? list;
  const isOption = args.some((arg) => arg === dashed(name) || arg.startsWith(`${dashed(name)}=`));
  if (!isOption) {
    if (command === null) return `unknown command "${name}"; ${seeHelp(null)}`;
    const takes = command.wants === undefined ? 'takes options only' : `takes ${command.wants[0]} and no more`;
    return `unexpected argument "${name}"; retake ${command.name} ${takes}`;
  }
  if (name === 'dry-run' && command?.name === 'run')
    return `unknown option --dry-run; write retake plan in place of retake run`;
  const options = command?.options ?? {};
  const setting = SUITE_KEYS[name.replace(/_/g, '-')];
  if (setting !== undefined && options.set === overrides.set) {
    return `unknown option ${dashed(name)}; it is a key of the suite: write --set ${setting}`;
  }
  const near = nearest(name, Object.keys(options));
  return `unknown option ${dashed(name)}; ${near === null ? seeHelp(command) : `did you mean ${dashed(near)}?`}`;
}

function seeHelp(command: DeclaredCommand | null): string {
  return `see retake${command === null ? '' : ` ${command.name}`} --help`;
}

function exampleOf(name: string, command: DeclaredCommand | null): string {
  const option = command?.options[name];
  return option?.type === 'string' ? option.example : 'VALUE';
}
