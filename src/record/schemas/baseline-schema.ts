import { z } from 'zod';
import { KINDS } from '../../suite/format/suite.ts';
import {
  BASELINE_FORMAT,
  type Baseline,
  type BaselineCell,
  type BaselineMeasure,
  type BaselineOutput,
  type BaselinePrompt,
  type BaselineTarget,
  type BaselineVariant,
} from '../model/baseline.ts';
import { schemaOf } from './exact-schema.ts';
import { count, instant, json, jsonObject, milliseconds, number, runName, sha256, suiteName } from './field-schemas.ts';
import { environment, machineSchema } from './run-schema.ts';

const outputSchema = schemaOf<BaselineOutput>('BaselineOutput')(
  z.strictObject({
    sha256,
    pixelSha256: sha256.nullable(),
    pdq: sha256.nullable(),
    pdqQuality: z.number().min(0).max(100).nullable(),
    takes: count,
  }),
);

const cellSchema = schemaOf<BaselineCell>('BaselineCell')(
  z.strictObject({
    variant: z.string(),
    kind: z.enum(KINDS),
    prompt: z.string(),
    seed: count,
    takes: count,
    censored: count,
    values: z.record(z.string(), number),
    outputs: z.array(outputSchema),
  }),
);

const measureSchema = schemaOf<BaselineMeasure>('BaselineMeasure')(
  z.strictObject({
    variant: z.string(),
    step: number.nullable(),
    metric: z.string(),
    statistic: z.string(),
    value: number.nullable(),
    unit: z.string(),
    n: count,
    ciLow: number.nullable(),
    ciHigh: number.nullable(),
  }),
);

const targetSchema = schemaOf<BaselineTarget>('BaselineTarget')(
  z.strictObject({ id: z.string(), digest: sha256, declared: json, storedBody: json, environment }),
);

const variantSchema = schemaOf<BaselineVariant>('BaselineVariant')(
  z.strictObject({
    name: z.string(),
    kind: z.enum(KINDS),
    target: z.string(),
    baseline: z.boolean(),
    constants: jsonObject,
    baseUrl: z.string(),
  }),
);

const promptSchema = schemaOf<BaselinePrompt>('BaselinePrompt')(
  z.strictObject({ id: z.string(), text: z.string(), image: sha256.nullable(), inputs: jsonObject }),
);

/** baseline.json. */
export const baselineSchema = schemaOf<Baseline>('Baseline')(
  z.strictObject({
    format: z.literal(BASELINE_FORMAT),
    run: runName,
    createdAt: instant,
    retake: z.string(),
    suite: z.strictObject({ name: suiteName, digest: sha256, declared: json, environment }),
    targets: z.array(targetSchema),
    machine: machineSchema,
    floorMs: milliseconds.nullable(),
    variants: z.array(variantSchema),
    prompts: z.array(promptSchema),
    measures: z.array(measureSchema),
    cells: z.array(cellSchema),
  }),
);
