import { setTimeout as pause } from 'node:timers/promises';
import type { RunTogether } from '../record/run.ts';
import { median, sortSample } from '../statistics/quantile.ts';
import { nextToGo } from './barrier.ts';
import type { BeatTimes } from './beats.ts';
import type { CoordinatorChannel } from './channel.ts';
import type { FleetAnswer, FleetAsk, FleetShare, Hello, HelloReply, RefusedHello } from './messages.ts';
import { createRoll, type FleetWorker } from './roll.ts';

export type FleetEvent =
  | { readonly event: 'joined'; readonly worker: FleetWorker; readonly workers: number }
  | { readonly event: 'refused'; readonly name: string; readonly reply: RefusedHello }
  /** `share`: null before the run began. */
  | { readonly event: 'lost' | 'left'; readonly worker: FleetWorker; readonly share: FleetShare | null }
  /** Why measuring of it ended before the end of its share, and whether this ends the run of all. */
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
  /** Which vantage sends a slice first. */
  readonly orderOf: (slice: number) => readonly (string | null)[];
}

/** A slice that began, and how long it took from `go` to the answer of the last of its workers. */
export interface Begun {
  readonly names: readonly string[];
  readonly spreadMs: number;
}

/** @param names of the workers of one run */
export function togetherOf(begun: readonly Begun[], names: readonly string[]): RunTogether {
  const own = begun.filter((each) => each.names.some((name) => names.includes(name)));
  const sample = sortSample(own.map(({ spreadMs }) => spreadMs));
  return { slices: own.length, spreadMs: { p50: median(sample), most: sample.at(-1) ?? null } };
}

export interface Coordinator {
  /** Resolves when so many workers have joined; false: interrupted before. */
  readonly gather: (workers: number) => Promise<boolean>;
  readonly workers: () => readonly FleetWorker[];
  /** Gives the workers that cannot take their share; empty: all have begun. */
  readonly begin: (offers: ReadonlyMap<string, FleetShare>) => Promise<readonly RefusedOffer[]>;
  /** Sends all slices, in step, and resolves when the records of all who are left are whole. */
  readonly measure: () => Promise<readonly Begun[]>;
  readonly list: (
    name: string,
    from: number,
    leaveMedia: boolean,
  ) => Promise<Extract<FleetAnswer, { answer: 'files' }> | null>;
  /** Null: it is lost. */
  readonly read: (name: string, file: string, from: number) => Promise<Uint8Array | null>;
  readonly release: (how: 'leave' | 'stop') => Promise<void>;
  readonly close: () => void;
}

export interface RefusedOffer {
  readonly name: string;
  readonly code: Extract<FleetAnswer, { answer: 'refused' }>['code'] | 'lost';
}

/** These concern the service, so they end the run of all workers. */
const SHARED_STOPS: ReadonlySet<string> = new Set(['no_credit', 'throttled', 'failures', 'unreachable']);

/** An answer that does not come within this time is asked for again. */
const ASKS_AGAIN_AFTER_MS = 2000;

/** A piece of a file may be large, and the way slow. */
const READS_AGAIN_AFTER_MS = 30_000;

const LOOKS_EVERY_MS = 250;

/**
 * Tells workers slice by slice when to go. It sends no request of the suite, and deals no share twice. Whatever is lost
 * on the way is asked again; slices and shares are named, so a second message changes nothing.
 */
export function createCoordinator(edge: CoordinatorEdge): Coordinator {
  const { channel, fleet, now, times, observe } = edge;
  const roll = createRoll(times);
  const changes = createChanges();
  let places = Number.POSITIVE_INFINITY;
  /** Empty until the run begins. */
  let shares: ReadonlyMap<string, FleetShare> = new Map();
  let stopping: 'drain' | 'abort' | null = null;
  const slices: Begun[] = [];
  const told = new Set<string>();

  const stopAll = (how: 'drain' | 'abort'): void => {
    if (stopping === 'abort' || stopping === how) return;
    stopping = how;
    // Lost ones hear it in the answer to their next beat.
    for (const { name } of roll.held()) void channel.ask(name, { ask: 'stop', fleet, how }, ASKS_AGAIN_AFTER_MS);
    changes.tell();
  };
  const onDrain = () => stopAll('drain');
  const onAbort = () => stopAll('abort');
  edge.drain.addEventListener('abort', onDrain);
  edge.abort.addEventListener('abort', onAbort);

  channel.onHello((hello): HelloReply => {
    const refuse = (reply: RefusedHello): HelloReply => {
      observe({ event: 'refused', name: hello.name, reply });
      return reply;
    };
    const known = roll.find(hello.name);
    if (known?.session === hello.session) return { answer: 'welcome', fleet };
    if (known !== null && places > 0) return refuse({ answer: 'refused', code: 'taken_name', difference: null });
    if (roll.workers().length >= places) return refuse({ answer: 'refused', code: 'full', difference: null });
    const refused = edge.refuse(hello, roll.workers());
    if (refused !== null) return refuse(refused);
    roll.add(hello, now());
    return { answer: 'welcome', fleet };
  });
  const joined = (): readonly FleetWorker[] => roll.workers().filter(({ isHere }) => isHere);
  channel.onBeat((name, beat) => {
    const known = roll.find(name);
    if (known === null || known.session !== beat.session) return null;
    if (beat.fleet !== fleet) {
      roll.remove(name);
      return null;
    }
    if (!roll.hear(name, beat, now())) return null;
    const worker = roll.find(name);
    if (worker !== null && !known.isHere) observe({ event: 'joined', worker, workers: joined().length });
    if (worker !== null) notice(worker);
    changes.tell();
    return { fleet, stop: stopping };
  });
  const notice = (worker: FleetWorker): void => {
    const { name, state } = worker;
    if (told.has(name)) return;
    const share = shares.get(name) ?? null;
    if (state.at === 'left') {
      if (share === null) roll.remove(name);
      else told.add(name);
      observe({ event: 'left', worker, share });
    }
    if ((state.at === 'measured' || state.at === 'ended') && state.stop !== 'finished') {
      told.add(name);
      const endsAll = SHARED_STOPS.has(state.stop);
      observe({ event: 'stopped', worker, reason: state.stop, endsAll });
      if (endsAll) stopAll('drain');
    }
  };
  const looks = setInterval(() => {
    for (const worker of roll.look(now(), shares.size > 0)) {
      if (worker.isHere) observe({ event: 'lost', worker, share: shares.get(worker.name) ?? null });
      changes.tell();
    }
  }, LOOKS_EVERY_MS);

  let isClosed = false;
  const isHeld = (name: string): boolean => !isClosed && roll.held().some((each) => each.name === name);
  /** Asks until it is answered, or the worker is lost; then null. That nobody listens is said at once. */
  const ask = async (name: string, what: FleetAsk): Promise<FleetAnswer | null> => {
    while (isHeld(name)) {
      const reply = await channel.ask(name, what, ASKS_AGAIN_AFTER_MS);
      if (reply !== null) return reply;
      await pause(LOOKS_EVERY_MS);
    }
    return null;
  };

  const sendGo = async (slice: number, names: readonly string[]): Promise<void> => {
    roll.tell(names, slice);
    observe({ event: 'slice', slice, names });
    const sentMs = now();
    const begun = await Promise.all(
      names.map(async (name) => {
        const answer = await ask(name, { ask: 'go', fleet, slice });
        return answer?.answer === 'done' ? [now() - sentMs] : [];
      }),
    );
    slices.push({ names, spreadMs: Math.max(0, ...begun.flat()) });
  };

  return {
    gather: async (workers) => {
      places = workers;
      while (joined().length < workers && stopping === null) await changes.next();
      places = 0;
      return stopping === null;
    },
    workers: joined,
    begin: async (offers) => {
      shares = offers;
      const answers = await Promise.all(
        [...offers].map(async ([name, offer]): Promise<readonly RefusedOffer[]> => {
          const answer = await ask(name, { ask: 'offer', fleet, ...offer });
          if (answer === null) return [{ name, code: 'lost' }];
          return answer.answer === 'refused' ? [{ name, code: answer.code }] : [];
        }),
      );
      const refused = answers.flat();
      if (refused.length > 0 || stopping !== null) return refused;
      await Promise.all([...offers.keys()].map((name) => ask(name, { ask: 'start', fleet })));
      return [];
    },
    measure: async () => {
      for (;;) {
        const held = roll.held();
        if (held.every(({ is }) => is === 'measured')) break;
        const next = stopping === null ? nextToGo(held, edge.orderOf) : null;
        if (next === null) await changes.next();
        else void sendGo(next.slice, next.names);
      }
      observe({ event: 'measured' });
      await Promise.all(roll.held().map(({ name }) => ask(name, { ask: 'examine', fleet })));
      while (roll.held().some(({ name }) => roll.find(name)?.state.at !== 'ended')) await changes.next();
      return slices;
    },
    list: async (name, from, leaveMedia) => {
      const answer = await ask(name, { ask: 'list', fleet, from, leaveMedia });
      return answer?.answer === 'files' ? answer : null;
    },
    read: async (name, file, from) => {
      while (isHeld(name)) {
        const piece = await channel.readPiece(name, { ask: 'read', fleet, name: file, from }, READS_AGAIN_AFTER_MS);
        if (piece !== null) return piece;
        await pause(LOOKS_EVERY_MS);
      }
      return null;
    },
    release: async (how) => {
      const what: FleetAsk = how === 'leave' ? { ask: 'leave', fleet } : { ask: 'stop', fleet, how: 'drain' };
      await Promise.all(roll.held().map(({ name }) => channel.ask(name, what, ASKS_AGAIN_AFTER_MS)));
    },
    close: () => {
      isClosed = true;
      clearInterval(looks);
      edge.drain.removeEventListener('abort', onDrain);
      edge.abort.removeEventListener('abort', onAbort);
    },
  };
}

interface Changes {
  readonly tell: () => void;
  readonly next: () => Promise<void>;
}

function createChanges(): Changes {
  let waiting: (() => void)[] = [];
  return {
    tell: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
