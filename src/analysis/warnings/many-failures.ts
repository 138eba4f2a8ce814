import { z } from 'zod';
import {
  errorCode,
  httpStatus,
  message,
  part,
  type Recorded,
  variantName,
  count as wholeNumber,
} from '../../kit/declare.ts';
import { failureMessage } from '../../kit/outcome-words.ts';
import { count, plural, share } from '../../kit/wording.ts';
import { undecodableSchema } from '../../record/fact.ts';
import { sum } from '../../statistics/mean.ts';
import { retirementWords, successorWords } from '../../targets/inputs.ts';
import { retirementSchema } from '../../targets/recorded.ts';
import { ANSWERABLE, EFFECTIVE_OUTCOMES, FAILED } from '../effective-sample.ts';
import type { FailureGroup, VariantSummary } from '../summaries.ts';
import { warning } from './warning.ts';

const kindSchema = z.strictObject({
  outcome: z.enum(EFFECTIVE_OUTCOMES),
  errorCode,
  httpStatus,
  count: wholeNumber.describe('How many of them.'),
  message,
  undecodable: undecodableSchema.nullable().describe('Why the first does not decode; else null.'),
});
type FailureKind = Recorded<typeof kindSchema>;

/** Above this share of failures or missing pairs, latencies do not represent the whole. */
export const MOST_MISSING_TAKES = 0.05;

/** Variants with many failures: the remaining trials may be the easy ones. Messages of servers are not shortened. */
export const manyFailures = warning({
  code: 'many_failures',
  meaning: 'More than 5 % of takes failed.',
  fields: {
    variant: variantName,
    failed: wholeNumber.describe('Failed takes.'),
    takes: wholeNumber.describe('Takes that the service could answer.'),
    ended: part('What may explain a 404 or 410: a value of the variant that its provider switches off.', {
      retirement: retirementSchema,
      day: z.iso.date().describe('The day of the run.'),
    }).exactOptional(),
    mostOften: kindSchema.nullable().describe('The most frequent failure; null if no group of them is known.'),
  },
  find: ({ run, variants, failures }) =>
    variants.flatMap((variant) => {
      const [failed, takes] = [countOf(variant, FAILED), countOf(variant, ANSWERABLE)];
      if (takes === 0 || failed / takes <= MOST_MISSING_TAKES) return [];
      const largest = failures.find(({ variant: name, outcome }) => name === variant.name && FAILED.has(outcome));
      const mostOften = largest === undefined ? null : kindOf(largest);
      const [retirement] = GONE.includes(mostOften?.httpStatus ?? 0) ? (variant.retires ?? []) : [];
      const because = retirement === undefined ? {} : { ended: { retirement, day: run.startedAt.slice(0, 10) } };
      return [{ variant: variant.name, failed, takes, ...because, mostOften }];
    }),
  words: ({ variant, failed, takes, ended, mostOften }) => ({
    what: `${count(failed)} of ${plural(takes, 'take')} of ${variant} failed (${share(failed / takes)})`,
    cause: mostOften === null ? 'see the failures' : `most often ${kindWords(mostOften)}`,
    remedy:
      ended === undefined
        ? remedyOf(mostOften)
        : `${retirementWords(ended.retirement, ended.day)}: ${successorWords(ended.retirement.to)}`,
  }),
  example: {
    variant: 'standard',
    failed: 4,
    takes: 63,
    mostOften: {
      outcome: 'error',
      errorCode: 'E7',
      httpStatus: 500,
      count: 3,
      message: 'it was error',
      undecodable: null,
    },
  },
});

/** Status of what is no longer there. */
const GONE: readonly number[] = [404, 410];

function countOf({ outcomes }: VariantSummary, among: ReadonlySet<string>): number {
  return sum(Object.entries(outcomes).map(([outcome, n]) => (among.has(outcome) ? n : 0)));
}

function kindOf({ outcome, code, httpStatus, count: n, message: text, undecodable }: FailureGroup): FailureKind {
  return { outcome, errorCode: code, httpStatus, count: n, message: text, undecodable };
}

function kindWords(kind: FailureKind): string {
  const { outcome, errorCode, httpStatus } = kind;
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`;
  const named = errorCode === '' || errorCode === outcome ? outcome : `${outcome} (${errorCode})`;
  // The service's message may name the remedy.
  const message = failureMessage(kind);
  return `${named}${status}: ${plural(kind.count, 'time')}${message === '' ? '' : `; message: ${message}`}`;
}

function remedyOf(mostOften: FailureKind | null): string {
  if (mostOften?.httpStatus === 401 || mostOften?.httpStatus === 403) return 'check the key and its permissions';
  if (mostOften?.outcome === 'timed_out')
    return 'raise the limit that the message names, or lower the load; time-outs count as longer than every latency';
  const leftOut = 'failed takes other than time-outs are left out of latency';
  return mostOften?.outcome === 'rejected'
    ? `change the request as the message says, and measure again (retake try shows one call); ${leftOut}`
    : `remove the cause of the failures, and measure again; ${leftOut}`;
}
