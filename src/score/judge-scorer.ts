import pLimit from 'p-limit';
import { wholeBillionths } from '../kit/most-usd.ts';
import type { StoredRun } from '../record/kept-run.ts';
import type { RequestLine, ScoreLine, UnscoredReason } from '../record/score.ts';
import { writtenScores } from '../record/score-key.ts';
import { JudgeSpend } from '../record/trial-histories.ts';
import type { JudgeQuestion } from '../targets/inputs.ts';
import {
  type Judge,
  type JudgeItem,
  type JudgeResult,
  judgeItems,
  judgeLine,
  judgeQuestion,
  type PairQuestion,
  readChoice,
} from './judge-items.ts';
import type { Scorer, ScoringEdge } from './score-run.ts';

/** `usd`: the cost that the judge reports; null: none. */
export type JudgeReply = { readonly usd: number | null } & (
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: UnscoredReason; readonly message: string }
);

export interface JudgeEdge {
  /** The images of both outputs, scaled to one size, and the input image; or why one cannot be shown. */
  readonly show: (item: Pick<JudgeItem, 'prompt' | 'first' | 'second'>) => Promise<JudgedSides>;
  /** Asks once. `again` is told before a refused request is sent again, and says whether to. */
  readonly call: (question: JudgeQuestion, again: () => boolean) => Promise<JudgeReply>;
}

export type JudgedSides =
  | ({ readonly ok: true } & Pick<PairQuestion, 'input' | 'first' | 'second'>)
  | { readonly ok: false; readonly why: UnscoredReason };

/** Questions under way at once. */
export const JUDGE_CONCURRENCY = 4;

/** Failed requests in a row before no more are sent. */
const MOST_FAILURES = 3;

const LIMIT_REACHED: JudgeResult = { ok: false, why: { code: 'limit_reached' } };

/** Every request has a line in scores.jsonl before it is sent. */
export function judgeScorer(judge: Judge, outside: JudgeEdge): Scorer {
  const { declared } = judge;
  return { declared, score: (record, edge) => askAll(judge, record, { ...outside, ...edge }) };
}

async function askAll(judge: Judge, record: StoredRun, edge: JudgeEdge & ScoringEdge): Promise<string | null> {
  const { declared, question, mostUsd } = judge;
  const line = judgeLine(judge);
  const { by } = line;
  const written = writtenScores(record.scores);
  const append = (lines: readonly ScoreLine[]): void => edge.append(written.missing(lines));
  const { known, open } = judgeItems({ scorer: declared.name, by, record, written, isStored: edge.isStored });
  if (open.length === 0) {
    if (known.length > 0) append([line, ...known]);
    return null;
  }
  edge.starting();
  append([line, ...known]);
  const spend = new JudgeSpend(declared.name, record.scores);
  let failures = 0;
  let failure: string | null = null;
  let done = 0;

  const count = (line: RequestLine): void => {
    spend.count(line);
    edge.append([line]);
  };

  /** False, and nothing counted, if the request could exceed a limit. */
  const take = ({ key }: JudgeItem): boolean => {
    const { requests, usd } = declared.limits;
    if (requests !== null && spend.requests + 1 > requests) return false;
    if (usd !== null && wholeBillionths(spend.usd + (mostUsd ?? 0)) > usd) return false;
    count({ line: 'asked', scorer: declared.name, by, key, mostUsd });
    return true;
  };

  /** Null where it was interrupted. */
  const ask = async (item: JudgeItem): Promise<JudgeResult | null> => {
    const shown = await edge.show(item);
    if (!shown.ok) return edge.signal.aborted ? null : shown;
    const asked = judgeQuestion({ question, prompt: item.prompt.text, ...shown });
    for (let tries = 1; ; tries += 1) {
      if (edge.signal.aborted || failure !== null) return null;
      if (!take(item)) return LIMIT_REACHED;
      const reply = await edge.call(asked, () => take(item));
      const { key } = item;
      if (reply.usd !== null) count({ line: 'charged', scorer: declared.name, by, key, usd: reply.usd });
      if (!reply.ok) {
        if (edge.signal.aborted) return null;
        if (reply.why.code === 'limit_reached') return reply;
        failures += 1;
        if (failures >= MOST_FAILURES) failure = reply.message;
        return reply;
      }
      failures = 0;
      const chosen = readChoice(reply.text);
      if (chosen !== null) return { ok: true, chosen };
      if (tries === MOST_TRIES) return { ok: false, why: { code: 'bad_reply' } };
    }
  };

  const limit = pLimit(JUDGE_CONCURRENCY);
  await Promise.all(
    open.map((item) =>
      limit(async () => {
        if (edge.signal.aborted || failure !== null) return;
        const result = await ask(item);
        if (result === null) return;
        append(item.linesOf(result));
        done += 1;
        edge.progress(done, open.length);
      }),
    ),
  );
  return failure;
}

/** A reply that does not fit the schema is asked for once more. */
const MOST_TRIES = 2;
