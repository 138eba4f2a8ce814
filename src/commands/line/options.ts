/** If a single value is given twice, the last counts. */
export function last<T extends string | number | undefined>(given: T | readonly T[]): T {
  if (typeof given !== 'object') return given;
  const value = given[given.length - 1];
  if (value === undefined) throw new Error('an option was given without a value');
  return value;
}

function lastNumber(given: number | string | readonly (number | string)[]): number {
  const value = last(given);
  return typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
}

export const text = { type: 'string', nargs: 1, coerce: last<string> } as const;
export const optionalText = { type: 'string', nargs: 1, coerce: last<string | undefined> } as const;
/** Read here, because yargs reads an empty text, such as an unset shell variable, as 0; help still says "number". */
export const number = { type: 'string', number: true, nargs: 1, coerce: lastNumber } as const;

export const suite = {
  type: 'string',
  demandOption: true,
  describe: 'a suite file, or the name of a built-in suite: demo',
} as const;

/** A resumed run has its own. */
export const suiteOfRun = { type: 'string', describe: suite.describe } as const;

export const overrides = {
  set: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'override a value of the suite: --set load.concurrency=4',
    defaultDescription: 'none',
  },
} as const;

export const quiet = { quiet: { type: 'boolean', default: false, describe: 'print results and errors only' } } as const;

export const out = {
  out: { ...text, default: 'results', describe: 'the folder of all results' },
} as const;

export const shard = {
  ...optionalText,
  describe: 'one share of the plan, for one of several machines: --shard 3/8',
} as const;

export const looks = {
  confirm: {
    type: 'boolean',
    default: false,
    describe: 'if the gate is undecided at the end, measure all cells once more and decide again',
  },
  'until-decided': {
    type: 'boolean',
    default: false,
    describe: 'measure the plan in 2 to 4 parts; stop as soon as the gate is decided',
  },
} as const;

export const against = {
  against: {
    ...optionalText,
    describe: 'the baseline.json to compare with: the run sends its variants again, beside those of the suite',
  },
} as const;

export const allowOutside = {
  'allow-outside': {
    type: 'boolean',
    default: false,
    describe: 'allow the suite to read files outside its folder: prompts, images, targets',
  },
} as const;

/** For commands that may send what only a record or a stored baseline asks for. */
export const allowOrigin = {
  'allow-origin': {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'allow a stored baseline or a resumed run to add this origin: --allow-origin https://host',
    defaultDescription: 'none',
  },
} as const;

export const run = {
  type: 'string',
  demandOption: true,
  describe: "the folder of a run, or a suite's folder: its latest run",
} as const;

export const init = {
  target: { ...optionalText, describe: 'a preset: --target openai/images; retake targets lists them' },
  'base-url': {
    ...optionalText,
    describe: 'the base URL of your endpoint; with --target, of another server with the same interface',
  },
  kind: { ...optionalText, describe: 'what it generates: text-to-image, anime-image, image-to-video, text-to-video' },
  reply: { ...optionalText, describe: 'how the reply contains the output: openai, bytes, url, base64, job' },
  path: { ...optionalText, describe: 'the path of the request, below the base URL' },
  encoding: { ...optionalText, describe: 'the encoding of the request: json, multipart' },
  auth: { ...optionalText, describe: 'where the request contains the key: bearer, none, header:NAME, query:NAME' },
  secret: { ...optionalText, describe: 'the environment variable that holds the key' },
  seed: {
    ...optionalText,
    describe: 'which output the same seed gives: exact (the same), similar, none (it takes no seed)',
  },
  model: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'a model to compare; repeat it for more: --model standard --model fast',
    defaultDescription: 'none',
  },
  name: { ...optionalText, describe: 'the name of the suite', defaultDescription: 'the name of the file' },
  ci: {
    type: 'string',
    nargs: 1,
    choices: ['github', 'gitlab'],
    coerce: last<'github' | 'gitlab' | undefined>,
    describe: 'write a workflow (github) or a pipeline (gitlab) that runs the suite',
  },
  'in-use': {
    ...optionalText,
    describe: 'with --ci: the base URL of the deployment in use, which that of the suite is compared with',
  },
  'server-files': {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'with --ci: files of your server, whose changes are measured too: --server-files "server/**"',
    defaultDescription: 'none',
  },
} as const;

export const pastSuite = {
  type: 'string',
  demandOption: true,
  describe: 'the name of a suite that was run, or the folder of its runs',
} as const;

/** Choices separated by commas, or in several arguments. Throws yargs's error for others. */
export function someOf<T extends string>(option: string, choices: readonly T[]) {
  const known = new Map<string, T>(choices.map((each) => [each, each]));
  const choose = (given: string): T => {
    const choice = known.get(given);
    if (choice !== undefined) return choice;
    const offered = choices.map((each) => `"${each}"`).join(', ');
    throw new Error(`Invalid values:\n  Argument: ${option}, Given: "${given}", Choices: ${offered}`);
  };
  return {
    type: 'string',
    array: true,
    nargs: 1,
    choices,
    coerce: (given: readonly string[]): readonly T[] => given.flatMap((each) => each.split(',')).map(choose),
  } as const;
}
