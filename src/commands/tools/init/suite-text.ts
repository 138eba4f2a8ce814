import { commandLine } from '../../../kit/shell-words.ts';
import { usd } from '../../../kit/wording.ts';
import { fewestForSignedRank } from '../../../statistics/ranks/signed-rank-null.ts';
import { clopperPearsonUpper } from '../../../statistics/rates/clopper-pearson.ts';
import { sum } from '../../../statistics/samples/mean.ts';
import type { Kind } from '../../../suite/format/kind.ts';
import { type Answers, isVideo } from './endpoint.ts';
import { indented, yamlText } from './yaml-text.ts';

/** Paths relative to the suite's file unless stated. */
interface SuitePlaces {
  /** Relative to the working folder. */
  readonly file: string;
  readonly tried: string;
  readonly target: string;
  /** For image to video; null for other kinds. */
  readonly image: string | null;
  /** The published schema; null if its path would only hold on this machine. */
  readonly schema: string | null;
}

const PROMPTS: Readonly<Record<Kind, readonly (readonly [id: string, text: string])[]>> = {
  'text-to-image': [
    ['lighthouse', 'A lighthouse on a cliff above a stormy sea at dusk'],
    ['fox', 'A red fox leaping through fresh snow'],
    ['ramen', 'A bowl of ramen on a wooden table, steam rising'],
    ['market', 'A street market at night in the rain'],
  ],
  'anime-image': [
    ['rooftop', 'A girl with silver hair on a rooftop at sunset'],
    ['swordsman', 'A swordsman in a bamboo forest, petals in the wind'],
    ['train', 'An empty train that crosses a shallow sea'],
    ['cat-cafe', 'A small cafe full of sleeping cats'],
  ],
  'text-to-video': [
    ['lighthouse', 'Waves break on a cliff below a lighthouse'],
    ['fox', 'A red fox runs through fresh snow'],
    ['market', 'People with umbrellas walk through a street market at night'],
  ],
  'image-to-video': [
    ['looks-up', 'The fox looks up while snow falls'],
    ['runs', 'The fox runs away from the camera'],
    ['zoom', 'The camera moves slowly towards the fox'],
  ],
};

const REPEATS = 3;
const WARMUP = 1;
/** Of all comparisons of the gate together, and of its one-sided bounds. */
const LEVEL = 0.05;

function variantNames(models: readonly string[], fallback: string): readonly string[] {
  if (models.length === 0) return [fallback];
  const names: string[] = [];
  for (const model of models) {
    const slug = model.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
    let name = slug;
    for (let no = 2; names.includes(name); no += 1) name = `${slug}-${no}`;
    names.push(name);
  }
  return names;
}

/** A suite with a comment for each key, which `retake validate` and `retake plan` accept unchanged. */
export function suiteText(answers: Answers, places: SuitePlaces): string {
  const { name, endpoint, models } = answers;
  const { kind, seed } = endpoint;
  const names = variantNames(models, places.target.split('/').at(-1) ?? name);
  const prompts = PROMPTS[kind];
  const seeds = seedCount(names.length - 1, prompts.length);
  const each = prompts.length * seeds * REPEATS + WARMUP;
  const planned = names.length * each;
  const takes = each - WARMUP;
  const lines = [
    ...(places.schema === null ? [] : [`# yaml-language-server: $schema=${places.schema}`, '#']),
    '# A suite: what Retake sends, to which endpoint, and what must hold of the results.',
    '#',
    ...commandLines(places),
    'suite: 1 # version of this format',
    `name: ${yamlText(name)} # the folder of its results: results/${name}`,
    '',
    ...variantLines(names, answers, places),
    '',
    '# What is generated. Every variant gets every prompt. `{ from: prompts.csv }` reads a file of prompts.',
    'prompts:',
    ...prompts.map(([id, text]) => `  - { id: ${id}, text: ${JSON.stringify(text)}${imagePart(places)} }`),
    '',
    ...(seed === 'none'
      ? ['# The endpoint takes no seed: a seed stands for a group of takes.']
      : ['# Each prompt is sent with each seed.']),
    `seeds: [${Array.from({ length: seeds }, (_, index) => index + 1).join(', ')}]`,
    '# Each prompt and seed is sent this often. The takes of one seed show whether it gives the same output again.',
    `repeats: ${REPEATS}`,
    '',
    '# One request at a time, the variants in turns: drift of the service affects all of them equally.',
    'load:',
    '  concurrency: 1 # requests in flight; above 1, they wait for each other at the service',
    `  warmup: ${WARMUP} # requests of each variant that are not measured`,
    '  on_throttle: wait # when rate-limited: wait | fail | stop',
    '',
    '# When a request, or the run, stops by itself.',
    'limits:',
    `  timeout: ${isVideo(kind) ? '15m' : '2m'} # of one request`,
    `  requests: ${requestLimit(planned)} # this plan sends ${planned}; each repeat of a rate-limited request counts too`,
    ...costLines(answers, each),
    '  failures: 20% # stop when significantly more requests fail',
    '',
    '# Extra requests: does a seed do what it promises, do repeats come from a cache? `retake plan` counts them.',
    '# probes: [seed, cache]',
    '',
    ...gateLines(names.length, seed, takes),
    '',
    '# What a run writes. csv, html and json are for people and programs; CI adds junit and markdown.',
    'reports: [csv, html, json]',
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ file, tried }: SuitePlaces): readonly string[] {
  const commands = [
    [commandLine(['retake', 'validate', file]), 'check this file; send nothing'],
    [
      commandLine(['retake', 'plan', file]),
      'show what a run sends, and what each rule of the gate can find; send nothing',
    ],
    [commandLine(['retake', 'try', tried]), 'make one call; show every request and timestamp'],
    [commandLine(['retake', 'run', file]), 'measure, and write the reports to results/'],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  return commands.map(([command, does]) => `#   ${command.padEnd(width)}   ${does}`);
}

function variantLines(names: readonly string[], { endpoint, models }: Answers, { target }: SuitePlaces) {
  const server =
    endpoint.by === 'preset' && endpoint.baseUrl !== null ? `, base_url: ${yamlText(endpoint.baseUrl)}` : '';
  const known = endpoint.by === 'preset' ? endpoint.knownModels : [];
  return [
    '# What is compared: a target (how an endpoint is called) with constants of its request.',
    `# \`${commandLine(['retake', 'targets', target])}\` lists its constants, inputs and key.`,
    ...(known.length === 0 ? [] : [`# Known models: ${known.join(', ')}.`]),
    'variants:',
    ...names.map((name, index) => {
      const model = models[index];
      const constants = model === undefined ? '' : `, const: { model: ${yamlText(model)} }`;
      const baseline = index === 0 ? ', baseline: true' : '';
      return `  ${yamlText(name)}: { target: ${target}${constants}${server}${baseline} }`;
    }),
    ...(names.length > 1
      ? []
      : [
          '  # A second variant to compare with, such as another model:',
          `  # other: { target: ${target}, const: { model: NAME } }`,
        ]),
  ];
}

function imagePart({ image }: SuitePlaces): string {
  return image === null ? '' : `, image: ${yamlText(image)}`;
}

function gateLines(variants: number, seed: Answers['endpoint']['seed'], takes: number): readonly string[] {
  return [
    '# Rules for the results. Each passes, fails or is inconclusive; the exit code of `retake run` is then 0, 1 or 4.',
    'gate:',
    ...indented([
      ...(variants > 1
        ? [
            '# Each other variant takes at most 10 % longer than the baseline variant.',
            '- { metric: latency.total, max_increase: 10% }',
          ]
        : []),
      `# The lowest limit that ${takes} takes can pass: without a failure. More takes pass a lower one.`,
      `- { metric: error_rate, max: ${lowestRateLimit(takes)}% }`,
      ...(seed === 'exact'
        ? ['# The same seed gives the same pixels.', '- { metric: determinism.pixel, none: departure }']
        : []),
      '# Each variant takes at most 10 % longer than in earlier runs. The first 9 runs are too few, and pass.',
      '- { metric: latency.total, against: history, max_increase: 10%, on_inconclusive: pass }',
      ...(seed === 'exact'
        ? [
            '# The outputs are still those of the stored baseline, which `retake baseline` keeps: the model was not replaced.',
            '# - { metric: stability.pixel, none: change, against: baseline }',
          ]
        : []),
    ]),
  ];
}

/** In whole per cent: without failures, the one-sided 95 % bound of the rate is within it. */
function lowestRateLimit(takes: number): number {
  return Math.ceil(100 * clopperPearsonUpper(0, takes, 1 - LEVEL));
}

/** As many seeds as the comparisons of the gate need cells, at least two. */
function seedCount(comparisons: number, prompts: number): number {
  const cells = comparisons === 0 ? 0 : fewestForSignedRank(LEVEL / comparisons);
  return Math.max(2, Math.ceil(cells / prompts));
}

function requestLimit(planned: number): number {
  return Math.ceil((planned * ROOM) / 10) * 10;
}

const ROOM = 1.2;

/** @param each requests of each variant */
function costLines({ requestCostsUsd }: Answers, each: number): readonly string[] {
  if (requestCostsUsd === null) return [];
  const plannedUsd = each * sum(requestCostsUsd);
  const limitUsd = Math.ceil(plannedUsd * ROOM * 100 - ROUNDING) / 100;
  const cost = `this plan costs at most ${usd(plannedUsd)} by the prices of the target`;
  return [`  usd: ${limitUsd.toFixed(2)} # in US dollars; ${cost}`];
}

/** Of a cent: the rounding error of summed prices. */
const ROUNDING = 1e-6;
