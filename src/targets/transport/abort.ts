/** An `AbortSignal`, or the lighter one of `createAbort`. */
export interface AbortNotice {
  readonly aborted: boolean;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
  readonly removeEventListener: (type: 'abort', listener: () => void) => void;
}

export interface Abort {
  readonly signal: AbortNotice;
  readonly abort: () => void;
}

/**
 * An `AbortController` without its cost: each call needs two, and many calls listen to one. Listeners are called once,
 * in order. A list instead of a Set, whose outgrown tables would keep every listening call in memory until the next
 * full collection (see `run/wire.ts`).
 */
export function createAbort(): Abort {
  const listeners: (() => void)[] = [];
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener: (_type, listener) => {
        if (!aborted && !listeners.includes(listener)) listeners.push(listener);
      },
      removeEventListener: (_type, listener) => {
        const at = listeners.indexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      },
    },
    abort: () => {
      if (aborted) return;
      aborted = true;
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift()) next();
    },
  };
}
