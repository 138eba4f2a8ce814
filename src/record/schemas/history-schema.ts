import { z } from 'zod';
import { KINDS } from '../../suite/format/suite.ts';
import { HISTORY_FORMAT, type HistoryLine, type HistoryVariant } from '../model/history-line.ts';
import { schemaOf } from './exact-schema.ts';
import { instant, sha256 } from './field-schemas.ts';

const variantSchema = schemaOf<HistoryVariant>('HistoryVariant')(
  z.strictObject({
    variant: z.string(),
    kind: z.enum(KINDS),
    comparableDigest: sha256,
    cells: z.array(z.strictObject({ prompt: z.string(), seed: z.number().nullable() })),
    lnValues: z.record(z.string(), z.array(z.number().nullable())),
    meanLn: z.record(z.string(), z.number()),
    rates: z.record(z.string(), z.number()),
  }),
);

/** A line of history.jsonl. */
export const historySchema = schemaOf<HistoryLine>('HistoryLine')(
  z.strictObject({
    format: z.literal(HISTORY_FORMAT),
    run: z.string().min(1),
    startedAt: instant,
    suiteDigest: sha256,
    complete: z.boolean(),
    verdict: z.enum(['pass', 'fail', 'inconclusive', 'none']),
    variants: z.array(variantSchema),
  }),
);
