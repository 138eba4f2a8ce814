import type { TextSink } from './edge.ts';
import type { Progress } from './progress.ts';

/** Shows how far a run is until it is closed. */
export interface ProgressDisplay {
  readonly close: () => void;
}

const REDRAW_EVERY_MS = 200;
const LOG_EVERY_MS = 15_000;

/** On a terminal a block that is drawn again in place; elsewhere a line now and then. */
export function showProgress(progress: Progress, sink: TextSink, now: () => number): ProgressDisplay {
  if (!sink.interactive) {
    const timer = setInterval(() => sink.write(`${progress.line(now())}\n`), LOG_EVERY_MS);
    return { close: () => clearInterval(timer) };
  }
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
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}
