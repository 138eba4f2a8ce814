import type { Json } from '../../kit/json.ts';

/** What templates see as `judge`. */
export const JUDGE_MEMBERS = ['instructions', 'content', 'schema'] as const;

/** What a judge is sent. */
export interface JudgeQuestion {
  /** The same text in every request. */
  readonly instructions: string;
  /** A list of parts as OpenAI's chat takes them: texts, and images as data URIs. */
  readonly content: Json;
  /** JSON Schema of the answer. */
  readonly schema: Json;
}
