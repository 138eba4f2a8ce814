/** What tells that something is to be aborted: an `AbortSignal`, or the lighter one of `createAbort`. */
export interface AbortNotice {
  readonly aborted: boolean;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
  readonly removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** Aborts once; what is told has no say in it. */
export interface Abort {
  readonly signal: AbortNotice;
  readonly abort: () => void;
}

/**
 * An `AbortController` without its cost: two are needed for each call, and many calls listen to one. Listeners are called
 * in the order in which they came, each once.
 */
export function createAbort(): Abort {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener: (_type, listener) => {
        if (!aborted) listeners.add(listener);
      },
      removeEventListener: (_type, listener) => {
        listeners.delete(listener);
      },
    },
    abort: () => {
      if (aborted) return;
      aborted = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
}
