import type { Kind } from '../../../suite/kind.ts';

/** `openai`: as the image API of OpenAI; else as bytes, in JSON, or by a job to poll. */
export const REPLIES = ['openai', 'bytes', 'url', 'base64', 'job'] as const;
export type Reply = (typeof REPLIES)[number];

export const ENCODINGS = ['json', 'multipart'] as const;
export type Encoding = (typeof ENCODINGS)[number];

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

export interface Answers {
  readonly name: string;
  readonly endpoint: OwnEndpoint | PresetEndpoint;
  /** Values of the constant `model`, one variant each; empty: one variant without it. */
  readonly models: readonly string[];
  /** The highest cost of one request of each variant, in US dollars; null without a price or upper bound. */
  readonly requestCostsUsd: readonly number[] | null;
}

export function isVideo(kind: Kind): boolean {
  return kind === 'text-to-video' || kind === 'image-to-video';
}

/** Missing options are asked for on a terminal. */
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
