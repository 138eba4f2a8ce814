import type { Kind } from '../../suite/format/kind.ts';

/** How an endpoint gives its output: as the image API of OpenAI does, as bytes, in JSON, or by a job to poll. */
export const REPLIES = ['openai', 'bytes', 'url', 'base64', 'job'] as const;
export type Reply = (typeof REPLIES)[number];

/** How an endpoint takes a request. */
export const ENCODINGS = ['json', 'multipart'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What an endpoint promises of a seed; `none`: it takes none. */
export const SEED_PROMISES = ['exact', 'similar', 'none'] as const;
export type SeedPromise = (typeof SEED_PROMISES)[number];

/** Where an endpoint takes its key, and the environment variable that holds it. */
export type KeyPlace =
  | { readonly in: 'none' }
  | { readonly in: 'bearer'; readonly secret: string }
  | { readonly in: 'header' | 'query'; readonly name: string; readonly secret: string };

/** An endpoint without a preset: what its target file is written from. */
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

/** An endpoint with a preset, perhaps at another server with its interface. */
export interface PresetEndpoint {
  readonly by: 'preset';
  /** `provider/endpoint`. */
  readonly target: string;
  readonly kind: Kind;
  /** Null: the server of the preset. */
  readonly baseUrl: string | null;
  readonly seed: SeedPromise;
  /** The models that its target lists; empty where it lists none. */
  readonly knownModels: readonly string[];
}

/** What a suite is written from. */
export interface Answers {
  /** The suite's name. */
  readonly name: string;
  readonly endpoint: OwnEndpoint | PresetEndpoint;
  /** Values of the constant `model`, one variant each, the first the baseline variant; empty: one variant without it. */
  readonly models: readonly string[];
  /** The most that one request of each variant costs, in US dollars; null where no price is known, or it has no upper bound. */
  readonly requestCostsUsd: readonly number[] | null;
}

/** Whether a kind gives videos. */
export function isVideo(kind: Kind): boolean {
  return kind === 'text-to-video' || kind === 'image-to-video';
}

/** What options say of the endpoint; what they leave out is asked on a terminal. */
export interface EndpointOptions {
  readonly name?: string | undefined;
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly kind?: string | undefined;
  readonly reply?: string | undefined;
  readonly path?: string | undefined;
  readonly encoding?: string | undefined;
  readonly auth?: string | undefined;
  readonly secret?: string | undefined;
  readonly seed?: string | undefined;
  readonly model: readonly string[];
}
