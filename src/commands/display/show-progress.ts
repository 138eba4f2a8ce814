import type { TextSink } from '../edge.ts';
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

/** On a terminal a block that is drawn again in place; elsewhere a line now and then. */
export function showProgress(progress: Progress, sink: TextSink, now: () => number): ProgressDisplay {
  return sink.interactive ? drawInPlace(progress, sink, now) : logLines(progress, sink, now);
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

function drawInPlace(progress: Progress, sink: TextSink, now: () => number): ProgressDisplay {
  let drawn = 0;
  const clear = () => {
    // Up to the block's first line, and away with everything below.
    if (drawn > 0) sink.write(`\u001b[${drawn}F\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    const lines = progress.block(now(), sink.width);
    clear();
    sink.write(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const timer = setInterval(draw, REDRAW_EVERY_MS);
  return {
    say: (line) => {
      clear();
      sink.write(`${line}\n`);
      draw();
    },
    stopping: () => {
      progress.stopping();
      draw();
    },
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}
