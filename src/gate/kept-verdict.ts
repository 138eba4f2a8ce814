import { z } from 'zod';
import { warningSchema } from '../analysis/warning.ts';
import { listed, plural } from '../kit/wording.ts';
import { type StateWords, stateWords } from './run-state.ts';
import { verdictSchema } from './verdict.ts';

const { what, unfit } = warningSchema.shape;
const { verdict, complete, answer } = verdictSchema.shape;

/** Of a rule what the state of its run follows from: other versions may write more, or less. */
const judgedRule = z.looseObject({
  index: z.number(),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'not_applicable']),
  letPass: z.boolean(),
});

/** Warnings are made to be read: also one whose code this version does not have. */
const keptSchema = z.looseObject({
  verdict,
  complete,
  rules: z.array(judgedRule).catch([]),
  answer,
  warnings: z.array(z.looseObject({ what, unfit }).nullable().catch(null)).catch([]),
});

/** What a list says of a run. */
export interface KeptAnswer {
  readonly state: StateWords;
  /** Null where nothing is worth a line: no rule, or an older Retake wrote it. */
  readonly answer: string | null;
  /** `do not rely on the numbers: variants gave the same files`, each reason once; null without one. */
  readonly doubt: string | null;
  /** The first warning. */
  readonly warning: string | null;
}

/** Of the text of a verdict.json; null of what this version does not read. */
export function keptAnswer(text: string): KeptAnswer | null {
  try {
    const { answer = null, warnings, ...decided } = keptSchema.parse(JSON.parse(text));
    const known = warnings.flatMap((warning) => warning ?? []);
    const reasons = [...new Set(known.flatMap(({ unfit }) => unfit?.because ?? []))];
    const [first] = known;
    const all = known.length === 1 ? '1 warning' : `${plural(known.length, 'warning')}, first`;
    return {
      state: stateWords(decided),
      answer,
      doubt: reasons.length === 0 ? null : `do not rely on the numbers: ${listed(reasons)}`,
      warning: first === undefined ? null : `${all}: ${first.what}`,
    };
  } catch {
    return null;
  }
}
