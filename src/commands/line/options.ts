import { isAddress } from '../../kit/loopback.ts';

/** What a shell completes a value to, where it has no choices. */
export type Completes = 'targets' | 'suites' | 'settings';

/** An option without a value. */
interface Flag {
  readonly type: 'boolean';
  readonly describe?: string;
  readonly default: false;
  readonly hidden?: boolean;
}

/** An option with a value. */
interface Valued {
  readonly type: 'string';
  readonly describe: string;
  readonly nargs: 1;
  readonly array?: true;
  readonly choices?: readonly string[];
  coerce?(given: unknown): unknown;
  /** Whether it takes a value, where it does not take any. */
  fits?(value: unknown): boolean;
  /** What fits, in words: `a whole number from 1 to 64`. */
  readonly needs?: string;
  readonly default?: string | number | string[];
  readonly defaultDescription?: string;
  /** A value, shown where none was given: `repeats=5`. */
  readonly example: string;
  readonly completes?: Completes | undefined;
}

export type Option = (Flag | Valued) & {
  /** Few users need it: help shows it under this title, below the others. */
  readonly group?: string;
};

/** What follows the name of a command. */
export interface Positional {
  readonly type: 'string';
  readonly describe: string;
  readonly demandOption?: true;
  readonly array?: true;
  readonly choices?: readonly string[];
  coerce?(given: unknown): unknown;
  readonly default?: string;
  readonly completes?: Completes | undefined;
}

/** A fault that Retake finds itself, with its remedy in its message. */
export class ArgumentFault extends Error {}

/** Refuses a value that its option does not take. @param args as yargs has read them */
export function checkValues(options: Readonly<Record<string, Option>>, args: Readonly<Record<string, unknown>>): void {
  for (const [name, option] of Object.entries(options)) {
    if (option.type !== 'string' || option.fits === undefined || args[name] === undefined) continue;
    const values = [args[name]].flat();
    if (values.every((value) => option.fits?.(value))) continue;
    throw new ArgumentFault(`${dashed(name)} takes ${option.needs}; write ${dashed(name)} ${option.example}`);
  }
}

/** As users write it. */
export function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** The last of several values counts. */
function last<T extends string | number | undefined>(given: T | readonly T[]): T {
  if (typeof given !== 'object') return given;
  const value = given[given.length - 1];
  if (value === undefined) throw new Error('an option was given without a value');
  return value;
}

function lastNumber(given: number | string | readonly (number | string)[]): number {
  const value = last(given);
  return typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
}

export function flag(describe: string) {
  return { type: 'boolean', default: false, describe } as const;
}

export function optionalText(describe: string, example: string) {
  return { type: 'string', nargs: 1, coerce: last<string | undefined>, describe, example } as const;
}

export function textOr(fallback: string, describe: string, example: string) {
  return { type: 'string', nargs: 1, coerce: last<string>, default: fallback, describe, example } as const;
}

interface NumberRange {
  readonly least: number;
  readonly most?: number;
}

/** Read as text, because yargs reads an empty text, such as an unset shell variable, as 0; help still says "number". */
function wholeNumber({ least, most = Number.MAX_SAFE_INTEGER }: NumberRange) {
  const fits = (value: number) => Number.isSafeInteger(value) && value >= least && value <= most;
  const to = most === Number.MAX_SAFE_INTEGER && least >= 0 ? '' : ` to ${most}`;
  return { type: 'string', number: true, nargs: 1, fits, needs: `a whole number from ${least}${to}` } as const;
}

export function numberOr(fallback: number, describe: string, example: string, range: NumberRange) {
  return { ...wholeNumber(range), coerce: lastNumber, default: fallback, describe, example } as const;
}

export function optionalNumber(describe: string, example: string, range: NumberRange) {
  const coerce = (given: Parameters<typeof lastNumber>[0] | undefined) =>
    given === undefined ? given : lastNumber(given);
  return { ...wholeNumber(range), coerce, describe, example } as const;
}

export function texts(describe: string, example: string) {
  const none: string[] = [];
  const read = { type: 'string', array: true, nargs: 1, default: none, defaultDescription: 'none' } as const;
  return { ...read, describe, example } as const;
}

export function choiceOf<const T extends string>(choices: readonly T[], describe: string, example: T) {
  return { type: 'string', nargs: 1, choices, coerce: last<T | undefined>, describe, example } as const;
}

/** Choices separated by commas, or in several arguments; yargs refuses others. */
export function someOf(choices: readonly string[], describe: string, example: string) {
  const coerce = (given: readonly string[]): readonly string[] => given.flatMap((text) => text.split(','));
  return { type: 'string', array: true, nargs: 1, choices, coerce, describe, example } as const;
}

/** Options under a title of their own. */
function grouped<const T extends Readonly<Record<string, Option>>>(title: string, options: T): T {
  const entries = Object.entries(options).map(([name, option]) => [name, { ...option, group: title }]);
  return Object.fromEntries(entries) as T;
}

export function required(describe: string) {
  return { type: 'string', demandOption: true, describe } as const;
}

export function optional(describe: string) {
  return { type: 'string', describe } as const;
}

export function requiredTexts(describe: string) {
  return { type: 'string', array: true, demandOption: true, describe } as const;
}

export const suite = required('a suite file, or the name of a built-in suite: demo');
export const pastSuite = {
  ...required('the name of a suite that was run, or the folder of its runs'),
  completes: 'suites',
} as const;
export const run = required("the folder of a run, or a suite's folder: its latest run");

export const overrides = {
  set: { ...texts('override a value of the suite: --set load.concurrency=4', 'repeats=5'), completes: 'settings' },
} as const;

export const quiet = { quiet: flag('print results and errors only') } as const;

export const out = { out: textOr('results', 'the folder of all results', 'results') } as const;

export const jsonObject = { json: flag('print one JSON object') } as const;

export const jsonEvents = { json: flag('print events as JSON lines') } as const;

export function listeningOn(port: number) {
  return {
    port: numberOr(port, 'the port; 0 picks a free port', '8787', { least: 0, most: 65535 }),
    host: {
      ...textOr('127.0.0.1', 'the IP address to listen on; by default, only this machine can connect', '127.0.0.1'),
      fits: isAddress,
      needs: 'an IP address without a zone: 127.0.0.1, or 0.0.0.0 for all of this machine',
    },
  } as const;
}

export const allowCommands = grouped('Trust:', {
  'allow-commands': flag('start the programs that the suite declares as scorers; they run with your rights'),
});

export const against = {
  against: optionalText(
    'the baseline.json to compare with: the run sends its variants again, beside those of the suite',
    'results/demo/baseline.json',
  ),
} as const;

export const allowOutside = grouped('Trust:', {
  'allow-outside': flag('allow the suite to read files outside its folder: prompts, images, targets'),
});

export const allowOrigin = grouped('Trust:', {
  'allow-origin': texts(
    'allow a stored baseline to add this origin: --allow-origin https://host',
    'https://host.example.com',
  ),
});

export const yes = {
  yes: flag('start without asking, even if the run may cost more than 1 USD or stops at limits.requests'),
} as const;

export const planned = {
  confirm: flag('if the gate is not decided at the end, measure all takes once more and decide again'),
  'until-decided': flag('measure the plan in 2 to 4 parts; stop as soon as the gate is decided'),
  ...against,
  ...allowOutside,
} as const;

export const fleet = grouped('Over machines:', {
  fleet: optionalText('the URL of the NATS server of a fleet: --fleet nats://127.0.0.1:4222', 'nats://127.0.0.1:4222'),
  key: optionalText('the key file for the NATS server, from retake fleet keys', 'eu-1.key'),
});

/** Of `retake run --fleet` only. */
export const overFleet = grouped('Over machines:', {
  ...fleet,
  workers: optionalNumber('with --fleet: how many workers to wait for; this process sends no request', '2', {
    least: 1,
  }),
  'leave-media': flag('with --fleet: leave outputs with the workers; the report shows thumbnails'),
});

export const shard = grouped('Over machines:', {
  shard: optionalText('--shard 3/8: measure part 3 of 8; retake merge joins the parts of all machines', '3/8'),
});

export const vantage = grouped('Over machines:', {
  vantage: optionalText('the place that calls are sent from, kept with the run: --vantage eu', 'eu'),
});

/** Options that tell a run from others. */
export const ofNewRun = {
  run: {
    ...optionalText(
      'the name of the run, also of its folder; the same for all shards (parts) of a run',
      '20261121T210000Z-7f3a',
    ),
    defaultDescription: 'its UTC time and 4 random digits',
  },
  label: optionalText('a text that tells this run from others, such as a build: --label build-7', 'build-7'),
  ...vantage,
} as const;

export const init = {
  target: {
    ...optionalText('a preset: --target openai/images; retake targets lists them', 'openai/images'),
    completes: 'targets',
  },
  'base-url': optionalText(
    'the base URL of your endpoint; with --target, of another server with the same interface',
    'https://api.example.com',
  ),
  kind: optionalText(
    'what it generates: text-to-image, anime-image, image-to-video, text-to-video, image-edit',
    'text-to-image',
  ),
  reply: optionalText('how the reply contains the output: openai, bytes, url, base64, job, job-file', 'url'),
  path: optionalText('the path of the request, below the base URL', '/v1/generate'),
  encoding: optionalText('the encoding of the request: json, multipart', 'multipart'),
  auth: optionalText('where the request contains the key: bearer, none, header:NAME, query:NAME', 'header:x-api-key'),
  secret: optionalText('the environment variable that holds the key', 'MY_API_KEY'),
  seed: optionalText('which output the same seed gives: exact (the same), similar, none (it takes no seed)', 'exact'),
  model: texts('a model to compare; repeat it for more: --model standard --model fast', 'fast'),
  const: texts('a constant and its values; each value becomes a variant: --const turbo=false,true', 'turbo=false,true'),
  image: optionalText('the image that prompts of an edit or a video begin with; by default an example', 'fox.png'),
  mask: optionalText('the mask of that image: a PNG of its size, white where an edit may change it', 'mask.png'),
  swap: optionalText(
    'a model and the one that replaces it, to compare them: --swap old-model=new-model',
    'old-model=new-model',
  ),
  name: { ...optionalText('the name of the suite', 'nightly'), defaultDescription: 'the name of the file' },
  ci: choiceOf(['github', 'gitlab'], 'write a workflow (github) or a pipeline (gitlab) that runs the suite', 'github'),
  'in-use': optionalText(
    'with --ci: the base URL of the deployment in use, which that of the suite is compared with',
    'https://live.example.com',
  ),
  'server-files': texts(
    'with --ci: files of your server, whose changes are measured too: --server-files "server/**"',
    '"server/**"',
  ),
} as const;
