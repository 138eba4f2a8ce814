import type { Refusal } from '../forms/form.ts';
import { type ImageRoute, VIDEO_ROUTES, type VideoRoute } from '../forms/generation.ts';
import type { AskedGeneration } from '../forms/video-form.ts';
import type { Behaviour, Rule } from '../parse-behaviour.ts';
import type { PixelChanges } from '../rendering/pixel-changes.ts';
import { RandomSource } from '../sampler/random.ts';
import type { BehaviourEffect, EffectSettings } from './effects.ts';

/** A well-formed request; times are milliseconds since the service's start. */
export interface AskedRequest {
  readonly generation: AskedGeneration;
  readonly route: ImageRoute | VideoRoute;
  readonly nowMs: number;
}

export interface Memory {
  /** Requests per rule so far, by the rule's index. */
  readonly seen: readonly number[];
  /** When the requests within each rate limit's window came, by the rule's index. */
  readonly admitted: readonly (readonly number[])[];
}

export const NO_MEMORY: Memory = { seen: [], admitted: [] };

type DeliveryKind = 'truncated_body' | 'truncated_png' | 'html' | 'drop_connection';
export type Delivery = Extract<BehaviourEffect, { readonly kind: DeliveryKind }>;

export interface BehaviourDecision {
  readonly fired: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** If not null, it is the answer, and nothing is sampled. */
  readonly refusal: Refusal | null;
  /** Before the image enters the queue. */
  readonly delayMs: number;
  /** In these windows (milliseconds since the service's start) nothing goes on. */
  readonly stalls: readonly { readonly name: string; readonly fromMs: number; readonly untilMs: number }[];
  readonly seed: number | 'random';
  readonly echo: number | 'used' | 'none';
  /** Whether an image has the sides of a video. */
  readonly small: boolean;
  /** Whether the reply says how long its stages took. */
  readonly stages: boolean;
  readonly changes: PixelChanges;
  /** The rule that makes low bits depend on the batch; it takes effect when other requests were running or queued. */
  readonly batchRule: string | null;
  /** The rule that answers repeats from memory; it takes effect if there is an entry. */
  readonly cache: { readonly name: string; readonly header: string | null } | null;
  readonly metadataNoise: boolean;
  /** Factor on the time that the worker is occupied. */
  readonly slowdown: number;
  readonly crash: boolean;
  readonly delivery: Delivery | null;
  /** The rule by which a job never ends; it takes effect when the job would begin. */
  readonly neverEnds: string | null;
}

type Draft = { -readonly [K in keyof BehaviourDecision]: BehaviourDecision[K] };

/**
 * Applies the rules in order: the first refusal ends it, the first delivery counts, delays add up. Pure: randomness
 * comes from the behaviour's seed, the rule's index and its count of requests.
 */
export function decide(
  behaviour: Behaviour,
  memory: Memory,
  asked: AskedRequest,
): { plan: BehaviourDecision; memory: Memory } {
  const asGiven = asked.generation.seed;
  const draft: Draft = {
    fired: [],
    headers: {},
    refusal: null,
    delayMs: 0,
    stalls: [],
    seed: asGiven ?? 'random',
    echo: 'used',
    small: false,
    stages: false,
    changes: {},
    batchRule: null,
    cache: null,
    metadataNoise: false,
    slowdown: 1,
    crash: false,
    delivery: null,
    neverEnds: null,
  };
  const seen = [...memory.seen];
  const admitted = [...memory.admitted];
  for (const [place, rule] of behaviour.rules.entries()) {
    if (!concerns(rule, asked)) continue;
    const nth = (seen[place] ?? 0) + 1;
    seen[place] = nth;
    const random = new RandomSource(behaviour.seed, place, nth);
    // A rule after a refusal still counts its requests, so that rules do not shift each other.
    if (draft.refusal !== null || !itsTurn(rule, nth, random)) continue;
    if (rule.effect.kind === 'rate_limit') {
      admitted[place] = limitRate(draft, rule.effect.settings, admitted[place] ?? [], asked.nowMs);
    } else {
      const fires = apply(draft, rule, asked, random);
      if (fires) draft.fired = [...draft.fired, rule.name];
    }
    // Earlier effects do not happen for a refused request.
    if (draft.refusal !== null) draft.fired = [rule.name];
  }
  const { refusal } = draft;
  const plan: BehaviourDecision =
    refusal === null ? draft : { ...draft, delayMs: 0, stalls: [], delivery: null, neverEnds: null };
  return { plan, memory: { seen, admitted } };
}

/** Effects on pixels and metadata, which a video has none of. */
const OF_IMAGES: ReadonlySet<BehaviourEffect['kind']> = new Set([
  'small',
  'batch_dependent',
  'one_bit',
  'blurred',
  'mirrored',
  'metadata_noise',
]);

function concerns({ when, effect }: Rule, { generation, route }: AskedRequest): boolean {
  const isVideo = Object.hasOwn(VIDEO_ROUTES, route);
  return (
    (effect.kind !== 'job_never_ends' || isVideo) &&
    (!OF_IMAGES.has(effect.kind) || !isVideo) &&
    (effect.kind !== 'echo_input' || generation.edit !== undefined) &&
    (effect.kind !== 'leak' || (generation.edit?.mask ?? null) !== null) &&
    (when.model === undefined || when.model === generation.model) &&
    (when.route === undefined || when.route === route) &&
    (when.prompt === undefined || generation.prompt.toLowerCase().includes(when.prompt.toLowerCase()))
  );
}

/** `after` skips the first requests, `first` ends after so many more, `every` counts from there; then chance. */
function itsTurn({ when }: Rule, nth: number, random: RandomSource): boolean {
  const from = nth - (when.after ?? 0);
  if (from < 1 || from > (when.first ?? Number.POSITIVE_INFINITY)) return false;
  if (from % (when.every ?? 1) !== 0) return false;
  return random.uniform() < (when.probability ?? 1);
}

function limitRate(
  draft: Draft,
  { requests, per }: EffectSettings<'rate_limit'>,
  earlier: readonly number[],
  nowMs: number,
): readonly number[] {
  const within = earlier.filter((time) => time > nowMs - per);
  const free = within.length < requests;
  const kept = free ? [...within, nowMs] : within;
  const resetMs = Math.max(1, (kept[0] ?? nowMs) + per - nowMs);
  const resetSeconds = String(Math.ceil(resetMs / 1000));
  draft.headers = {
    ...draft.headers,
    'x-ratelimit-limit': String(requests),
    'x-ratelimit-remaining': String(requests - kept.length),
    'x-ratelimit-reset': resetSeconds,
  };
  if (!free) {
    draft.refusal = {
      status: 429,
      code: 'rate_limited',
      message: `at most ${requests} requests in ${per / 1000} s are taken`,
      headers: { 'retry-after': resetSeconds, 'retry-after-ms': String(Math.ceil(resetMs)) },
    };
  }
  return kept;
}

/** True if the effect is certain: it is counted now. */
function apply(draft: Draft, { name, effect }: Rule, asked: AskedRequest, random: RandomSource): boolean {
  switch (effect.kind) {
    case 'latency':
      draft.delayMs += drawLatency(effect.settings, random);
      return true;
    case 'stall': {
      const { at, for: length } = effect.settings;
      draft.stalls = [...draft.stalls, { name, fromMs: at, untilMs: at + length }];
      return false;
    }
    case 'error': {
      const { status, code, message, retry_after: retryAfter } = effect.settings;
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter / 1000)) };
      draft.refusal = { status, code, message, headers };
      return true;
    }
    case 'moderation': {
      const { answer, status, code, message } = effect.settings;
      if (answer === 'refuse' || Object.hasOwn(VIDEO_ROUTES, asked.route)) draft.refusal = { status, code, message };
      else draft.changes = { ...draft.changes, blank: true };
      return true;
    }
    case 'seed_ignored': {
      const { echo } = effect.settings;
      draft.seed = 'random';
      draft.echo = echo === 'asked' ? (asked.generation.seed ?? 'used') : echo;
      return true;
    }
    case 'seed_omitted':
      if (asked.generation.seed !== null) return false;
      draft.seed = effect.settings.seed;
      return true;
    case 'mismatch':
      if (draft.seed === 'random') return false;
      draft.echo = draft.seed;
      draft.seed = random.bits() >>> 0;
      return true;
    case 'small':
      draft.small = true;
      return true;
    case 'stages':
      draft.stages = true;
      return true;
    case 'cached':
      draft.cache = { name, header: effect.settings.header ?? null };
      return false;
    case 'batch_dependent':
      draft.changes = { ...draft.changes, batchDependent: true };
      draft.batchRule = name;
      return false;
    case 'one_bit':
      draft.changes = { ...draft.changes, oneBit: true };
      return true;
    case 'blurred':
      draft.changes = { ...draft.changes, blurRadius: effect.settings.radius };
      return true;
    case 'mirrored':
      draft.changes = { ...draft.changes, mirrored: true };
      return true;
    case 'metadata_noise':
      draft.metadataNoise = true;
      return true;
    case 'echo_input':
      draft.changes = { ...draft.changes, echoInput: true };
      return true;
    case 'leak':
      draft.changes = { ...draft.changes, leak: effect.settings.by };
      return true;
    case 'slow_worker':
      draft.slowdown *= effect.settings.factor;
      return true;
    case 'crash':
      draft.crash = true;
      return true;
    case 'job_never_ends':
      draft.neverEnds ??= name;
      return false;
    case 'rate_limit':
      return false; // Decided elsewhere: it needs the times of earlier requests.
    default:
      if (draft.delivery !== null) return false;
      draft.delivery = effect;
      return true;
  }
}

/** Milliseconds; a lognormal of a median m and a sigma s is m exp(s z) with z standard normal. */
function drawLatency({ constant, lognormal, stall }: EffectSettings<'latency'>, random: RandomSource): number {
  const steady = constant ?? 0;
  const varying = lognormal === undefined ? 0 : lognormal.median * Math.exp(lognormal.sigma * random.normal());
  const stalled = stall !== undefined && random.uniform() < stall.probability ? stall.for : 0;
  return steady + varying + stalled;
}
