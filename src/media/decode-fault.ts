import { z } from 'zod';
import { choice, part, type Recorded } from '../kit/declare.ts';

const detail = z
  .string()
  .describe('What is wrong, as a clause. It may hold the text of a decoder, shortened: hostile.');

export const decodeFaultSchema = choice('DecodeFault', 'What is wrong with bytes that do not decode.', 'code', [
  part('They are damaged, cut off, or hold nothing that decodes.', { code: z.literal('not_decodable'), detail }),
  part('They are over a limit of size, frames or seconds.', { code: z.literal('over_limit'), detail }),
]);
export type DecodeFault = Recorded<typeof decodeFaultSchema>;

const packageMissing = part('It is not installed.', {
  code: z.literal('package_missing'),
  package: z.string().describe('Its name.'),
});

const packageBroken = part('It does not load.', {
  code: z.literal('package_broken'),
  package: z.string().describe('Its name.'),
  version: z.string().nullable().describe('The installed version; null if its package.json does not say.'),
  needs: z.string().describe('The versions that would do, as package.json writes them.'),
  detail: z.string().describe("The loader's own text, without folders of this machine."),
});

export const packageFaultSchema = choice(
  'PackageFault',
  'Why the optional package that decodes video cannot be used.',
  'code',
  [packageMissing, packageBroken],
);
export type PackageFault = Recorded<typeof packageFaultSchema>;

const needed = z.enum(['video', 'animated_avif']);

export const missingDecoderSchema = choice(
  'MissingDecoder',
  'Why bytes that may be sound were not decoded here.',
  'code',
  [
    packageMissing
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package is not installed.'),
    packageBroken
      .safeExtend({ needed: needed.describe('What it is needed for.') })
      .describe('The optional package does not load.'),
    part('Nothing here decodes this format, codec or kind of animation.', { code: z.literal('not_supported'), detail }),
  ],
);
export type MissingDecoder = Recorded<typeof missingDecoderSchema>;
