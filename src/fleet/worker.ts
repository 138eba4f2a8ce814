import { setTimeout as pause } from 'node:timers/promises';
import type { FleetStop, Stop } from '../record/journal.ts';
import { type BeatTimes, isSilent } from './beats.ts';
import type { WorkerChannel } from './channel.ts';
import type { Beat, FleetAnswer, FleetAsk, FleetShare, Hello, RefusedHello, WorkerState } from './messages.ts';

/** What a coordinator asks of this machine. */
export interface WorkerEdge {
  readonly channel: WorkerChannel;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly times: BeatTimes;
  /** Null: it can be measured here. */
  readonly refuseShare: (share: FleetShare) => 'taken_folder' | 'share' | null;
  /** Called once the record is complete. */
  readonly record: {
    readonly list: (leaveMedia: boolean) => Promise<ListedFiles>;
    readonly read: (name: string, from: number) => Promise<Uint8Array>;
  };
}

type ListedFiles = Extract<FleetAnswer, { readonly answer: 'files' }>['files'];

export type Joined =
  | { readonly ok: true; readonly share: FleetShare }
  | { readonly ok: false; readonly why: 'refused'; readonly reply: RefusedHello }
  /** The coordinator ended the run before it began, is gone, or this process was interrupted. */
  | { readonly ok: false; readonly why: 'told' | 'unanswered' | 'interrupted' };

export interface WorkerSide {
  /** Says hello until it is answered, and waits for a share and the start. */
  readonly join: (hello: Omit<Hello, 'session'>, interrupted: AbortSignal) => Promise<Joined>;
  /** Called by the runner. */
  readonly before: (slice: number) => Promise<void>;
  readonly ended: Promise<FleetStop>;
  readonly count: (what: { readonly sent?: number; readonly failed?: number; readonly mostUsd?: number }) => void;
  /** Resolves when all have measured, or nobody is there to say so. An interrupted worker leaves at once. */
  readonly measured: (stop: Stop) => Promise<void>;
  /** After measuring: waits for nobody any more, and the record stays here. */
  readonly interrupt: () => void;
  /** Requests in flight are to be aborted. */
  readonly aborted: AbortSignal;
  /** Gives whether the coordinator has the record. */
  readonly handOver: (exitCode: number) => Promise<boolean>;
  readonly close: () => void;
}

/** How often it checks whether beats are answered. */
const LOOKS_EVERY_MS = 250;

const FILES_A_LIST = 400;

/**
 * The worker's side of a fleet: when its runner may send a slice, and how far it is. Nothing here is awaited between a
 * call and the journal. Whatever is asked twice changes nothing.
 */
export function createWorker(session: string, edge: WorkerEdge): WorkerSide {
  return new Worker(session, edge);
}

class Worker implements WorkerSide {
  readonly #stopped = gate<FleetStop>();
  readonly #session: string;
  readonly #edge: WorkerEdge;
  readonly #counts = { sent: 0, failed: 0, mostUsd: 0 };
  readonly #started = gate<Joined>();
  readonly #allMeasured = gate<void>();
  readonly #left = gate<boolean>();
  readonly #abort = new AbortController();
  readonly ended = this.#stopped.opened;
  readonly aborted = this.#abort.signal;
  readonly #timers: readonly NodeJS.Timeout[];
  /** Id of the fleet; null until this worker is welcome. */
  #fleet: string | null = null;
  #offered: FleetShare | null = null;
  #answeredMs: number;
  #state: WorkerState = { at: 'waiting' };
  /** Lets the next slice begin. */
  #release: (() => void) | null = null;
  #beats = 0;
  #listed: ReturnType<WorkerEdge['record']['list']> | null = null;

  constructor(session: string, edge: WorkerEdge) {
    this.#session = session;
    this.#edge = edge;
    this.#answeredMs = edge.now();
    this.#timers = [
      setInterval(() => void this.#beat(), edge.times.everyMs),
      setInterval(() => this.#look(), LOOKS_EVERY_MS),
    ];
    edge.channel.onAsk((ask) => this.#answer(ask));
  }

  readonly join = async (hello: Omit<Hello, 'session'>, interrupted: AbortSignal): Promise<Joined> => {
    const { channel, now, times } = this.#edge;
    const started = this.#started;
    interrupted.addEventListener('abort', () => {
      if (started.isOpen()) return;
      started.open({ ok: false, why: 'interrupted' });
      this.#become({ at: 'left' });
    });
    while (!started.isOpen() && !interrupted.aborted) {
      const reply = await channel.hello({ ...hello, session: this.#session }, times.everyMs);
      if (reply?.answer === 'refused') return { ok: false, why: 'refused', reply };
      if (reply?.answer === 'welcome') {
        this.#fleet = reply.fleet;
        this.#answeredMs = now();
        void this.#beat();
        break;
      }
      await Promise.race([pause(times.everyMs), started.opened]);
    }
    if (interrupted.aborted) return { ok: false, why: 'interrupted' };
    return started.opened;
  };

  readonly before = async (slice: number): Promise<void> => {
    if (this.#stopped.isOpen()) return;
    const released = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    this.#become({ at: 'ready', slice });
    await released;
    this.#release = null;
  };

  readonly count = ({ sent = 0, failed = 0, mostUsd = 0 }: Parameters<WorkerSide['count']>[0]): void => {
    this.#counts.sent += sent;
    this.#counts.failed += failed;
    this.#counts.mostUsd += mostUsd;
  };

  readonly measured = async ({ reason }: Stop): Promise<void> => {
    if (reason === 'interrupted') return this.#become({ at: 'left' });
    this.#become({ at: 'measured', stop: reason });
    await this.#allMeasured.opened;
    if (!this.#hasLeft()) this.#become({ at: 'examining', stop: reason });
  };

  readonly interrupt = (): void => {
    const { at } = this.#state;
    if (at !== 'measured' && at !== 'examining' && at !== 'ended') return;
    this.#become({ at: 'left' });
    this.#allMeasured.open();
    this.#left.open(false);
  };

  readonly handOver = async (exitCode: number): Promise<boolean> => {
    if (this.#state.at !== 'examining') return false;
    this.#become({ at: 'ended', stop: this.#state.stop, exitCode });
    return this.#left.opened;
  };

  readonly close = (): void => {
    // Ends a pending `join`.
    this.#started.open({ ok: false, why: 'interrupted' });
    for (const timer of this.#timers) clearInterval(timer);
  };

  async #answer(ask: FleetAsk): Promise<FleetAnswer | Uint8Array | null> {
    // Before the welcome, the message is for another process of this name.
    if (this.#fleet === null) return null;
    if (ask.fleet !== this.#fleet) return refusal('other_fleet');
    switch (ask.ask) {
      case 'offer':
        return this.#take(ask);
      case 'start':
        if (this.#offered === null) return refusal('not_ready');
        this.#started.open({ ok: true, share: this.#offered });
        return DONE;
      case 'go':
        return this.#go(ask.slice);
      case 'stop':
        this.#stop(ask.how);
        return DONE;
      case 'examine':
        this.#allMeasured.open();
        return DONE;
      case 'list':
        return this.#list(ask);
      case 'read':
        // A wrong name is answered with nothing, as is the end of a file.
        if (this.#state.at !== 'ended') return NOTHING;
        return this.#edge.record.read(ask.name, ask.from).catch(() => NOTHING);
      case 'leave':
        this.#left.open(true);
        return DONE;
    }
  }

  #take({ run, index, of }: FleetShare): FleetAnswer {
    const fault = this.#edge.refuseShare({ run, index, of });
    if (fault !== null) return refusal(fault);
    this.#offered ??= { run, index, of };
    return DONE;
  }

  #go(slice: number): FleetAnswer {
    // A message may have waited while this process was suspended: the others have gone on without it.
    this.#look();
    const state = this.#state;
    if (state.at === 'measuring' && state.slice === slice) return DONE;
    if (state.at !== 'ready' || state.slice !== slice || this.#stopped.isOpen()) return refusal('not_ready');
    this.#state = { at: 'measuring', slice };
    this.#release?.();
    void this.#beat();
    return DONE;
  }

  async #list({ from, leaveMedia }: Extract<FleetAsk, { readonly ask: 'list' }>): Promise<FleetAnswer> {
    if (this.#state.at !== 'ended') return refusal('not_ready');
    // Once: hashing a large record takes longer than the coordinator waits before it asks again.
    this.#listed ??= this.#edge.record.list(leaveMedia);
    const files = await this.#listed.catch(() => null);
    if (files === null) return refusal('not_ready');
    return { answer: 'files', all: files.length, files: files.slice(from, from + FILES_A_LIST) };
  }

  #stop(how: 'drain' | 'abort'): void {
    if (how === 'abort') this.#abort.abort();
    this.#end({ code: 'told' });
  }

  #end(why: FleetStop): void {
    this.#stopped.open(why);
    this.#started.open({ ok: false, why: why.code });
    this.#release?.();
    if (why.code === 'unanswered') {
      this.#allMeasured.open();
      this.#left.open(false);
    }
  }

  async #beat(): Promise<void> {
    const fleet = this.#fleet;
    if (fleet === null) return;
    const { channel, now, times } = this.#edge;
    const sentMs = now();
    this.#beats += 1;
    const beat: Beat = { session: this.#session, fleet, number: this.#beats, state: this.#state, ...this.#counts };
    const reply = await channel.beat(beat, 2 * times.everyMs);
    if (reply?.fleet !== this.#fleet) return;
    // The time of sending: the answer may have been on its way for long.
    this.#answeredMs = Math.max(this.#answeredMs, sentMs);
    if (reply.stop !== null) this.#stop(reply.stop);
  }

  #become(next: WorkerState): void {
    this.#state = next;
    void this.#beat();
  }

  #hasLeft(): boolean {
    return this.#state.at === 'left';
  }

  #look(): void {
    const { now, times } = this.#edge;
    if (this.#fleet !== null && isSilent(this.#answeredMs, now(), times)) this.#end({ code: 'unanswered' });
  }
}

const DONE: FleetAnswer = { answer: 'done' };

const NOTHING = new Uint8Array();

function refusal(code: Extract<FleetAnswer, { readonly answer: 'refused' }>['code']): FleetAnswer {
  return { answer: 'refused', code };
}

interface Gate<T> {
  /** The first value counts. */
  readonly open: (value: T) => void;
  readonly isOpen: () => boolean;
  readonly opened: Promise<T>;
}

function gate<T>(): Gate<T> {
  let isOpen = false;
  let resolveOpened: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    resolveOpened = resolve;
  });
  return {
    open: (value) => {
      isOpen = true;
      resolveOpened(value);
    },
    isOpen: () => isOpen,
    opened,
  };
}
