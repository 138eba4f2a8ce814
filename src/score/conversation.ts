import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Redact } from '../kit/redact.ts';
import type { UnscoredReason } from '../record/score.ts';
import type { CommandScorer } from '../suite/scorer.ts';
import type { Started } from './command/process-group.ts';
import { type Heard, type Program, startProgram } from './command/program.ts';
import {
  type Greeting,
  questionLine,
  readAnswer,
  readGreeting,
  type ScorerQuestion,
  type Values,
} from './command/protocol.ts';

/** Values of an output, or why there are none. */
export type Result =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly why: UnscoredReason };

/** The files of a question, for as long as it is asked. */
export interface QuestionFiles extends Pick<ScorerQuestion, 'media' | 'image' | 'original'> {
  readonly remove: () => void;
}

export type Showing =
  | { readonly ok: true; readonly shown: QuestionFiles }
  | { readonly ok: false; readonly why: UnscoredReason };

export interface ScorerItem {
  readonly question: Pick<ScorerQuestion, 'prompt' | 'expect' | 'kind'>;
  readonly show: () => Promise<Showing>;
}

export interface ConversationOptions extends Omit<Started, 'command'> {
  /** Replaces secrets in what the program writes to standard error. */
  readonly redact: Redact;
  /** Ends the program when it is aborted. */
  readonly signal: AbortSignal;
}

/** Ends in a row, by itself or killed, before a program is not started again. */
const MOST_DEATHS = 3;

/** Tries of an item whose program ends or takes too long. */
const MOST_TRIES = 2;

/** Bytes of standard error that are searched for secrets; a secret that begins before them is not found. */
const ERROR_BYTES = 16 * 1024;

/** Characters of standard error that are kept. */
const ERROR_LENGTH = 2048;

/** A program of the user, asked about one item after the other, and started again where it ends. */
export class Conversation<Item extends ScorerItem> {
  readonly #scorer: CommandScorer;
  readonly #options: ConversationOptions;
  #greeting: Greeting | null = null;
  #program: Program | null = null;
  #deaths = 0;
  #errors: Uint8Array = new Uint8Array();
  /** What it did wrong; may quote a line of it. */
  #fault = '';
  #isTold = false;

  constructor(scorer: CommandScorer, options: ConversationOptions) {
    this.#scorer = scorer;
    this.#options = options;
    options.signal.addEventListener('abort', this.#kill);
  }

  /** Starts the program. Null if that fails: then `answers` gives each item the reason. */
  async begin(): Promise<Greeting | null> {
    await this.#start();
    return this.#greeting;
  }

  /** Asks about one item after the other. Ends early if it is aborted. Ends the program. */
  async *answers(items: Iterable<Item>): AsyncGenerator<readonly [Item, Result]> {
    for (const item of items) {
      const showing: Showing | null = this.#isGivenUp ? null : await item.show();
      try {
        const result = showing?.ok === false ? showing : await this.#ask(item, showing?.shown ?? null);
        if (this.#aborted) return;
        yield [item, result];
      } finally {
        if (showing?.ok === true) showing.shown.remove();
      }
    }
    await this.#program?.finish();
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#kill);
    await this.#kill();
  }

  /** The end of what it last wrote to standard error, and what it did wrong; null unless it is not started again. */
  get failure(): string | null {
    return this.#isGivenUp && !this.#aborted ? this.#said : null;
  }

  get #isGivenUp(): boolean {
    return this.#deaths >= MOST_DEATHS;
  }

  get #said(): string {
    const errors = this.#options.redact(new TextDecoder().decode(this.#errors), ERROR_BYTES);
    return [errors, this.#fault]
      .filter((text) => text !== '')
      .join('; ')
      .slice(-ERROR_LENGTH);
  }

  get #aborted(): boolean {
    return this.#options.signal.aborted;
  }

  readonly #kill = async (): Promise<void> => {
    await this.#program?.kill();
  };

  async #start(): Promise<void> {
    const { folder, env } = this.#options;
    const { command, timeoutMs } = this.#scorer;
    let isFirst = true;
    const program = startProgram({ command, folder, env }, (bytes) => {
      // What it wrote before it was started again is mostly the same.
      if (isFirst) this.#errors = new Uint8Array();
      isFirst = false;
      this.#keepErrors(bytes);
    });
    this.#program = program;
    const heard = await program.next(timeoutMs);
    const greeting = heard.is === 'line' ? readGreeting(heard.line) : null;
    if (greeting === null) {
      await this.#giveUp(noGreeting(heard));
    } else if (this.#greeting !== null && !isDeepStrictEqual(greeting, this.#greeting)) {
      await this.#giveUp('it has another version or weights after it was started again');
    } else this.#greeting = greeting;
  }

  async #ask(item: Item, shown: QuestionFiles | null): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      // A program that ended between two questions has lost none.
      if (this.#program?.hasEnded() === true) await this.#end();
      if (this.#program === null && !this.#isGivenUp) await this.#start();
      if (this.#isGivenUp || shown === null) return this.#failed();
      const result = await this.#hear(item, shown);
      const isLost = !result.ok && (result.why.code === 'died' || result.why.code === 'timed_out');
      if (!isLost || tries === MOST_TRIES || this.#aborted) return result;
    }
  }

  async #hear(item: Item, { media, image, original }: QuestionFiles): Promise<Result> {
    const { timeoutMs, gives } = this.#scorer;
    // Not to be guessed: a program cannot answer before it is asked.
    const id = randomUUID();
    const line = questionLine({ id, ...item.question, media, image, ...(original === undefined ? {} : { original }) });
    if (line === null) return { ok: false, why: { code: 'line_too_long' } };
    this.#program?.send(line);
    const heard = (await this.#program?.next(timeoutMs)) ?? ({ is: 'ended' } as const);
    if (heard.is === 'line') {
      const answer = readAnswer(heard.line, id, gives);
      if (answer.is === 'wrong') return this.#misbehaved(answer.how);
      this.#deaths = 0;
      return answer.is === 'values' ? { ok: true, values: answer.values } : { ok: false, why: answer.why };
    }
    if (heard.is === 'too_long') return this.#misbehaved('it wrote a line longer than 1 MiB');
    this.#deaths += 1;
    await this.#end();
    return { ok: false, why: heard.is === 'timed_out' ? { code: 'timed_out', limitMs: timeoutMs } : { code: 'died' } };
  }

  async #misbehaved(how: string): Promise<Result> {
    await this.#giveUp(how);
    return this.#failed();
  }

  async #giveUp(how: string): Promise<void> {
    this.#deaths = MOST_DEATHS;
    await this.#end();
    this.#fault = this.#options.redact(how);
  }

  async #end(): Promise<void> {
    await this.#program?.kill();
    this.#program = null;
  }

  /** Only the first reason has what the program wrote. */
  #failed(): Result {
    const stderr = this.#isTold ? {} : { stderr: this.#said };
    this.#isTold = true;
    return { ok: false, why: { code: 'command_failed', ...stderr } };
  }

  #keepErrors(bytes: Uint8Array): void {
    this.#errors = Buffer.concat([this.#errors, bytes]).subarray(-ERROR_BYTES);
  }
}

function noGreeting(heard: Heard): string {
  if (heard.is === 'not_started') return heard.why;
  if (heard.is === 'timed_out') return 'it did not write its first line in time';
  return `its first line must be {"retake": 1}${heard.is === 'line' ? `: ${heard.line}` : ''}`;
}
