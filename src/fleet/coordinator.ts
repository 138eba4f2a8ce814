import { setTimeout as pause } from 'node:timers/promises';
import type { RunTogether } from '../record/run.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import type { BeatTimes } from './beats.ts';
import type { CoordinatorChannel } from './channel.ts';
import type {
  Beat,
  BeatReply,
  FleetAnswer,
  FleetAsk,
  FleetShare,
  Hello,
  HelloReply,
  RefusedHello,
} from './messages.ts';
import { createRoll, type FleetWorker, nextToGo, type Roll } from './roll.ts';

export type FleetEvent =
  | { readonly event: 'joined'; readonly worker: FleetWorker; readonly workers: number }
  | { readonly event: 'refused'; readonly name: string; readonly reply: RefusedHello }
  /** `share`: null before the run begins. */
  | { readonly event: 'lost' | 'left'; readonly worker: FleetWorker; readonly share: FleetShare | null }
  /** The worker ended before the end of its share; `endsAll`: so do all workers. */
  | { readonly event: 'stopped'; readonly worker: FleetWorker; readonly reason: string; readonly endsAll: boolean }
  | { readonly event: 'slice'; readonly slice: number; readonly names: readonly string[] }
  | { readonly event: 'measured' }
  | { readonly event: 'handed_over'; readonly worker: FleetWorker; readonly folder: string };

export interface CoordinatorEdge {
  readonly channel: CoordinatorChannel;
  /** Tells this coordinator from others. */
  readonly fleet: string;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly times: BeatTimes;
  readonly drain: AbortSignal;
  readonly abort: AbortSignal;
  readonly observe: (event: FleetEvent) => void;
  /** Null: it may join. */
  readonly refuse: (hello: Hello, workers: readonly FleetWorker[]) => RefusedHello | null;
}

/** @param spreadsMs of each slice that began: from `go` to the answer of its last worker */
export function togetherOf(spreadsMs: readonly number[]): RunTogether {
  const sample = sortSample(spreadsMs);
  return { slices: sample.length, spreadMs: { p50: median(sample), most: sample.at(-1) ?? null } };
}

export interface RefusedOffer {
  readonly name: string;
  readonly code: Extract<FleetAnswer, { answer: 'refused' }>['code'] | 'lost';
}

/** Reasons that concern the service end the run of all workers. */
const SHARED_STOPS: ReadonlySet<string> = new Set(['no_credit', 'throttled', 'failures', 'unreachable']);

/** After this time without an answer, the message is sent again. */
const ASKS_AGAIN_AFTER_MS = 2000;

/** A piece of a file may be large, and the network slow. */
const READS_AGAIN_AFTER_MS = 30_000;

const LOOKS_EVERY_MS = 250;

/**
 * Tells workers slice by slice when to go. It sends no request of the suite, and deals no share twice. Whatever is lost
 * on the way is asked again; slices and shares are named, so a second message changes nothing.
 */
export class Coordinator {
  readonly #edge: CoordinatorEdge;
  readonly #roll: Roll;
  readonly #spreadsMs: number[] = [];
  /** Names of the workers whose end was observed. */
  readonly #ended = new Set<string>();
  readonly #lookTimer: NodeJS.Timeout;
  readonly #onDrain = () => this.#stopAll('drain');
  readonly #onAbort = () => this.#stopAll('abort');
  #places = Number.POSITIVE_INFINITY;
  /** Empty until the run begins. */
  #shares: ReadonlyMap<string, FleetShare> = new Map();
  #stopping: 'drain' | 'abort' | null = null;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(edge: CoordinatorEdge) {
    this.#edge = edge;
    this.#roll = createRoll(edge.times);
    edge.drain.addEventListener('abort', this.#onDrain);
    edge.abort.addEventListener('abort', this.#onAbort);
    edge.channel.onHello((hello) => this.#answerHello(hello));
    edge.channel.onBeat((name, beat) => this.#answerBeat(name, beat));
    this.#lookTimer = setInterval(() => this.#look(), LOOKS_EVERY_MS);
  }

  /** False: interrupted before so many workers have joined. */
  async gather(workers: number): Promise<boolean> {
    this.#places = workers;
    while (this.workers().length < workers && this.#stopping === null) await this.#nextChange();
    this.#places = 0;
    return this.#stopping === null;
  }

  workers(): readonly FleetWorker[] {
    return this.#roll.workers().filter(({ isHere }) => isHere);
  }

  /** Gives the workers that cannot take their share; empty: all have begun. */
  async begin(offers: ReadonlyMap<string, FleetShare>): Promise<readonly RefusedOffer[]> {
    const { fleet } = this.#edge;
    this.#shares = offers;
    const answers = await Promise.all(
      [...offers].map(async ([name, offer]): Promise<readonly RefusedOffer[]> => {
        const answer = await this.#ask(name, { ask: 'offer', fleet, ...offer });
        if (answer === null) return [{ name, code: 'lost' }];
        return answer.answer === 'refused' ? [{ name, code: answer.code }] : [];
      }),
    );
    const refused = answers.flat();
    if (refused.length > 0 || this.#stopping !== null) return refused;
    await Promise.all([...offers.keys()].map((name) => this.#ask(name, { ask: 'start', fleet })));
    return [];
  }

  /** Sends all slices in step, and gives their spreads. Resolves when the records of all workers left are complete. */
  async measure(): Promise<readonly number[]> {
    const { fleet, observe } = this.#edge;
    for (;;) {
      const held = this.#roll.held();
      if (held.every(({ is }) => is === 'measured')) break;
      const next = this.#stopping === null ? nextToGo(held) : null;
      if (next === null) await this.#nextChange();
      else void this.#sendGo(next.slice, next.names);
    }
    observe({ event: 'measured' });
    await Promise.all(this.#roll.held().map(({ name }) => this.#ask(name, { ask: 'examine', fleet })));
    while (this.#roll.held().some(({ name }) => this.#roll.find(name)?.state.at !== 'ended')) await this.#nextChange();
    return this.#spreadsMs;
  }

  /** Files of the worker's record, from the given number on. Null: it is lost. */
  async list(
    name: string,
    from: number,
    leaveMedia: boolean,
  ): Promise<Extract<FleetAnswer, { answer: 'files' }> | null> {
    const answer = await this.#ask(name, { ask: 'list', fleet: this.#edge.fleet, from, leaveMedia });
    return answer?.answer === 'files' ? answer : null;
  }

  /** A piece of a file of the worker's record, from the given byte on. Null: it is lost. */
  async read(name: string, file: string, from: number): Promise<Uint8Array | null> {
    const { channel, fleet } = this.#edge;
    return this.#untilAnswered(name, () =>
      channel.readPiece(name, { ask: 'read', fleet, name: file, from }, READS_AGAIN_AFTER_MS),
    );
  }

  async release(how: 'leave' | 'stop'): Promise<void> {
    const { channel, fleet } = this.#edge;
    const ask: FleetAsk = how === 'leave' ? { ask: 'leave', fleet } : { ask: 'stop', fleet, how: 'drain' };
    await Promise.all(this.#roll.held().map(({ name }) => channel.ask(name, ask, ASKS_AGAIN_AFTER_MS)));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#lookTimer);
    this.#edge.drain.removeEventListener('abort', this.#onDrain);
    this.#edge.abort.removeEventListener('abort', this.#onAbort);
  }

  #answerHello(hello: Hello): HelloReply {
    const { fleet, now, observe, refuse } = this.#edge;
    const workers = this.#roll.workers();
    const known = this.#roll.find(hello.name);
    if (known?.session === hello.session) return { answer: 'welcome', fleet };
    const refuseWith = (code: 'taken_name' | 'full') => ({ answer: 'refused', code, difference: null }) as const;
    let reply: RefusedHello | null;
    if (known !== null && this.#places > 0) reply = refuseWith('taken_name');
    else if (workers.length >= this.#places) reply = refuseWith('full');
    else reply = refuse(hello, workers);
    if (reply !== null) {
      observe({ event: 'refused', name: hello.name, reply });
      return reply;
    }
    this.#roll.add(hello, now());
    return { answer: 'welcome', fleet };
  }

  #answerBeat(name: string, beat: Beat): BeatReply | null {
    const { fleet, now, observe } = this.#edge;
    const known = this.#roll.find(name);
    if (known === null || known.session !== beat.session) return null;
    if (beat.fleet !== fleet) {
      this.#roll.remove(name);
      return null;
    }
    if (!this.#roll.hear(name, beat, now())) return null;
    const worker = this.#roll.find(name);
    if (worker !== null && !known.isHere) observe({ event: 'joined', worker, workers: this.workers().length });
    if (worker !== null) this.#noticeEnd(worker);
    this.#wake();
    return { fleet, stop: this.#stopping };
  }

  #noticeEnd(worker: FleetWorker): void {
    const { name, state } = worker;
    const { observe } = this.#edge;
    if (this.#ended.has(name)) return;
    const share = this.#shares.get(name) ?? null;
    if (state.at === 'left') {
      if (share === null) this.#roll.remove(name);
      else this.#ended.add(name);
      observe({ event: 'left', worker, share });
    }
    if ((state.at === 'measured' || state.at === 'ended') && state.stop !== 'finished') {
      this.#ended.add(name);
      const endsAll = SHARED_STOPS.has(state.stop);
      observe({ event: 'stopped', worker, reason: state.stop, endsAll });
      if (endsAll) this.#stopAll('drain');
    }
  }

  #look(): void {
    const { now, observe } = this.#edge;
    for (const worker of this.#roll.look(now(), this.#shares.size > 0)) {
      if (worker.isHere) observe({ event: 'lost', worker, share: this.#shares.get(worker.name) ?? null });
      this.#wake();
    }
  }

  #stopAll(how: 'drain' | 'abort'): void {
    const { channel, fleet } = this.#edge;
    if (this.#stopping === 'abort' || this.#stopping === how) return;
    this.#stopping = how;
    // Lost workers get it in the answer to their next beat.
    for (const { name } of this.#roll.held()) void channel.ask(name, { ask: 'stop', fleet, how }, ASKS_AGAIN_AFTER_MS);
    this.#wake();
  }

  async #sendGo(slice: number, names: readonly string[]): Promise<void> {
    const { fleet, now, observe } = this.#edge;
    this.#roll.tell(names, slice);
    observe({ event: 'slice', slice, names });
    const sentMs = now();
    const begun = await Promise.all(
      names.map(async (name) => {
        const answer = await this.#ask(name, { ask: 'go', fleet, slice });
        return answer?.answer === 'done' ? [now() - sentMs] : [];
      }),
    );
    this.#spreadsMs.push(Math.max(0, ...begun.flat()));
  }

  /** Null: the worker is lost. */
  #ask(name: string, ask: FleetAsk): Promise<FleetAnswer | null> {
    return this.#untilAnswered(name, () => this.#edge.channel.ask(name, ask, ASKS_AGAIN_AFTER_MS));
  }

  /** Asks until there is an answer. Null: the worker is lost. */
  async #untilAnswered<T>(name: string, ask: () => Promise<T | null>): Promise<T | null> {
    while (!this.#isClosed && this.#roll.held().some((held) => held.name === name)) {
      const reply = await ask();
      if (reply !== null) return reply;
      await pause(LOOKS_EVERY_MS);
    }
    return null;
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
