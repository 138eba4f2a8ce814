import { z } from 'zod';
import { AGAINST, type Bound, GATE_EVENTS } from '../../suite/format/gate.ts';
import { type GateRule, KINDS } from '../../suite/format/suite.ts';
import { schemaOf } from './exact-schema.ts';
import { milliseconds, number } from './field-schemas.ts';

const names = z.array(z.string()).nullable();
const change = z.enum(['max_increase', 'max_decrease']);

const boundSchema = schemaOf<Bound>('Bound')(
  z.union([
    z.strictObject({ is: change, share: number }),
    z.strictObject({ is: change, amount: number }),
    z.strictObject({ is: z.literal('max_rise'), share: number }),
    z.strictObject({ is: z.enum(['max', 'min']), value: number }),
    z.strictObject({ is: z.literal('none'), event: z.enum(GATE_EVENTS) }),
  ]),
);

/** A rule of the gate, as run.json and verdict.json hold it. */
export const gateRuleSchema = schemaOf<GateRule>('GateRule')(
  z.strictObject({
    metric: z.string(),
    statistic: z.string().nullable(),
    overMs: milliseconds.nullable(),
    variants: names,
    kinds: z.array(z.enum(KINDS)).nullable(),
    prompts: names,
    tags: names,
    scope: z.enum(['cells', 'prompts']),
    against: z.enum(AGAINST),
    bound: boundSchema,
    onInconclusive: z.enum(['inconclusive', 'pass']),
  }),
);
