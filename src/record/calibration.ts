import { z } from 'zod';
import { choice, count, milliseconds, number, part, type Recorded, shape } from '../kit/declare.ts';

const spreadSchema = shape('Spread', 'Durations of one kind: how many, and how they spread.', {
  unit: z.literal('ms').describe('Of all but `n`.'),
  n: z.int().min(1).describe('How often it was measured.'),
  min: milliseconds.describe('The smallest.'),
  p50: milliseconds.describe('The median.'),
  iqr: milliseconds.describe('The interquartile range: from p25 to p75.'),
  p95: milliseconds.nullable().describe('Null if `n` is below 14, as on a busy machine.'),
  p99: milliseconds.nullable().describe('Null if `n` is below 67.'),
  max: milliseconds.describe('The largest.'),
});
export type Spread = Recorded<typeof spreadSchema>;

/** Runs of an older Retake have them; nothing reads them. */
const ofOlder = z.union([spreadSchema, z.null()]).exactOptional().describe('Of an older Retake.');

const measuresSchema = shape('CalibrationMeasures', 'What calibration measures.', {
  clockStep: spreadSchema.describe('The time between two different readings of the monotonic clock.'),
  eventLoopDelay: spreadSchema.describe(
    'How late an idle thread wakes, measured every millisecond (perf_hooks.monitorEventLoopDelay, minus that ' +
      'millisecond).',
  ),
  roundTrip: spreadSchema.describe(
    'A loopback HTTP request to a server thread that answers 256 bytes at once, with the transport of runs, after ' +
      '2 ms of idleness.',
  ),
  mediaRoundTrip: spreadSchema.describe('The same with a reply of 1.5 MB, as large as an image.'),
  timerLateness: ofOlder,
  sha256: ofOlder,
  store: ofOlder,
  decodeImage: ofOlder,
  decodeVideoFrame: ofOlder,
  ssim: ofOlder,
});
export type CalibrationMeasures = Recorded<typeof measuresSchema>;

const powerSavingSchema = choice('PowerSaving', 'What holds the processor back to save power.', 'code', [
  part('The governor of the processor.', {
    code: z.literal('governor'),
    governor: z.literal('powersave').describe('Its name.'),
  }),
  part('The energy preference of the processor, or a battery in use.', {
    code: z.enum(['energy_preference', 'battery']),
  }),
  part('The profile of the platform.', {
    code: z.literal('platform_profile'),
    profile: z.enum(['low-power', 'quiet']).describe('Its name.'),
  }),
]);
export type PowerSaving = Recorded<typeof powerSavingSchema>;

const machineStateSchema = shape('MachineState', 'What the system says of itself, as far as it does.', {
  cores: count.describe('Processor cores.'),
  loadAverage: number
    .nullable()
    .describe('Threads that ran or wanted to, on average over the last minute; null if unknown.'),
  powerSaving: powerSavingSchema
    .nullable()
    .describe('What says that the processor is held back to save power; null if there is no sign of it.'),
});
export type MachineState = Recorded<typeof machineStateSchema>;

export const unfitnessSchema = choice('Unfitness', 'Why this machine is not fit to measure.', 'code', [
  part('An idle thread wakes late.', {
    code: z.literal('late_wake'),
    lateMs: milliseconds.describe('How late.'),
    statistic: z.enum(['p99', 'max']).describe('`p99`, or `max` of few measurements.'),
    n: count.describe('Measurements.'),
    limitMs: milliseconds.describe('The most that is fit to measure.'),
  }),
  part('Other work keeps the processor busy.', {
    code: z.literal('overloaded'),
    loadAverage: number.describe('Threads that ran or wanted to, on average over the last minute.'),
    cores: count.describe('Processor cores.'),
  }),
  part('The processor is held back to save power.', {
    code: z.literal('saves_power'),
    by: powerSavingSchema.describe('What holds it back.'),
  }),
]);
export type Unfitness = Recorded<typeof unfitnessSchema>;

export const calibrationSchema = shape(
  'Calibration',
  'What the measuring machine adds to a latency, measured before the first request.',
  {
    form: z.literal('short').exactOptional().describe('Of an older Retake.'),
    tookMs: milliseconds.describe('The duration of the calibration.'),
    floorMs: milliseconds.describe(
      'The noise floor of single calls, in milliseconds: 2.05 x (the wider `iqr` of the two round trips, plus the ' +
        '`iqr` of `eventLoopDelay`), plus p50 of `clockStep`. On a busy machine (`late_wake` or `overloaded` in `unfit`), ' +
        'and of too few calls for a `p95`, `p95` or else `max` stands for `iqr`.',
    ),
    measures: measuresSchema.describe('What was measured, by name.'),
    machine: machineStateSchema.describe('What the system says of itself.'),
    unfit: z.array(unfitnessSchema).describe('Why this machine is not fit to measure; empty if nothing was found.'),
  },
);
export type Calibration = Recorded<typeof calibrationSchema>;
