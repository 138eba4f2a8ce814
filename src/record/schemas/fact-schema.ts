import { z } from 'zod';
import type { Difference } from '../../media/compare/difference.ts';
import type { ImageIntegrity } from '../../media/signals/integrity.ts';
import type { VideoSignals } from '../../media/signals/video-signals.ts';
import type { Fact, OutputFact, PairFact, ShownFact, VideoFact } from '../model/fact.ts';
import { uncomparedSchema, undecodableSchema, unexaminedSchema } from './decode-fault-schema.ts';
import { schemaOf } from './exact-schema.ts';
import { count, number, sha256 } from './field-schemas.ts';

const share = z.number().min(0).max(1);

const integritySchema = schemaOf<ImageIntegrity>('ImageIntegrity')(
  z.strictObject({
    blank: z.boolean(),
    lumaMean: number,
    lumaStdDev: number,
    clippedLow: share,
    clippedHigh: share,
    sharpness: number,
    colourfulness: number,
  }),
);

const signalsSchema = schemaOf<VideoSignals>('VideoSignals')(
  z.strictObject({
    frames: count,
    frozenShare: share.nullable(),
    longestFrozenS: number.nullable(),
    duplicateShare: share.nullable(),
    distinctFrames: count,
    blankShare: share.nullable(),
    blackShare: share.nullable(),
    flicker: number.nullable(),
    siMax: number.nullable(),
    siMean: number.nullable(),
    tiMax: number.nullable(),
    tiMean: number.nullable(),
  }),
);

const shownSchema = schemaOf<ShownFact>('ShownFact')(
  z.strictObject({
    pixelSha256: sha256,
    strippedSha256: sha256.nullable(),
    pdq: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
    pdqQuality: z.number().min(0).max(100),
    blank: z.boolean(),
    first: integritySchema,
    moving: signalsSchema.nullable(),
  }),
);

const videoSchema = schemaOf<VideoFact>('VideoFact')(
  z.strictObject({
    fps: number.nullable(),
    durationS: number.nullable(),
    codec: z.string(),
    pixelFormat: z.string(),
    framesSha256: sha256,
    preview: z.boolean(),
  }),
);

const everyOutput = { fact: z.literal('output'), sha256, bytes: count, mime: z.string().nullable() };

const outputFactSchema = schemaOf<OutputFact>('OutputFact')(
  z.discriminatedUnion('decodes', [
    z.strictObject({
      ...everyOutput,
      decodes: z.literal(true),
      width: z.int().min(1),
      height: z.int().min(1),
      frames: z.int().min(1),
      thumbnail: z.boolean(),
      video: videoSchema.nullable(),
      shown: shownSchema,
    }),
    z.strictObject({ ...everyOutput, decodes: z.literal(false), reason: undecodableSchema }),
    z.strictObject({ ...everyOutput, decodes: z.literal(null), reason: unexaminedSchema }),
  ]),
);

export const differenceSchema = schemaOf<Difference>('Difference')(
  z.strictObject({
    frames: count,
    unpaired: count,
    samples: z.strictObject({ maxDifference: share, psnrDb: number.nullable() }).nullable(),
    ssim: z.strictObject({ p5: number, worst: number }).nullable(),
    chroma: z.number().min(0).max(255).nullable(),
    pdqDistance: z.number().min(0).max(256).nullable(),
    similarityFrames: count,
  }),
);

const everyPair = { fact: z.literal('pair'), a: sha256, b: sha256 };

const pairFactSchema = schemaOf<PairFact>('PairFact')(
  z.discriminatedUnion('compared', [
    z.strictObject({ ...everyPair, compared: z.literal(true), difference: differenceSchema }),
    z.strictObject({ ...everyPair, compared: z.literal(false), reason: uncomparedSchema }),
  ]),
);

/** A line of facts.jsonl. */
export const factSchema = schemaOf<Fact>('Fact')(z.discriminatedUnion('fact', [outputFactSchema, pairFactSchema]));
