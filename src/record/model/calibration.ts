/** What the measuring machine itself adds to a latency, found out before the first request of a run. */
export interface Calibration {
  /** `short` before a run: what the floor needs and what is cheap beside it. `full`: by `retake calibrate`. */
  readonly form: 'short' | 'full';
  readonly tookMs: number;
  /** Two single calls that differ by less may differ because of this machine: see calibrate/floor.ts. */
  readonly floorMs: number;
  readonly measures: CalibrationMeasures;
  readonly machine: MachineState;
  /** Why this machine is not fit to measure; empty where nothing is known against it. */
  readonly unfit: readonly Unfitness[];
}

export interface CalibrationMeasures {
  /** From one reading of the monotonic clock to the next that differs. */
  readonly clockStep: Spread;
  /** How long after its time a timer's callback runs. */
  readonly timerLateness: Spread;
  /** How late an idle thread wakes. */
  readonly eventLoopDelay: Spread;
  /** A small request and reply over loopback HTTP. */
  readonly roundTrip: Spread;
  /** The same with a reply of 1.5 MB, as large as an image. */
  readonly mediaRoundTrip: Spread;
  /** SHA-256 of 1 MiB. */
  readonly sha256: Spread;
  /** Keeping an output of 64 KiB in a record: its digest and its file. */
  readonly store: Spread;
  /** Examining a PNG of 1024 x 1024; null in the short form, which loads no decoder. */
  readonly decodeImage: Spread | null;
  /** Examining one frame of a video of 512 x 512; null in the short form, and without node-av. */
  readonly decodeVideoFrame: Spread | null;
  /** SSIM of two images of 1024 x 1024; null in the short form. */
  readonly ssim: Spread | null;
}

/** How often something was measured, and how the durations spread. */
export interface Spread {
  readonly unit: 'ms';
  readonly n: number;
  readonly min: number;
  readonly p50: number;
  /** The middle half: from the 25th percentile to the 75th. */
  readonly iqr: number;
  /** Null where `n` is too small for it to say more than `max`. */
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number;
}

/** What the system says of itself, as far as it does. */
export interface MachineState {
  readonly cores: number;
  /** Threads that ran or wanted to, on average over the last minute; null where the system does not count them. */
  readonly loadAverage: number | null;
  /** How the processor is held back to save power; null where nothing says so. */
  readonly powerSaving: PowerSaving | null;
}

/** What says that the processor is held back: its governor, what it prefers, the platform's profile, or a battery in use. */
export type PowerSaving =
  | { readonly code: 'governor'; readonly governor: 'powersave' }
  | { readonly code: 'energy_preference' | 'battery' }
  | { readonly code: 'platform_profile'; readonly profile: 'low-power' | 'quiet' };

/** One reason why latencies of this machine are to be doubted. */
export type Unfitness =
  /** How late an idle thread woke, by the p99 of `n` measurements, or by the largest where they are too few for one. */
  | {
      readonly code: 'late_wake';
      readonly lateMs: number;
      readonly statistic: 'p99' | 'max';
      readonly n: number;
      /** The most that is fit to measure. */
      readonly limitMs: number;
    }
  | { readonly code: 'overloaded'; readonly loadAverage: number; readonly cores: number }
  | { readonly code: 'saves_power'; readonly by: PowerSaving };
