import { z } from 'zod';
import { choice, part, type Recorded, sha256, shape } from '../../kit/declare.ts';
import { vantageName } from './fields.ts';

/** A target, variant, variable, code or version: it comes from another machine, and is printed in a line. */
const word = z.string().regex(/^\w[\w.+@/-]{0,199}$/);

export const shardIdentitySchema = shape('ShardIdentity', 'What all shards of a run have in common.', {
  retake: word.describe('Version of Retake.'),
  suite: sha256.describe('The digest of the suite.'),
  against: sha256.nullable().describe('The digest of the stored baseline; null without one.'),
  targets: z.record(word, sha256).describe('The digest of each target, by its name.'),
  environment: z.record(word, sha256).describe('SHA-256 of each environment value used, by name.'),
  leftOut: z.record(word, word).describe('Why the machine cannot measure a variant, by its name.'),
  plan: sha256.describe('The digest of the whole plan.'),
  vantage: vantageName.nullable().describe('Where calls are sent from; null if that is not known.'),
});
/** Plain data: it also travels as JSON. */
export type ShardIdentity = Recorded<typeof shardIdentitySchema>;

const versionPair = z.tuple([word, word]);
const digestPair = z.tuple([sha256, sha256]);
const names = z.array(word).min(1);

export const shardDifferenceSchema = choice('ShardDifference', 'How two shards of one run differ.', 'code', [
  part('They have different versions of Retake.', { code: z.literal('version'), versions: versionPair }),
  part('They have different suites.', { code: z.literal('suite'), digests: digestPair }),
  part('They have different stored baselines, or only one has one.', { code: z.literal('against') }),
  part('Their calls are sent from different places.', {
    code: z.literal('vantage'),
    vantages: z.tuple([vantageName.nullable(), vantageName.nullable()]),
  }),
  part('They have different targets.', { code: z.literal('targets'), targets: names }),
  part('They have different values of environment variables.', { code: z.literal('environment'), variables: names }),
  part('They left out different variants.', { code: z.literal('left_out'), variants: names }),
  part('They have different plans.', { code: z.literal('plan'), digests: digestPair }),
]);
export type ShardDifference = Recorded<typeof shardDifferenceSchema>;
