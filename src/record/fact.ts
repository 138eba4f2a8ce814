import { z } from 'zod';
import { amount, choice, count, milliseconds, number, part, type Recorded, sha256, shape } from '../kit/declare.ts';
import { differenceSchema } from '../media/difference.ts';
import { decodeFaultSchema, integritySchema, missingDecoderSchema, signalsSchema } from '../media/facts.ts';

const decoderTimeout = part('It took longer to decode.', {
  code: z.literal('timed_out'),
  limitMs: milliseconds.describe('The limit.'),
}).describe('It took longer to decode.');

const decoderDied = part(
  'It died twice: memory may be short, or the file makes it crash. This is not a failure of the service.',
  { code: z.literal('decoder_died') },
).describe('It died twice: memory may be short, or the file makes it crash. This is not a failure of the service.');

export const unexaminedSchema = choice('UnexaminedReason', 'Why an output is known by its bytes alone.', 'code', [
  missingDecoderSchema,
  decoderDied,
]);
export type UnexaminedReason = Recorded<typeof unexaminedSchema>;

export const undecodableSchema = choice('UndecodableReason', 'Why an output does not decode.', 'code', [
  decodeFaultSchema,
  part('It is not a media format that Retake knows.', { code: z.literal('unknown_format') }),
  part('It was changed after it was stored.', { code: z.literal('digest_changed') }),
  decoderTimeout,
]);
export type UndecodableReason = Recorded<typeof undecodableSchema>;

export const uncomparedSchema = choice(
  'UncomparedReason',
  'Why two outputs that decode could not be compared.',
  'code',
  [
    part('One was deleted by `retake prune`.', { code: z.literal('media_missing') }),
    part('One no longer decodes.', { code: z.literal('no_longer_decodes') }),
    part('An unforeseen error.', { code: z.literal('failed'), detail: z.string().describe('The text of that error.') }),
    decodeFaultSchema,
    missingDecoderSchema,
    decoderTimeout,
    decoderDied,
  ],
);
export type UncomparedReason = Recorded<typeof uncomparedSchema>;

const shownSchema = shape('ShownFact', 'The visible content, independent of metadata and compression.', {
  pixelSha256: sha256.describe(
    'SHA-256 over size, depth, alpha and all pixels as shown (upright, in sRGB), of several frames with their ' +
      'times; of a video over size, turn, declared colours and pixel aspect, rate, pixel format and the digests of its ' +
      'frames.',
  ),
  strippedSha256: sha256
    .nullable()
    .describe(
      'SHA-256 without metadata, of PNG, JPEG and MP4; null for other formats, and if the file cannot be parsed to ' +
        'its end.',
    ),
  pdq: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .describe(
      "Perceptual hash of the first frame (Meta's PDQ), on white, or on black where only that is reliable: 64 hexadecimal digits.",
    ),
  pdqQuality: z.number().min(0).max(100).describe('Quality of that hash, 0 to 100.'),
  blank: z
    .boolean()
    .describe(
      'Only one colour and opacity in every frame: for red, green and blue, on white and on black, ' +
        'the central 99 % of samples span at most 8 ' +
        'of 255 levels, and at most one in 100 000 lies more than 16 from the median.',
    ),
  first: integritySchema.describe('Signals of the first frame. They do not measure quality.'),
  moving: signalsSchema
    .nullable()
    .describe('Signals of a video, over its first 1,200 frames, scaled to fit 1280 pixels; null for an image.'),
});
export type ShownFact = Recorded<typeof shownSchema>;

const videoSchema = shape('VideoFact', 'What a video is.', {
  fps: number
    .nullable()
    .describe('Frames per second on average; null, as `durationS`, for a single frame without either.'),
  durationS: number.nullable().describe('Seconds.'),
  codec: z.string().describe("FFmpeg's name, such as `h264`."),
  pixelFormat: z.string().describe("FFmpeg's name, such as `yuv420p`."),
  framesSha256: sha256.describe(
    'SHA-256 over the MD5 of each decoded frame, in the order shown, each as hex and a line feed.',
  ),
  preview: z.boolean().describe('Whether thumbs/ has a preview of it.'),
});
export type VideoFact = Recorded<typeof videoSchema>;

const everyOutput = {
  fact: z.literal('output'),
  sha256: sha256.describe('Its digest: the name of its file in media/.'),
  bytes: count.describe('Its size.'),
  mime: z.string().nullable().describe('Its media type by its bytes; null if unknown.'),
};

const outputFactSchema = choice('OutputFact', 'An output or an input image.', 'decodes', [
  part('It decodes.', {
    ...everyOutput,
    decodes: z.literal(true),
    width: z.int().min(1).describe('In pixels, as shown: after any rotation that the file declares.'),
    height: z.int().min(1).describe('In pixels, as shown.'),
    frames: z.int().min(1).describe('1 for a still image.'),
    thumbnail: z.boolean().describe('Whether thumbs/ has a thumbnail.'),
    video: videoSchema.nullable().describe('Null for an image.'),
    shown: shownSchema.describe('What is visible, independent of metadata and compression.'),
  }),
  part('It does not decode.', { ...everyOutput, decodes: z.literal(false), reason: undecodableSchema }),
  part('There was no decoder, or it died: the next report examines it again.', {
    ...everyOutput,
    decodes: z.literal(null),
    reason: unexaminedSchema,
  }),
]);
export type OutputFact = Recorded<typeof outputFactSchema>;

const everyPair = {
  fact: z.literal('pair'),
  a: sha256.describe('A digest, below `b` in alphabetical order.'),
  b: sha256.describe('The other digest.'),
};

const pairFactSchema = choice(
  'PairFact',
  'Two outputs whose pixels differ: of a cell (at most its first 24 distinct images), of a probe, of two variants for ' +
    'one prompt and seed, or of two seeds; or an edit and its first input image.',
  'compared',
  [
    part('They were compared.', {
      ...everyPair,
      compared: z.literal(true),
      difference: differenceSchema.describe('How they differ.'),
    }),
    part('They could not be compared.', { ...everyPair, compared: z.literal(false), reason: uncomparedSchema }),
  ],
);
export type PairFact = Recorded<typeof pairFactSchema>;

const outsideFactSchema = shape('OutsideFact', 'How far an edit changes its first input image outside the mask.', {
  fact: z.literal('outside'),
  input: sha256.describe('The digest of the first input image.'),
  mask: sha256.describe('The digest of the mask.'),
  output: sha256.describe('The digest of the output.'),
  levels: amount
    .nullable()
    .describe(
      'Mean absolute difference of red, green and blue over the pixels that lie 8 pixels and more from all pixels of ' +
        'the mask above 0, in levels of 255; upright, on white, the output scaled to the size of the input. Null if ' +
        'the shapes differ by more than 1 %, no pixel lies there, or one does not decode in time.',
    ),
});
export type OutsideFact = Recorded<typeof outsideFactSchema>;

export const factSchema = choice(
  'Fact',
  'One line of facts.jsonl: what the bytes of an output are, how two outputs differ, or what an edit changes outside its mask.',
  'fact',
  [outputFactSchema, pairFactSchema, outsideFactSchema],
);
/** A line of facts.jsonl. */
export type Fact = Recorded<typeof factSchema>;

export type DecoderTimeout = Recorded<typeof decoderTimeout>;
export type DecoderDied = Recorded<typeof decoderDied>;
