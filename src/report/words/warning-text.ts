/** A warning as a reader sees it: what was found, why, and what to do. Holds names, prompts and messages, which are others' text. */
export interface WarningText {
  readonly what: string;
  readonly cause: string;
  readonly remedy: string;
}
