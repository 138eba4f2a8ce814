import { Writable } from 'node:stream';
import type { Edge, TextSink } from '../edge.ts';
import type { Progress } from './progress.ts';

/** Shows how far a run is until it is closed. */
export interface ProgressDisplay {
  /** Says a line at once, above what is drawn in place. */
  readonly say: (line: string) => void;
  /** The run is stopping: shows what it waits for, as it becomes less. */
  readonly stopping: () => void;
  readonly close: () => void;
}

const REDRAW_EVERY_MS = 200;
const LOG_EVERY_MS = 15_000;
const STOPPING_LOG_EVERY_MS = 1000;

/** Below a block, where the cursor is, and above it, so that what was said last can be read. */
const OTHER_LINES = 2;

/** On a terminal a block that is drawn again in place; elsewhere, in CI and without colour a line now and then. */
export async function showProgress(
  progress: Progress,
  { err, env }: Pick<Edge, 'err' | 'env'>,
  now: () => number,
): Promise<ProgressDisplay> {
  const isInPlace = err.interactive && err.colour && !isSet(env.CI);
  return isInPlace ? drawInPlace(progress, err, now) : logLines(progress, err, now);
}

/** Whether a variable of CI services says yes. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** Where no progress is shown: what is said at once, and nothing at all where it is to be quiet. */
export function showNothing(progress: Progress, sink: TextSink, quiet: boolean, now: () => number): ProgressDisplay {
  const say = (line: string) => {
    if (!quiet) sink.write(`${line}\n`);
  };
  const stopping = () => {
    progress.stopping();
    say(progress.line(now()));
  };
  return { say, stopping, close: () => {} };
}

function logLines(progress: Progress, sink: TextSink, now: () => number): ProgressDisplay {
  let last = '';
  const write = () => {
    last = progress.line(now());
    sink.write(`${last}\n`);
  };
  let timer = setInterval(write, LOG_EVERY_MS);
  return {
    say: (line) => sink.write(`${line}\n`),
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

/** A sink as a stream of a terminal, whose size is looked up before each frame: it may change. */
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

async function drawInPlace(progress: Progress, sink: TextSink, now: () => number): Promise<ProgressDisplay> {
  // Loaded now: most commands draw nothing.
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(new SinkStream(sink));
  const draw = () => {
    const room = { width: sink.width - 1, lines: sink.height - OTHER_LINES };
    update(progress.block(now(), room).join('\n'));
  };
  const timer = setInterval(draw, REDRAW_EVERY_MS);
  return {
    say: (line) => {
      update.clear();
      sink.write(`${line}\n`);
      draw();
    },
    stopping: () => {
      progress.stopping();
      draw();
    },
    close: () => {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}
