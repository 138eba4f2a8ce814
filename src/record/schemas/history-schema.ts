import { z } from 'zod';
import { KINDS } from '../../suite/format/suite.ts';
import { HISTORY_FORMAT, type HistoryLine, type HistoryVariant } from '../model/history-line.ts';
import { schemaOf } from './exact-schema.ts';
import { count, instant, milliseconds, number, runName, sha256 } from './field-schemas.ts';

/** Of a value that is measured: e^100 is far above the largest. */
const logarithm = z.number().min(-100).max(100);

const variantSchema = schemaOf<HistoryVariant>('HistoryVariant')(
  z.strictObject({
    variant: z.string(),
    kind: z.enum(KINDS),
    comparableDigest: sha256,
    cells: z.array(z.strictObject({ prompt: z.string(), seed: count.nullable() })),
    lnValues: z.record(z.string(), z.array(logarithm.nullable())),
    meanLn: z.record(z.string(), logarithm),
    rates: z.record(z.string(), number),
  }),
);

/** A line of history.jsonl. */
export const historySchema = schemaOf<HistoryLine>('HistoryLine')(
  z.strictObject({
    format: z.literal(HISTORY_FORMAT),
    run: runName,
    startedAt: instant,
    suiteDigest: sha256,
    complete: z.boolean(),
    verdict: z.enum(['pass', 'fail', 'inconclusive', 'none']),
    floorMs: milliseconds.exactOptional(),
    variants: z.array(variantSchema),
  }),
);
