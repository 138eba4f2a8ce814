import type { Fault } from '../../../suite/document/diagnostic.ts';

/** A warning as a reader sees it: what was found, why, and what to do. Holds names, prompts and messages, which are others' text. */
export interface WarningText extends Fault {
  readonly what: string;
}
