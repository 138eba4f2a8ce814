/** What a gate says of a run: what needs a look comes first. */
export const GATE_VERDICTS = ['fail', 'inconclusive', 'pass_unfit', 'pass', 'none'] as const;
