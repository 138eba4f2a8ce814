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

export function optionalText(describe: string) {
  return { type: 'string', nargs: 1, coerce: last<string | undefined>, describe } as const;
}

export function textOr(fallback: string, describe: string) {
  return { type: 'string', nargs: 1, coerce: last<string>, default: fallback, describe } as const;
}

/** Read as text, because yargs reads an empty text, such as an unset shell variable, as 0; help still says "number". */
export function numberOr(fallback: number, describe: string) {
  return { type: 'string', number: true, nargs: 1, coerce: lastNumber, default: fallback, describe } as const;
}

export function optionalNumber(describe: string) {
  const coerce = (given: Parameters<typeof lastNumber>[0] | undefined) =>
    given === undefined ? given : lastNumber(given);
  return { type: 'string', number: true, nargs: 1, coerce, describe } as const;
}

export function texts(describe: string) {
  const none: string[] = [];
  return { type: 'string', array: true, nargs: 1, default: none, describe, defaultDescription: 'none' } as const;
}

export function choiceOf<const T extends string>(choices: readonly T[], describe: string) {
  return { type: 'string', nargs: 1, choices, coerce: last<T | undefined>, describe } as const;
}

/** Choices separated by commas, or in several arguments. Throws yargs's error for others: it keeps only the message. */
export function someOf<const T extends string>(option: string, choices: readonly T[], describe: string) {
  const known = new Map<string, T>(choices.map((choice) => [choice, choice]));
  const choose = (given: string): T => {
    const choice = known.get(given);
    if (choice !== undefined) return choice;
    const offered = choices.map((allowed) => `"${allowed}"`).join(', ');
    throw new Error(`Invalid values:\n  Argument: ${option}, Given: "${given}", Choices: ${offered}`);
  };
  const coerce = (given: readonly string[]): readonly T[] => given.flatMap((text) => text.split(',')).map(choose);
  return { type: 'string', array: true, nargs: 1, choices, coerce, describe } as const;
}

export function required(describe: string) {
  return { type: 'string', demandOption: true, describe } as const;
}

export function requiredTexts(describe: string) {
  return { type: 'string', array: true, demandOption: true, describe } as const;
}

export const suite = required('a suite file, or the name of a built-in suite: demo');
export const pastSuite = required('the name of a suite that was run, or the folder of its runs');
export const run = required("the folder of a run, or a suite's folder: its latest run");

export const overrides = { set: texts('override a value of the suite: --set load.concurrency=4') } as const;

export const quiet = { quiet: flag('print results and errors only') } as const;

export const out = { out: textOr('results', 'the folder of all results') } as const;

export const jsonObject = { json: flag('print one JSON object') } as const;

export const jsonEvents = { json: flag('print events as JSON lines') } as const;

export function listeningOn(port: number) {
  return {
    port: numberOr(port, 'the port; 0 picks a free port'),
    host: textOr('127.0.0.1', 'the IP address to listen on; by default, only this machine can connect'),
  } as const;
}

export const allowCommands = {
  'allow-commands': flag('start the programs that the suite declares as scorers; they run with your rights'),
} as const;

export const against = {
  against: optionalText(
    'the baseline.json to compare with: the run sends its variants again, beside those of the suite',
  ),
} as const;

export const allowOutside = {
  'allow-outside': flag('allow the suite to read files outside its folder: prompts, images, targets'),
} as const;

export const allowOrigin = {
  'allow-origin': texts('allow a stored baseline to add this origin: --allow-origin https://host'),
} as const;

export const yes = {
  yes: flag('start without asking, even if the run may cost more than 1 USD or stops at limits.requests'),
} as const;

export const planned = {
  confirm: flag('if the gate is not decided at the end, measure all takes once more and decide again'),
  'until-decided': flag('measure the plan in 2 to 4 parts; stop as soon as the gate is decided'),
  ...against,
  ...allowOutside,
} as const;

export const fleet = {
  fleet: optionalText('the URL of the NATS server of a fleet: --fleet nats://127.0.0.1:4222'),
  key: optionalText('the key file for the NATS server, from retake fleet keys'),
} as const;

export const shard = optionalText('--shard 3/8: measure part 3 of 8; retake merge joins the parts of all machines');

export const vantage = optionalText('the place that calls are sent from, kept with the run: --vantage eu');

/** Options that tell a run from others. */
export const named = {
  run: {
    ...optionalText('the name of the run, also of its folder; the same for all shards (parts) of a run'),
    defaultDescription: 'its UTC time and 4 random digits',
  },
  label: optionalText('a text that tells this run from others, such as a build: --label build-7'),
  vantage,
} as const;

export const init = {
  target: optionalText('a preset: --target openai/images; retake targets lists them'),
  'base-url': optionalText('the base URL of your endpoint; with --target, of another server with the same interface'),
  kind: optionalText('what it generates: text-to-image, anime-image, image-to-video, text-to-video, image-edit'),
  reply: optionalText('how the reply contains the output: openai, bytes, url, base64, job, job-file'),
  path: optionalText('the path of the request, below the base URL'),
  encoding: optionalText('the encoding of the request: json, multipart'),
  auth: optionalText('where the request contains the key: bearer, none, header:NAME, query:NAME'),
  secret: optionalText('the environment variable that holds the key'),
  seed: optionalText('which output the same seed gives: exact (the same), similar, none (it takes no seed)'),
  model: texts('a model to compare; repeat it for more: --model standard --model fast'),
  const: texts('a constant and its values; each value becomes a variant: --const turbo=false,true'),
  image: optionalText('the image that prompts of an edit or a video begin with; by default an example'),
  mask: optionalText('the mask of that image: a PNG of its size, white where an edit may change it'),
  swap: optionalText('a model and the one that replaces it, to compare them: --swap old-model=new-model'),
  name: { ...optionalText('the name of the suite'), defaultDescription: 'the name of the file' },
  ci: choiceOf(['github', 'gitlab'], 'write a workflow (github) or a pipeline (gitlab) that runs the suite'),
  'in-use': optionalText('with --ci: the base URL of the deployment in use, which that of the suite is compared with'),
  'server-files': texts('with --ci: files of your server, whose changes are measured too: --server-files "server/**"'),
} as const;
