import type { RequestLine, ScoreLine } from '../model/score.ts';
import { isRequest } from '../outputs/score-key.ts';
import { wholeBillionths } from './charge.ts';

/** What the requests to a judge may have cost: each counts at its most, until its reply says what it cost. */
export class JudgeSpend {
  requests = 0;
  /** In US dollars; a request of unknown cost counts nothing. */
  usd = 0;
  #unknown = 0;
  /** The most of the last request with a key. */
  readonly #open = new Map<string, number | null>();

  /** @param lines of a record, in their order */
  constructor(scorer: string, lines: readonly ScoreLine[]) {
    for (const line of lines) if (isRequest(line) && line.scorer === scorer) this.count(line);
  }

  /** Whether the cost of each request is known. */
  get isKnown(): boolean {
    return this.#unknown === 0;
  }

  count(line: RequestLine): void {
    const most = this.#open.get(line.key);
    if (line.line === 'asked') {
      this.requests += 1;
      this.#open.set(line.key, line.mostUsd);
      this.#add(line.mostUsd, 1);
    } else if (most !== undefined) {
      this.#open.delete(line.key);
      this.#add(most, -1);
      this.#add(line.usd, 1);
    }
  }

  #add(usd: number | null, times: 1 | -1): void {
    if (usd === null) this.#unknown += times;
    else this.usd = wholeBillionths(this.usd + times * usd);
  }
}
