import type { RequestLine, ScoreLine } from '../model/score.ts';
import { isRequest } from '../outputs/score-key.ts';
import { wholeBillionths } from './charge.ts';

/** What the requests to a judge may have cost: each counts at its most, until its reply says what it cost. */
export class JudgeSpend {
  requests = 0;
  /** In US dollars, of the requests whose cost is known. */
  usd = 0;
  /** How many have an unknown cost. */
  unknown = 0;
  /** The most of the last request with a key. */
  readonly #open = new Map<string, number | null>();

  /** @param lines of a record, in their order */
  constructor(scorer: string, lines: readonly ScoreLine[]) {
    for (const line of lines) if (isRequest(line) && line.scorer === scorer) this.count(line);
  }

  count(line: RequestLine): void {
    const isAsked = line.line === 'asked';
    const most = isAsked ? line.mostUsd : this.#open.get(line.key);
    if (isAsked) this.requests += 1;
    if (most === undefined) return;
    if (isAsked) this.#open.set(line.key, most);
    else this.#open.delete(line.key);
    if (most === null) this.unknown += isAsked ? 1 : -1;
    this.usd = wholeBillionths(this.usd + (isAsked ? (most ?? 0) : line.usd - (most ?? 0)));
  }
}
