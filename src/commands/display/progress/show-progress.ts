import { Writable } from 'node:stream';
import { textWidth } from '../../../kit/text-width.ts';
import { inCharactersOf } from '../../../report/paint.ts';
import { type Edge, printSentence, type TextSink } from '../../edge.ts';
import type { Progress } from './progress.ts';

export interface ProgressDisplay {
  /** Prints a line at once, above the block. */
  readonly say: (line: string) => void;
  readonly update: () => void;
  readonly stopping: () => void;
  readonly close: () => void;
}

/** The progress of a run or of a fleet. */
export type Followed = Pick<Progress, 'stopping' | 'block' | 'line'> & { readonly event: (nowMs: number) => object };

const REDRAW_EVERY_MS = 200;
const EVENT_EVERY_MS = 1000;
const LOG_EVERY_MS = 15_000;
const STOPPING_LOG_EVERY_MS = 1000;

/** Lines for the cursor below a block, and for the last message above it. */
const OTHER_LINES = 2;

/** Shows the progress while `use` runs, and its last line. From the first interrupt on, it says that it stops. */
export async function whileShown<T>(
  progress: Followed,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  edge: Edge,
  now: () => number,
  use: (display: ProgressDisplay) => Promise<T>,
): Promise<T> {
  const display = json
    ? showEvents(progress, edge, quiet, now)
    : quiet
      ? showNothing(progress)
      : await showProgress(progress, edge, now);
  edge.drain.addEventListener('abort', display.stopping);
  let used: T;
  try {
    used = await use(display);
  } finally {
    edge.drain.removeEventListener('abort', display.stopping);
    display.close();
  }
  if (!json && !quiet) edge.say(progress.line(now()));
  return used;
}

/** A block that is redrawn in place on a terminal; a line now and then elsewhere, in CI and without colour. */
export async function showProgress(
  progress: Followed,
  { err, env, onSuspension }: Pick<Edge, 'err' | 'env' | 'onSuspension'>,
  now: () => number,
): Promise<ProgressDisplay> {
  const isInPlace = err.interactive && err.colour && !isSet(env.CI);
  return isInPlace ? drawInPlace(progress, { err, onSuspension }, now) : logLines(progress, err, now);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

function showNothing(progress: Followed): ProgressDisplay {
  return { say: () => {}, update: () => {}, stopping: progress.stopping, close: () => {} };
}

/** A line of JSON once a second, after each part and at the end; messages go to standard error. */
function showEvents(
  progress: Followed,
  { out, err }: Pick<Edge, 'out' | 'err'>,
  quiet: boolean,
  now: () => number,
): ProgressDisplay {
  const update = () => out.write(`${JSON.stringify(progress.event(now()))}\n`);
  const timer = setInterval(update, EVENT_EVERY_MS);
  const say = (line: string) => {
    if (!quiet) printSentence(err, line);
  };
  return {
    say,
    update,
    stopping: () => {
      progress.stopping();
      say(progress.line(now()));
    },
    close: () => {
      clearInterval(timer);
      update();
    },
  };
}

function logLines(progress: Followed, sink: TextSink, now: () => number): ProgressDisplay {
  let last = '';
  const write = () => {
    last = progress.line(now());
    printSentence(sink, last);
  };
  let timer = setInterval(write, LOG_EVERY_MS);
  return {
    say: (line) => printSentence(sink, line),
    update: () => {},
    stopping: () => {
      clearInterval(timer);
      progress.stopping();
      write();
      timer = setInterval(() => {
        if (progress.line(now()) !== last) write();
      }, STOPPING_LOG_EVERY_MS);
    },
    close: () => clearInterval(timer),
  };
}

/** A sink as a terminal stream; its size is read before each frame, because it may change. */
class SinkStream extends Writable {
  readonly isTTY = true;
  readonly #sink: TextSink;

  constructor(sink: TextSink) {
    super({
      decodeStrings: false,
      write: (text, _encoding, done) => {
        sink.write(String(text));
        done();
      },
    });
    this.#sink = sink;
  }

  get columns(): number {
    return this.#sink.width;
  }

  get rows(): number {
    return this.#sink.height;
  }
}

const ERASE_ROW_ABOVE = '\u001b[1A\u001b[2K';

/** Extra rows of these lines if the terminal became narrower. */
function addedRows(lines: readonly string[], width: number): number {
  return lines.reduce((rows, line) => rows + Math.max(0, Math.ceil(textWidth(line) / width) - 1), 0);
}

async function drawInPlace(
  progress: Followed,
  { err: sink, onSuspension }: Pick<Edge, 'err' | 'onSuspension'>,
  now: () => number,
): Promise<ProgressDisplay> {
  // Loaded only here: most commands draw nothing.
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(new SinkStream(sink));
  let isSuspended = false;
  let drawn: readonly string[] = [];
  const draw = () => {
    if (isSuspended) return;
    const room = { width: sink.width - 1, lines: sink.height - OTHER_LINES };
    const further = addedRows(drawn, sink.width);
    if (further > 0) {
      sink.write(ERASE_ROW_ABOVE.repeat(further));
      update.clear();
    }
    drawn = progress.block(now(), room).map((line) => inCharactersOf(line, sink));
    update(drawn.join('\n'));
  };
  const timer = setInterval(draw, REDRAW_EVERY_MS);
  const erase = () => {
    drawn = [];
    update.clear();
    update.done();
  };
  const unsubscribe = onSuspension({
    before: () => {
      isSuspended = true;
      erase();
    },
    after: () => {
      isSuspended = false;
      draw();
    },
  });
  return {
    say: (line) => {
      draw();
      update.clear();
      printSentence(sink, line);
      draw();
    },
    update: draw,
    stopping: () => {
      progress.stopping();
      draw();
    },
    close: () => {
      clearInterval(timer);
      unsubscribe();
      erase();
    },
  };
}
