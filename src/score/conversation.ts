import { randomUUID } from 'node:crypto';
import type { Redact } from '../kit/redact.ts';
import type { UnscoredReason } from '../record/score.ts';
import type { CommandScorer } from '../suite/scorer.ts';
import type { Started } from './command/process-group.ts';
import { type Heard, type Program, startProgram } from './command/program.ts';
import {
  type Greeting,
  type ProgramAnswer,
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
  readonly #asked = new Map<string, Item>();
  #greeting: Greeting | null = null;
  #program: Program | null = null;
  #deaths = 0;
  #repeated = 0;
  #errors: Uint8Array = new Uint8Array();
  /** Why the program could not be started, until an item has this reason. */
  #unsaid: UnscoredReason | null = null;
  #hasFailed = false;

  constructor(scorer: CommandScorer, options: ConversationOptions) {
    this.#scorer = scorer;
    this.#options = options;
    options.signal.addEventListener('abort', this.#kill);
  }

  /** Starts the program. Null if three attempts fail: then `answers` gives each item its reason. */
  async begin(): Promise<Greeting | null> {
    while (this.#program === null && this.#deaths < MOST_DEATHS && !this.#aborted) this.#unsaid = await this.#start();
    return this.#greeting;
  }

  /**
   * Asks about one item after the other. An item may come a second time: what comes later counts. Ends early if it is
   * aborted. Ends the program.
   */
  async *answers(items: Iterable<Item>): AsyncGenerator<readonly [Item, Result]> {
    for (const item of items) {
      if (this.#aborted) return;
      if (this.#deaths >= MOST_DEATHS) {
        yield [item, this.#giveUp()];
        continue;
      }
      const showing = await item.show();
      try {
        if (this.#aborted) return;
        if (showing.ok) yield* this.#ask(item, showing.shown);
        else yield [item, showing];
      } finally {
        if (showing.ok) showing.shown.remove();
      }
    }
    for (const line of (await this.#program?.finish()) ?? []) {
      const answer = this.#read(line, null);
      if (answer.is === 'repeated') yield* this.#takeBack(answer.id);
    }
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#kill);
    await this.#kill();
  }

  /** The end of what it last wrote to standard error, if it is not started again; null if all went well. */
  get failure(): string | null {
    return this.#deaths < MOST_DEATHS || this.#aborted ? null : this.#said;
  }

  get #said(): string {
    const text = new TextDecoder().decode(this.#errors);
    return this.#options.redact(text, ERROR_BYTES).slice(-ERROR_LENGTH);
  }

  get #aborted(): boolean {
    return this.#options.signal.aborted;
  }

  readonly #kill = async (): Promise<void> => {
    await this.#program?.kill();
  };

  /** Gives why it failed; null once the program runs. */
  async #start(): Promise<UnscoredReason | null> {
    const { folder, env } = this.#options;
    const { command } = this.#scorer;
    let isFirst = true;
    const program = startProgram({ command, folder, env }, (bytes) => {
      // What it wrote before it was started again is mostly the same.
      if (isFirst) this.#errors = new Uint8Array();
      isFirst = false;
      this.#keepErrors(bytes);
    });
    this.#program = program;
    const heard = await program.next(this.#scorer.timeoutMs);
    if (heard.is === 'not_started') this.#errors = Buffer.from(heard.why);
    const greeting = heard.is === 'line' ? readGreeting(heard.line) : null;
    const isOther = this.#greeting !== null && !isSame(this.#greeting, greeting);
    if (greeting === null || isOther) return this.#lose(startFault(heard));
    this.#greeting = greeting;
    return null;
  }

  async *#ask(item: Item, shown: QuestionFiles): AsyncGenerator<readonly [Item, Result]> {
    for (let tries = 1; !this.#aborted; ) {
      if (this.#deaths >= MOST_DEATHS) {
        yield [item, this.#giveUp()];
        return;
      }
      // A program that ended between two questions has lost none.
      if (this.#program?.hasEnded() === true) await this.#end();
      let why = this.#program === null ? await this.#start() : null;
      if (why === null) {
        const heard = await this.#hear(item, shown);
        if (this.#aborted) return;
        if (heard.is === 'repeated') {
          yield* this.#takeBack(heard.id);
          await this.#lose({ code: 'answered_twice' });
          continue;
        }
        if (heard.is === 'values' || heard.inStep) {
          this.#deaths = 0;
          yield [item, heard.is === 'values' ? { ok: true, values: heard.values } : { ok: false, why: heard.why }];
          return;
        }
        why = await this.#lose(heard.why);
      }
      if (this.#aborted) return;
      const isLost = why.code === 'died' || why.code === 'timed_out' || why.code === 'no_first_line';
      if (!isLost || tries === MOST_TRIES) {
        yield [item, { ok: false, why }];
        return;
      }
      tries += 1;
    }
  }

  /** Not `inStep`: the program has to be started again. */
  async #hear(item: Item, shown: QuestionFiles): Promise<ProgramAnswer> {
    const { timeoutMs } = this.#scorer;
    // Not to be guessed: a program cannot answer before it is asked.
    const id = randomUUID();
    const { media, image, original } = shown;
    const line = questionLine({ id, ...item.question, media, image, ...(original === undefined ? {} : { original }) });
    if (line === null) return { is: 'unscored', why: { code: 'line_too_long' }, inStep: true };
    this.#asked.set(id, item);
    this.#program?.send(line);
    const heard = (await this.#program?.next(timeoutMs)) ?? ({ is: 'ended' } as const);
    return heard.is === 'line'
      ? this.#read(heard.line, id)
      : { is: 'unscored', why: lossOf(heard, timeoutMs), inStep: false };
  }

  #read(line: string, id: string | null): ProgramAnswer {
    return readAnswer(line, id, this.#scorer.gives, (askedId) => this.#asked.has(askedId));
  }

  /** Of two answers, it is unknown which one holds. */
  *#takeBack(id: string): Generator<readonly [Item, Result]> {
    const earlier = this.#asked.get(id);
    this.#repeated += 1;
    if (this.#repeated >= MOST_DEATHS) this.#deaths = MOST_DEATHS;
    if (earlier !== undefined) yield [earlier, { ok: false, why: { code: 'answered_twice' } }];
  }

  async #lose(why: UnscoredReason): Promise<UnscoredReason> {
    this.#deaths = why.code === 'command_failed' ? MOST_DEATHS : this.#deaths + 1;
    await this.#end();
    return why;
  }

  async #end(): Promise<void> {
    await this.#program?.kill();
    this.#program = null;
  }

  /** Only the first reason has what the program wrote. */
  #giveUp(): Result {
    const why = this.#unsaid;
    this.#unsaid = null;
    if (why !== null && why.code !== 'command_failed') return { ok: false, why };
    const stderr = this.#hasFailed ? null : this.#said;
    this.#hasFailed = true;
    return { ok: false, why: { code: 'command_failed', ...(stderr === null ? {} : { stderr }) } };
  }

  #keepErrors(bytes: Uint8Array): void {
    this.#errors = Buffer.concat([this.#errors, bytes]).subarray(-ERROR_BYTES);
  }
}

function isSame(a: Greeting, b: Greeting | null): boolean {
  return a.version === b?.version && a.weights === b.weights;
}

/** A program without a valid first line was not asked. */
function startFault(heard: Heard): UnscoredReason {
  return { code: heard.is === 'not_started' ? 'command_failed' : 'no_first_line' };
}

function lossOf(heard: Exclude<Heard, { readonly is: 'line' }>, limitMs: number): UnscoredReason {
  switch (heard.is) {
    case 'fault':
      return { code: heard.code };
    case 'ended':
      return { code: 'died' };
    case 'timed_out':
      return { code: 'timed_out', limitMs };
    case 'not_started':
      return { code: 'command_failed' };
  }
}
