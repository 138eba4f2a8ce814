import { z } from 'zod';
import { DURATION, parseDurationMs } from '../../kit/time.ts';

const DAY_MS = 86_400_000;
/** Gives milliseconds. */
const duration = z
  .string()
  .regex(DURATION, 'must be a duration; write for example 250ms, 2s or 1m')
  .transform((text) => parseDurationMs(text) ?? Number.POSITIVE_INFINITY)
  .refine((ms) => ms <= DAY_MS, 'is too long; a day is the longest');
const share = z.number().min(0).max(1);
const count = z.int().min(1);
const model = z.enum(['standard', 'fast', 'fast-lcm']);
const day = z.iso.date({ error: 'is not a day; write for example 2026-12-01' });
const nothing = z.strictObject({}).nullable();
const headerText = z.string().regex(/^[\x20-\x7e]+$/, 'cannot be sent in a header; use plain ASCII');
const headerName = z.string().regex(/^[a-zA-Z0-9-]+$/, 'is not a valid header name; use letters, digits and hyphens');

const host = z.string().regex(/^[a-zA-Z0-9.-]+$/, 'is not a valid host name; use letters, digits, dots and hyphens');

const distribution = z
  .strictObject({
    constant: duration.optional(),
    lognormal: z.strictObject({ median: duration, sigma: z.number().min(0).max(5) }).optional(),
    stall: z.strictObject({ probability: share, for: duration }).optional(),
  })
  .refine(
    ({ constant, lognormal, stall }) => (constant ?? lognormal ?? stall) !== undefined,
    'is empty; give constant, lognormal or stall',
  );

/** Only for the video routes. */
const JOB_EFFECTS = {
  job_never_ends: nothing,
  job_fails: z.strictObject({
    after: duration.default(0),
    code: z.string().min(1).default('generation_failed'),
    message: z.string().default('this failure was declared in the behaviour file'),
  }),
  job_moderated: z.strictObject({
    after: duration.default(0),
    code: z.string().min(1).default('content_moderated'),
    message: z.string().default('the video was refused by moderation'),
  }),
  job_lost: z.strictObject({ after: duration }),
  job_state: z.strictObject({ state: z.string().min(1) }),
  status_latency: distribution,
  status_error: z.strictObject({
    every: count.default(1),
    status: z.int().min(400).max(599).default(500),
    code: z.string().min(1).default('declared_error'),
    message: z.string().default('this error was declared in the behaviour file'),
  }),
  media_expires: z
    .strictObject({
      after: duration.optional(),
      fetches: z.int().min(0).optional(),
      status: z.literal([403, 404, 410]).default(403),
    })
    .refine(({ after, fetches }) => (after ?? fetches) !== undefined, 'is empty; give after or fetches'),
  media_host: z.strictObject({ host }),
} as const;

export const EFFECTS = {
  latency: distribution,
  stall: z.strictObject({ at: duration, for: duration }),
  rate_limit: z.strictObject({
    requests: count,
    per: duration.refine((ms) => ms > 0, 'is 0; give a window such as 1m'),
  }),
  error: z.strictObject({
    status: z.int().min(400).max(599),
    code: z.string().min(1).default('declared_error'),
    message: z.string().default('this error was declared in the behaviour file'),
    retry_after: duration.optional(),
  }),
  moderation: z.strictObject({
    answer: z.enum(['refuse', 'blank']),
    status: z.int().min(400).max(599).default(422),
    code: z.string().min(1).default('content_moderated'),
    message: z.string().default('the prompt was refused by moderation'),
  }),
  seed_ignored: z.strictObject({ echo: z.enum(['asked', 'used', 'none']).default('asked') }),
  seed_omitted: z.strictObject({ seed: z.int().min(0).max(4294967295) }),
  mismatch: nothing,
  other_model: z.strictObject({ model }),
  rewritten: z.strictObject({ add: z.string().min(1).max(500), varies: z.boolean().default(false) }),
  small: nothing,
  stages: nothing,
  ends: z.strictObject({ on: day, since: day.optional(), successor: headerText.optional() }),
  cached: z.strictObject({ header: headerName.optional() }),
  batch_dependent: nothing,
  one_bit: nothing,
  blurred: z.strictObject({ radius: z.int().min(1).max(50).default(2) }),
  mirrored: nothing,
  metadata_noise: nothing,
  echo_input: nothing,
  leak: z.strictObject({ by: z.int().min(1).max(127).default(8) }),
  slow_worker: z.strictObject({ factor: z.number().min(1).max(100) }),
  crash: nothing,
  truncated_body: z.strictObject({ keep: share.default(0.5) }),
  truncated_png: z.strictObject({ keep: share.default(0.5) }),
  content_type: z.strictObject({ as: headerText }),
  html: z.strictObject({ status: z.int().min(200).max(599).default(200) }),
  drop_connection: z.strictObject({ at: z.enum(['before_headers', 'after_headers']) }),
  slow_body: z.strictObject({ over: duration }),
  redirect: z
    .strictObject({
      status: z.literal([302, 303, 307, 308]).default(303),
      host: host.optional(),
      to: z.url({ protocol: /^https?$/, error: 'is not a valid URL; write an http or https URL' }).optional(),
    })
    .refine(({ host, to }) => (host === undefined) !== (to === undefined), 'needs one of host and to; give either'),
  ...JOB_EFFECTS,
} as const;

export type EffectName = keyof typeof EFFECTS;
export type EffectSettings<N extends EffectName> = z.output<(typeof EFFECTS)[N]>;

export type BehaviourEffect = {
  [N in EffectName]: { readonly kind: N; readonly settings: EffectSettings<N> };
}[EffectName];

export type JobEffect = Extract<BehaviourEffect, { readonly kind: keyof typeof JOB_EFFECTS }>;

/** Selects the requests of a rule: all conditions must hold. */
export const WHEN = z.strictObject({
  model: model.optional(),
  route: z.enum(['image', 'anime', 'image-edit', 'text-to-video', 'image-to-video']).optional(),
  prompt: z.string().min(1).optional(),
  every: count.optional(),
  after: z.int().min(0).optional(),
  first: count.optional(),
  probability: share.optional(),
});
export type Condition = z.output<typeof WHEN>;
