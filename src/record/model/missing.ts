/** What one side of a comparison does not have. */
export interface Missing {
  /** `suite_version`: the baseline is of another version of the suite; `id` is the digest of the run's. */
  readonly what: 'variant' | 'prompt' | 'seed' | 'suite_version';
  readonly id: string;
  readonly side: 'run' | 'baseline';
}
