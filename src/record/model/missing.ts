/** What one side of a comparison does not have. */
export interface Missing {
  /**
   * `cell`: one whose variant, prompt and seed the side has in others; `id` is `variant/prompt/seed`. `suite_version`: the baseline is
   * of another version of the suite or of a target; `id` is the digest of the run's suite. `changed_prompt`: the baseline asked for something
   * else by that id, so that its cells are not compared.
   */
  readonly what: 'variant' | 'prompt' | 'seed' | 'cell' | 'suite_version' | 'changed_prompt';
  readonly id: string;
  readonly side: 'run' | 'baseline';
}
