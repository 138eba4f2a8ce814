import { setTimeout as pause } from 'node:timers/promises';
import type { FleetStop, Stop } from '../record/journal.ts';
import { type BeatTimes, isSilent } from './beats.ts';
import type { WorkerChannel } from './channel.ts';
import type { Beat, FleetAnswer, FleetAsk, FleetShare, Hello, RefusedHello, WorkerState } from './messages.ts';

/** What of this machine a coordinator asks for. */
export interface WorkerEdge {
  readonly channel: WorkerChannel;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly times: BeatTimes;
  /** Null: it can be measured here. */
  readonly refuseShare: (share: FleetShare) => 'taken_folder' | 'share' | null;
  /** Once the record is whole. */
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
  /** As the runner asks for it. */
  readonly before: (slice: number) => Promise<void>;
  readonly ended: Promise<FleetStop>;
  readonly count: (what: { readonly sent?: number; readonly failed?: number; readonly mostUsd?: number }) => void;
  /** Resolves when all have measured, or nobody is there to say so. An interrupted worker leaves at once. */
  readonly measured: (stop: Stop) => Promise<void>;
  /** Once it has measured: waits for nobody any more, and the record stays here. */
  readonly interrupt: () => void;
  /** Requests in flight are to be aborted. */
  readonly aborted: AbortSignal;
  /** Hands the record over. Gives whether the coordinator has it. */
  readonly handOver: (exitCode: number) => Promise<boolean>;
  readonly close: () => void;
}

/** How often it looks whether it is still answered. */
const LOOKS_EVERY_MS = 250;

const FILES_A_LIST = 400;

/**
 * The worker's side of a fleet: when its runner may send a slice, and how far it is. Nothing here is awaited between a
 * call and the journal. Whatever is asked twice changes nothing.
 */
export function createWorker(session: string, edge: WorkerEdge): WorkerSide {
  const { channel, now, times } = edge;
  let fleet: string | null = null;
  let offered: FleetShare | null = null;
  let answeredMs = now();
  let state: WorkerState = { at: 'waiting' };
  let release: (() => void) | null = null;
  const counts = { sent: 0, failed: 0, mostUsd: 0 };
  const started = gate<Joined>();
  const stopped = gate<FleetStop>();
  const allMeasured = gate<void>();
  const left = gate<boolean>();
  const abort = new AbortController();
  let number = 0;
  let listed: ReturnType<WorkerEdge['record']['list']> | null = null;

  const end = (why: FleetStop): void => {
    stopped.open(why);
    started.open({ ok: false, why: why.code });
    release?.();
    if (why.code === 'unanswered') {
      allMeasured.open();
      left.open(false);
    }
  };

  const beat = async (): Promise<void> => {
    if (fleet === null) return;
    const sentMs = now();
    number += 1;
    const said: Beat = { session, fleet, number, state, ...counts };
    const reply = await channel.beat(said, 2 * times.everyMs);
    if (reply?.fleet !== fleet) return;
    // When it was sent: the answer may have been on its way for long.
    answeredMs = Math.max(answeredMs, sentMs);
    if (reply.stop !== null) stop(reply.stop);
  };
  const become = (next: WorkerState): void => {
    state = next;
    void beat();
  };

  const hasLeft = (): boolean => state.at === 'left';

  const stop = (how: 'drain' | 'abort'): void => {
    if (how === 'abort') abort.abort();
    end({ code: 'told' });
  };

  const isUnanswered = (): boolean => fleet !== null && isSilent(answeredMs, now(), times);
  const look = (): void => {
    if (isUnanswered()) end({ code: 'unanswered' });
  };
  const beats = setInterval(() => void beat(), times.everyMs);
  const looks = setInterval(look, LOOKS_EVERY_MS);

  const answer = async (ask: FleetAsk): Promise<FleetAnswer | Uint8Array | null> => {
    // Not welcomed yet: the ask is for another process of this name.
    if (fleet === null) return null;
    if (ask.fleet !== fleet) return refusal('other_fleet');
    switch (ask.ask) {
      case 'offer': {
        const { run, index, of } = ask;
        const fault = edge.refuseShare({ run, index, of });
        if (fault !== null) return refusal(fault);
        offered ??= { run, index, of };
        return DONE;
      }
      case 'start':
        if (offered === null) return refusal('not_ready');
        started.open({ ok: true, share: offered });
        return DONE;
      case 'go':
        return go(ask.slice);
      case 'stop':
        stop(ask.how);
        return DONE;
      case 'examine':
        allMeasured.open();
        return DONE;
      case 'list': {
        if (state.at !== 'ended') return refusal('not_ready');
        // Once: hashing a large record takes longer than the coordinator waits before it asks again.
        listed ??= edge.record.list(ask.leaveMedia);
        const files = await listed.catch(() => null);
        if (files === null) return refusal('not_ready');
        return { answer: 'files', all: files.length, files: files.slice(ask.from, ask.from + FILES_A_LIST) };
      }
      case 'read':
        // A wrong name is answered with nothing, as is the end of a file.
        return state.at === 'ended' ? edge.record.read(ask.name, ask.from).catch(() => NOTHING) : NOTHING;
      case 'leave':
        left.open(true);
        return DONE;
    }
  };
  const go = (slice: number): FleetAnswer => {
    // A message may have waited while this process was stopped: the others have gone on without it.
    look();
    if (state.at === 'measuring' && state.slice === slice) return DONE;
    if (state.at !== 'ready' || state.slice !== slice || stopped.isOpen()) return refusal('not_ready');
    state = { at: 'measuring', slice };
    release?.();
    void beat();
    return DONE;
  };

  channel.onAsk(answer);
  return {
    join: async (hello, interrupted) => {
      interrupted.addEventListener('abort', () => {
        if (started.isOpen()) return;
        started.open({ ok: false, why: 'interrupted' });
        become({ at: 'left' });
      });
      while (!started.isOpen() && !interrupted.aborted) {
        const reply = await channel.hello({ ...hello, session }, times.everyMs);
        if (reply?.answer === 'refused') return { ok: false, why: 'refused', reply };
        if (reply?.answer === 'welcome') {
          fleet = reply.fleet;
          answeredMs = now();
          void beat();
          break;
        }
        await Promise.race([pause(times.everyMs), started.opened]);
      }
      if (interrupted.aborted) return { ok: false, why: 'interrupted' };
      return started.opened;
    },
    before: async (slice) => {
      if (stopped.isOpen()) return;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      become({ at: 'ready', slice });
      await released;
      release = null;
    },
    ended: stopped.opened,
    count: ({ sent = 0, failed = 0, mostUsd = 0 }) => {
      counts.sent += sent;
      counts.failed += failed;
      counts.mostUsd += mostUsd;
    },
    measured: async ({ reason }) => {
      if (reason === 'interrupted') return become({ at: 'left' });
      become({ at: 'measured', stop: reason });
      await allMeasured.opened;
      if (!hasLeft()) become({ at: 'examining', stop: reason });
    },
    interrupt: () => {
      if (state.at !== 'measured' && state.at !== 'examining' && state.at !== 'ended') return;
      become({ at: 'left' });
      allMeasured.open();
      left.open(false);
    },
    aborted: abort.signal,
    handOver: async (exitCode) => {
      if (state.at !== 'examining') return false;
      become({ at: 'ended', stop: state.stop, exitCode });
      return left.opened;
    },
    close: () => {
      // Ends what still joins.
      started.open({ ok: false, why: 'interrupted' });
      clearInterval(beats);
      clearInterval(looks);
    },
  };
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
