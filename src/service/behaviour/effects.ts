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
const nothing = z.strictObject({}).nullable();
const headerName = z.string().regex(/^[a-zA-Z0-9-]+$/, 'is not a valid header name; use letters, digits and hyphens');

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
  small: nothing,
  stages: nothing,
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
  html: z.strictObject({ status: z.int().min(200).max(599).default(200) }),
  drop_connection: z.strictObject({ at: z.enum(['before_headers', 'after_headers']) }),
  /** Only for the video routes. */
  job_never_ends: nothing,
} as const;

export type EffectName = keyof typeof EFFECTS;
export type EffectSettings<N extends EffectName> = z.output<(typeof EFFECTS)[N]>;

export type BehaviourEffect = {
  [N in EffectName]: { readonly kind: N; readonly settings: EffectSettings<N> };
}[EffectName];

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
