import type { Fault } from '../../../suite/document/diagnostic.ts';

/** Holds hostile text: names, prompts and messages. */
export interface WarningText extends Fault {
  readonly what: string;
}
