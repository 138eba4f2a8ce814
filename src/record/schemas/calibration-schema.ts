import { z } from 'zod';
import type {
  Calibration,
  CalibrationMeasures,
  MachineState,
  PowerSaving,
  Spread,
  Unfitness,
} from '../model/calibration.ts';
import { schemaOf } from './exact-schema.ts';
import { count, milliseconds, number } from './field-schemas.ts';

const spreadSchema = schemaOf<Spread>('Spread')(
  z.strictObject({
    unit: z.literal('ms'),
    n: z.int().min(1),
    min: milliseconds,
    p50: milliseconds,
    iqr: milliseconds,
    p95: milliseconds.nullable(),
    p99: milliseconds.nullable(),
    max: milliseconds,
  }),
);

const measuresSchema = schemaOf<CalibrationMeasures>('CalibrationMeasures')(
  z.strictObject({
    clockStep: spreadSchema,
    timerLateness: spreadSchema,
    eventLoopDelay: spreadSchema,
    roundTrip: spreadSchema,
    mediaRoundTrip: spreadSchema,
    sha256: spreadSchema,
    store: spreadSchema,
    decodeImage: spreadSchema.nullable(),
    decodeVideoFrame: spreadSchema.nullable(),
    ssim: spreadSchema.nullable(),
  }),
);

const powerSavingSchema = schemaOf<PowerSaving>('PowerSaving')(
  z.discriminatedUnion('code', [
    z.strictObject({ code: z.literal('governor'), governor: z.literal('powersave') }),
    z.strictObject({ code: z.enum(['energy_preference', 'battery']) }),
    z.strictObject({ code: z.literal('platform_profile'), profile: z.enum(['low-power', 'quiet']) }),
  ]),
);

const machineStateSchema = schemaOf<MachineState>('MachineState')(
  z.strictObject({
    cores: count,
    loadAverage: number.nullable(),
    powerSaving: powerSavingSchema.nullable(),
  }),
);

export const unfitnessSchema = schemaOf<Unfitness>('Unfitness')(
  z.discriminatedUnion('code', [
    z.strictObject({
      code: z.literal('late_wake'),
      lateMs: milliseconds,
      statistic: z.enum(['p99', 'max']),
      n: count,
      limitMs: milliseconds,
    }),
    z.strictObject({ code: z.literal('overloaded'), loadAverage: number, cores: count }),
    z.strictObject({ code: z.literal('saves_power'), by: powerSavingSchema }),
  ]),
);

export const calibrationSchema = schemaOf<Calibration>('Calibration')(
  z.strictObject({
    form: z.enum(['short', 'full']),
    tookMs: milliseconds,
    floorMs: milliseconds,
    measures: measuresSchema,
    machine: machineStateSchema,
    unfit: z.array(unfitnessSchema),
  }),
);
