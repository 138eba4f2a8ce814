import xterm from '@xterm/headless';
import { expect, it } from 'vitest';
import { createProgress } from '../../../../src/commands/display/progress/progress.ts';
import { showProgress } from '../../../../src/commands/display/progress/show-progress.ts';
import { createSpend } from '../../../../src/commands/display/progress/spend.ts';
import { buildTrial } from '../../../fixtures/stored-run-builder.ts';

const ROWS = 16;

/** Progress of three variants in a terminal emulator that breaks lines again when its width changes. */
async function drawnAt(columns: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows: ROWS, allowProposedApi: true, convertEol: true });
  const err = {
    write: (text: string) => terminal.write(text),
    interactive: true,
    colour: true,
    get width() {
      return terminal.cols;
    },
    height: ROWS,
  };
  const names = ['standard', 'fast', 'fast-lcm'].map((name) => `${name}-of-a-provider-with-a-long-name`);
  const slices = names.map((variant, index) => ({
    index,
    trials: [buildTrial({ variant })],
    pace: { mode: 'closed', concurrency: 1 } as const,
  }));
  const progress = createProgress(
    names,
    { slices, concurrency: 1, mayEndEarly: false },
    createSpend(() => 'no_price', null, []),
  );
  const display = await showProgress(progress, { err, env: {}, onSuspension: () => () => {} }, () => 0);
  display.say('what was said before');
  const shown = async (): Promise<readonly string[]> => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    const lines = Array.from({ length: terminal.buffer.active.length }, (_, at) => terminal.buffer.active.getLine(at));
    return lines.map((line) => line?.translateToString(true) ?? '').filter((line) => line !== '');
  };
  return { terminal, display, shown };
}

it.each([40, 24])(
  'progress in a terminal that becomes %i columns wide leaves no line of what was drawn before',
  async (columns) => {
    const { terminal, display, shown } = await drawnAt(100);
    display.update();
    expect(await shown()).toHaveLength(5);
    terminal.resize(columns, ROWS);
    display.update();
    const lines = await shown();
    expect(lines).toHaveLength(5);
    expect(lines.map((line) => line.trim().slice(0, 5))).toEqual(['what ', '0 / 3', 'stand', 'fast-', 'fast-']);
    display.close();
    expect(await shown()).toEqual(['what was said before']);
  },
);
