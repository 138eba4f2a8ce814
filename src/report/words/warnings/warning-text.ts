import type { Warning } from '../../../analysis/warning-codes/coded-warning.ts';
import type { Fault } from '../../../kit/diagnostic.ts';

/** Holds hostile text: names, prompts and messages. */
export interface WarningText extends Fault {
  readonly what: string;
  /** `what` in a line of a terminal, where it is longer. */
  readonly brief?: string;
}

/** A method, so that the words of one code stand in a list of all. */
export type Worded<W extends Warning> = { words(warning: W): WarningText }['words'];

/** A code without words does not compile. */
export type WordsOf<Code extends Warning['code']> = {
  readonly [Each in Code]: Worded<Warning & { readonly code: Each }>;
};
