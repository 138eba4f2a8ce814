/** Who tells a run: the end of a command, the summary for CI, the first screen of the page. */
export type Teller = 'terminal' | 'markdown' | 'screen';

/** What each shows at sight; the rest is folded, counted, or left to the report. */
interface Most {
  readonly rules: number;
  readonly causes: number;
  /** Sentences on variants. */
  readonly answers: number;
  readonly scores: number;
  /** Sentences on a stored baseline. */
  readonly facts: number;
}

export const MOST: Readonly<Record<Teller, Most>> = {
  terminal: { rules: 8, causes: 5, answers: 3, scores: 4, facts: 4 },
  markdown: { rules: 12, causes: 12, answers: 12, scores: 12, facts: 12 },
  // Images must find room.
  screen: { rules: 2, causes: 2, answers: 3, scores: 4, facts: 4 },
};
