import { z } from 'zod';
import { MOST_USD } from './most-usd.ts';
import { DURATION, PERCENTAGE, parseDurationMs, parseRatePerSecond, parseShare, RATE } from './time.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const name = z.string().regex(NAME, {
  error:
    'must begin with a letter or digit and go on with letters (a-z, A-Z), digits, ".", "_" or "-", at most 100; rename it',
});

export const dollars = z.number().min(0).max(MOST_USD);

export const pricedUnit = z.enum(['request', 'output', 'second'], {
  error: ({ input }) =>
    input === 'megapixel' ? 'must not be "megapixel"; write output, with the price of the largest output' : undefined,
});

/** Gives milliseconds, more than 0. */
export const duration = z
  .string()
  .regex(DURATION, { error: 'must be a duration; write a number and ms, s, m or h: 250ms, 2s, 10m' })
  .transform(
    (text, context) =>
      parseDurationMs(text) || refuse(context, text, 'more than 0, at most 1e15 ms; write for example 10s'),
  );

/** Gives events per second, more than 0. */
export const rate = z
  .string()
  .regex(RATE, { error: 'must be a rate; write a number and /s, /min or /h: 2/s, 30/min' })
  .transform(
    (text, context) =>
      parseRatePerSecond(text) || refuse(context, text, 'more than 0, at most 1e15/s; write for example 2/s'),
  );

/** Gives a share; 5% is 0.05. */
export const percentage = z
  .string()
  .regex(PERCENTAGE, { error: 'must be a percentage; write a number and %: 5%, 0.5%' })
  .transform(
    (text, context) => parseShare(text) ?? refuse(context, text, 'a smaller percentage; write for example 5%'),
  );

/** Gives a share from 0 to 1. */
export const share = percentage.refine((value) => value <= 1, { error: 'must be at most 100%; write 100% or less' });

function refuse(context: z.core.$RefinementCtx<string>, input: string, must: string): never {
  context.issues.push({ code: 'custom', input, message: `must be ${must}` });
  return z.NEVER;
}
