import { existsSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fewestToTell } from '../../../analysis/pair-units.ts';
import type { JsonObject } from '../../../kit/json.ts';
import { commandLine, usd } from '../../../kit/wording.ts';
import { sum } from '../../../statistics/mean.ts';
import { clopperPearsonUpper } from '../../../statistics/rate-interval.ts';
import { type Kind, takesImage } from '../../../suite/kind.ts';
import type { writeSuite } from '../../declared/tool-commands.ts';
import type { NewFile } from '../../display/write-file.ts';
import type { ArgumentsOf } from '../../line/command.ts';
import type { Constant } from './given-constants.ts';
import { besideSuite, type GivenInputs } from './inputs.ts';
import { fillTemplate, yamlScalar, yamlText } from './template.ts';

const SUITE_SCHEMA = fileURLToPath(new URL('../../../../suites/suite.schema.json', import.meta.url));
const TARGET_SCHEMA = fileURLToPath(new URL('../../../../suites/target.schema.json', import.meta.url));
const IMAGE = fileURLToPath(new URL('../../../../suites/inputs/fox.jpg', import.meta.url));

interface NewSuite {
  readonly files: readonly NewFile[];
  /** What `retake try` needs: the target, and an image where it takes one. */
  readonly tried: readonly string[];
}

/** @param file of the suite, relative to `cwd` */
export function newSuite(answers: Answers, file: string, cwd: string): NewSuite {
  const folder = dirname(file).split('\\').join('/');
  const { endpoint } = answers;
  const files: NewFile[] = [];
  let target: string;
  const beside = (input: string | null) => (input === null ? null : besideSuite(input, file, cwd));
  const image = takesImage(endpoint.kind) ? (beside(answers.image) ?? FOX) : null;
  const mask = beside(answers.mask);
  const input = [
    ...(image === null ? [] : ['--image', posix.join(folder, image)]),
    ...(mask === null ? [] : ['--mask', posix.join(folder, mask)]),
  ];
  let tried: readonly string[];
  if (endpoint.by === 'preset') {
    target = endpoint.target;
    tried = [target, ...input];
  } else {
    target = ownTargetId(answers);
    const path = posix.join(folder, 'targets', `${target}.yaml`);
    tried = [path, ...input];
    const places = { file: path, tried, schema: schemaPath(TARGET_SCHEMA, resolve(cwd, dirname(path))) };
    files.push({ path, content: { text: targetText(endpoint, answers, places) } });
  }
  if (image === FOX && !existsSync(resolve(cwd, folder, image))) {
    files.push({ path: posix.join(folder, image), content: { copyOf: IMAGE } });
  }
  const schema = schemaPath(SUITE_SCHEMA, resolve(cwd, folder));
  files.push({ path: file, content: { text: suiteText(answers, { file, tried, target, image, mask, schema }) } });
  return { files, tried };
}

/** What an example sends where no image is named. */
const FOX = 'inputs/fox.jpg';

/** Path to a schema of this package; null if it would only hold on this machine. */
function schemaPath(schema: string, folder: string): string | null {
  const modules = schema.lastIndexOf(join('/', 'node_modules', '/'));
  if (modules < 0) return null;
  const below = relative(schema.slice(0, modules), folder).split('\\').join('/');
  if (below === '..' || below.startsWith('../../')) return null;
  const path = relative(folder, schema).split('\\').join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Where a file exists that `retake init` would write. */
export const NEVER_OVERWRITES = 'retake init never overwrites a file: name another one, or move it away';

function ownTargetId({ name }: Pick<Answers, 'name'>): string {
  const endpoint = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return `own/${endpoint === '' ? 'endpoint' : endpoint}`;
}

interface TargetPlaces {
  /** Relative to the working folder. */
  readonly file: string;
  readonly tried: readonly string[];
  /** The published schema, relative to the file; null as for `schemaPath`. */
  readonly schema: string | null;
}

/** Field names that were not asked for are the usual ones, marked for checking. */
function targetText(
  { kind, baseUrl, path, reply, encoding, key, seed }: OwnEndpoint,
  answers: Pick<Answers, 'name' | 'constants' | 'mask'>,
  { tried, schema }: TargetPlaces,
): string {
  const form = encoding === 'multipart';
  return fillTemplate('target.yaml', {
    schema,
    try: commandLine(['retake', 'try', ...tried, '--bodies']),
    id: ownTargetId(answers),
    kind,
    baseUrl: yamlText(baseUrl),
    key: key.in === 'none' ? null : keyValues(key),
    constants: answers.constants.map(({ name, values: [first] }) => `${name}: ${yamlScalar(first)}`).join(', '),
    // A form has text only.
    fields: answers.constants.map(({ name, values: [first] }) => {
      return { field: name, filter: form && typeof first !== 'string' ? ' | str' : '' };
    }),
    mask: answers.mask !== null,
    claim: seed === 'none' ? null : seed,
    path: yamlText(path),
    encoding,
    form,
    imageFilter: takesImage(kind) ? (form ? 'file' : 'data_uri') : null,
    edits: kind === 'image-edit',
    ...Object.fromEntries(REPLIES.map((name) => [name, name === reply])),
    media: isVideo(kind) ? 'video/*' : 'image/*',
    pollPath: JSON.stringify(`${path.replace(/\/+$/, '')}/\${job.id}`),
    waits: reply === 'job' || reply === 'job-file',
    contentPath: JSON.stringify(`${path.replace(/\/+$/, '')}/\${job.id}/content`),
    downloads: reply === 'url' || reply === 'job',
    pricedPer: isVideo(kind) ? 'second' : 'output',
  });
}

function keyValues(key: Exclude<KeyPlace, { in: 'none' }>) {
  const { secret } = key;
  return key.in === 'bearer'
    ? { secret, in: 'header', name: 'Authorization', scheme: 'Bearer ' }
    : { secret, in: key.in, name: yamlText(key.name), scheme: '' };
}

interface SuitePlaces extends TargetPlaces {
  readonly target: string;
  /** Relative to the file; null for kinds without an image. */
  readonly image: string | null;
  readonly mask: string | null;
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
  'image-edit': [
    ['night', 'Make it night, with a full moon'],
    ['summer', 'Make it summer, with flowers in the grass'],
    ['watercolour', 'Make it a watercolour painting'],
  ],
};

/** Prompts x seeds that the rule about votes needs, among the five of a replaced model. */
const SWAP_CELLS = 10;
const REPEATS = 3;
const WARMUP = 1;
/** Of the one-sided bounds of the gate. */
const LEVEL = 0.05;

/** By the constant that they differ in: the model itself, another with its name. */
function variantNames({ constants, variants }: Answers, fallback: string): readonly string[] {
  const differing = constants.find(({ values }) => values.length > 1) ?? constants.find(({ name }) => name === 'model');
  if (differing === undefined) return [fallback];
  const names: string[] = [];
  for (const { [differing.name]: value } of variants) {
    const text = differing.name === 'model' ? `${value}` : `${differing.name}-${value}`;
    const slug = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'model';
    let name = slug;
    for (let no = 2; names.includes(name); no += 1) name = `${slug}-${no}`;
    names.push(name);
  }
  return names;
}

/** A suite with a comment for each key, which `retake validate` and `retake plan` accept unchanged. */
function suiteText(answers: Answers, places: SuitePlaces): string {
  const { name, endpoint, swaps, paid } = answers;
  const { kind, seed } = endpoint;
  const { target, image, mask } = places;
  const names = variantNames(answers, target.split('/').at(-1) ?? name);
  const prompts = PROMPTS[kind];
  const seeds = seedCount(names.length - 1, prompts.length, swaps ? SWAP_CELLS : 0);
  const takes = prompts.length * seeds * REPEATS;
  const planned = names.length * (takes + WARMUP);
  return fillTemplate('suite.yaml', {
    ...commands(places),
    schema: places.schema,
    name: yamlText(name),
    folder: name,
    target,
    targets: commandLine(['retake', 'targets', target]),
    knownModels: endpoint.by === 'preset' ? endpoint.knownModels.join(', ') : '',
    variants: names.map((variant, index) => ({
      variant: yamlText(variant),
      endpoint: endpointText(answers, target, index),
    })),
    compares: names.length > 1 && !swaps,
    alone: names.length === 1,
    paid,
    swaps: swaps ? { old: names[0] ?? '', new: names[1] ?? '' } : null,
    prompts: prompts.map(([id, text]) => ({ id, text: JSON.stringify(text) })),
    image: image === null ? null : yamlText(image),
    mask: mask === null ? null : yamlText(mask),
    edits: kind === 'image-edit',
    takesSeed: seed !== 'none',
    exactSeed: seed === 'exact',
    similarSeed: seed === 'similar',
    seeds: Array.from({ length: seeds }, (_, index) => index + 1).join(', '),
    repeats: REPEATS,
    warmup: WARMUP,
    timeout: isVideo(kind) ? '15m' : '2m',
    mostRequests: Math.ceil((planned * ROOM) / 10) * 10,
    planned,
    cost: costValues(answers, takes + WARMUP),
    takes,
    mostErrors: `${lowestRateLimit(takes)}%`,
  });
}

/** The commands that the head of the file explains, padded to one width. */
function commands({ file, tried }: SuitePlaces): JsonObject {
  const files = { validate: [file], plan: [file], try: tried, run: [file] };
  const lines = Object.entries(files).map(([name, of]) => [name, commandLine(['retake', name, ...of])] as const);
  const width = Math.max(...lines.map(([, line]) => line.length));
  return Object.fromEntries(lines.map(([name, line]) => [name, line.padEnd(width)]));
}

function endpointText({ endpoint, variants }: Answers, target: string, index: number): string {
  const constants = Object.entries(variants[index] ?? {}).map(([name, value]) => `${name}: ${yamlScalar(value)}`);
  const baseUrl = endpoint.by === 'preset' ? endpoint.baseUrl : null;
  const parts = [
    `target: ${target}`,
    ...(constants.length === 0 ? [] : [`const: { ${constants.join(', ')} }`]),
    ...(baseUrl === null ? [] : [`base_url: ${yamlText(baseUrl)}`]),
    ...(index === 0 ? ['baseline: true'] : []),
  ];
  return `{ ${parts.join(', ')} }`;
}

/** In whole per cent: without failures, the one-sided 95 % bound of the rate is within it. */
function lowestRateLimit(takes: number): number {
  return Math.ceil(100 * clopperPearsonUpper(0, takes, 1 - LEVEL));
}

/** As many seeds as comparisons of so many candidates need cells, at least two. */
function seedCount(candidates: number, prompts: number, least: number): number {
  const cells = candidates === 0 ? 0 : fewestToTell(candidates);
  return Math.max(2, Math.ceil(Math.max(least, cells) / prompts));
}

/** Factor of limits over the plan. */
const ROOM = 1.2;

/** @param requests of each variant */
function costValues({ requestCostsUsd }: Answers, requests: number) {
  if (requestCostsUsd === null) return null;
  const plannedUsd = requests * sum(requestCostsUsd);
  const mostUsd = Math.ceil(plannedUsd * ROOM * 100 - ROUNDING) / 100;
  return { mostUsd: mostUsd.toFixed(2), plannedUsd: usd(plannedUsd) };
}

/** In cents: the rounding error of summed prices. */
const ROUNDING = 1e-6;

/** `openai`: as the image API of OpenAI; else as bytes, in JSON, or by a job to poll. */
export const REPLIES = ['openai', 'bytes', 'url', 'base64', 'job', 'job-file'] as const;
export type Reply = (typeof REPLIES)[number];

export const ENCODINGS = ['json', 'multipart'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Whether a seed gives the same output or a similar one; `none`: the endpoint takes no seed. */
export const SEED_PROMISES = ['exact', 'similar', 'none'] as const;
type SeedPromise = (typeof SEED_PROMISES)[number];

export type KeyPlace =
  | { readonly in: 'none' }
  | { readonly in: 'bearer'; readonly secret: string }
  | { readonly in: 'header' | 'query'; readonly name: string; readonly secret: string };

export interface OwnEndpoint {
  readonly by: 'own';
  readonly kind: Kind;
  readonly baseUrl: string;
  /** A template below the base URL; begins with a slash. */
  readonly path: string;
  readonly reply: Reply;
  readonly encoding: Encoding;
  readonly key: KeyPlace;
  readonly seed: SeedPromise;
}

export interface PresetEndpoint {
  readonly by: 'preset';
  readonly target: string;
  readonly kind: Kind;
  /** Null: the server of the preset. */
  readonly baseUrl: string | null;
  readonly seed: SeedPromise;
  readonly knownModels: readonly string[];
}

export interface Answers extends GivenInputs {
  readonly name: string;
  readonly endpoint: OwnEndpoint | PresetEndpoint;
  readonly constants: readonly Constant[];
  /** The constants of each variant, at least one. */
  readonly variants: readonly JsonObject[];
  /** Whether the second model replaces the first: rules ask what that costs. */
  readonly swaps: boolean;
  /** Whether the target knows a price, or its server reports a cost. */
  readonly paid: boolean;
  /** The highest cost of one request of each variant, in US dollars; null without a price or upper bound. */
  readonly requestCostsUsd: readonly number[] | null;
}

export function isVideo(kind: Kind): boolean {
  return kind === 'text-to-video' || kind === 'image-to-video';
}

export type EndpointOptions = Omit<ArgumentsOf<typeof writeSuite>, 'file' | 'ci' | 'inUse' | 'serverFiles'>;
