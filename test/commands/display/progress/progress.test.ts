import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import {
  createProgress,
  createSpend,
  type ShownSpend,
  spentWords,
} from '../../../../src/commands/display/progress/progress.ts';
import { showProgress } from '../../../../src/commands/display/progress/show-progress.ts';
import type { TrialCosts } from '../../../../src/plan/estimate.ts';
import type { Slice } from '../../../../src/plan/plan.ts';
import type { Trial } from '../../../../src/plan/trial.ts';
import { buildFailure, buildOk, buildTrial } from '../../../fixtures/stored-run-builder.ts';

/** A plan of so many takes of each variant, one after the other. */
function planOf(takes: Readonly<Record<string, number>>): Slice[] {
  const trials = Object.entries(takes).flatMap(([variant, count]) =>
    Array.from({ length: count }, (_, at) => buildTrial({ variant, repeat: at + 1 })),
  );
  return trials.map((trial, index) => ({ index, trials: [trial], pace: { mode: 'closed', concurrency: 1 } }));
}

function progressOf(takes: Readonly<Record<string, number>>, slices = planOf(takes)) {
  const unpriced = createSpend(() => 'no_price', null, []);
  const progress = createProgress(Object.keys(takes), { slices, concurrency: 1, mayEndEarly: false }, unpriced);
  return {
    ...progress,
    start: (trial: Partial<Trial>, atMs = 0) => progress.observe({ event: 'started', trial: buildTrial(trial) }, atMs),
    end: (trial: Partial<Trial>, atMs = 0) =>
      progress.observe({ event: 'ended', sample: buildOk(100, 'image', { trial }) }, atMs),
  };
}

describe('progress', () => {
  it('the progress display says how many are done and in flight, how fast, and what is left', () => {
    const progress = progressOf({ standard: 4, fast: 4 });
    expect(progress.line(0)).toBe('0 / 8 requests, 0 in flight');
    for (const repeat of [1, 2]) {
      progress.start({ repeat });
      progress.end({ repeat });
    }
    progress.start({ repeat: 3 });
    expect(progress.line(1000)).toMatch(/^2 \/ 8 requests, 1 in flight, \d+\.\d\d \/ s$/);
  });

  it('the progress display counts warm-ups among the requests only, and keeps the unit of its rate', () => {
    const warmup = { phase: 'warmup', seed: 99 } as const;
    const [first, ...others] = planOf({ standard: 40 });
    if (first === undefined) throw new Error('no slice');
    const progress = progressOf({ standard: 40 }, [{ ...first, trials: [buildTrial(warmup)] }, first, ...others]);
    progress.start(warmup);
    progress.end(warmup);
    const room = { width: 100, lines: 20 };
    expect(progress.block(4000, room)).toEqual([
      expect.stringMatching(/^1 \/ 41 requests, 0 in flight, \d+\.\d \/ min/),
      '  standard  0 / 40',
    ]);
    for (let repeat = 1; repeat <= 20; repeat += 1) {
      progress.start({ repeat }, 4000);
      progress.end({ repeat }, 4100);
    }
    expect(progress.block(5000, room)[0]).toMatch(/^21 \/ 41 requests, 0 in flight, \d+ \/ min/);
    expect(progress.block(5000, room)[1]).toMatch(/^ {2}standard +20 \/ 40 /);
  });

  it('the progress display shows failures, refusals and the median so far for each variant, cut to the width', () => {
    const progress = progressOf({ standard: 4, fast: 4 });
    progress.start({});
    const attempt = { attempt: 1, httpStatus: 429, waitMs: 10, atMs: 1 };
    progress.observe({ event: 'refused', trial: buildTrial(), attempt }, 0);
    progress.observe({ event: 'ended', sample: buildFailure('error') }, 0);
    progress.start({ repeat: 2 });
    progress.observe({ event: 'ended', sample: buildOk(250, 'image', { trial: { repeat: 2 } }) }, 0);
    const [, trouble, standard, fast] = progress.block(1000, { width: 200, lines: 20 });
    expect(trouble).toMatch(/^1 failure \(50\.0 %\), rate-limited 1 time/);
    expect(standard).toMatch(/^ {2}standard +2 \/ 4 +p50 250 ms +1 failure/);
    expect(fast).toMatch(/^ {2}fast +0 \/ 4$/);
    for (const line of progress.block(1000, { width: 30, lines: 20 })) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('the progress display tells long names apart that begin alike, and shows them whole where there is room', () => {
    const names = ['a-long-name-of-a-model-with-many-words-01', 'a-long-name-of-a-model-with-many-words-02'];
    const progress = progressOf(Object.fromEntries(names.map((name) => [name, 2])));
    const namesAt = (width: number) =>
      progress.block(0, { width, lines: 20 }).flatMap((line) => /^ {2}(\S+) +0 \/ 2$/.exec(line)?.[1] ?? []);
    expect(namesAt(100)).toEqual(names);
    expect(new Set(namesAt(60)).size).toBe(2);
    expect(new Set(namesAt(40)).size).toBe(2);
  });

  it('the progress display of more variants than lines shows the first that are not done, and counts the others', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m-${at}`, 2]));
    const progress = progressOf(many);
    for (const variant of Object.keys(many)) {
      progress.start({ variant });
      progress.end({ variant });
    }
    for (const variant of ['m-3', 'm-1']) progress.start({ variant, repeat: 2 });
    progress.end({ variant: 'm-1', repeat: 2 });
    const lines = progress.block(1000, { width: 80, lines: 10 });
    expect(lines).toHaveLength(6);
    expect(lines.slice(1)).toEqual([
      '  m-0  1 / 2  p50 100 ms',
      '  m-2  1 / 2  p50 100 ms',
      '  m-3  1 / 2  p50 100 ms  1 in flight',
      '  m-4  1 / 2  p50 100 ms',
      '  36 more: 1 done, 35 not yet',
    ]);
  });
});

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
  const progress = progressOf(Object.fromEntries(names.map((name) => [name, 1])));
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

const costOf: TrialCosts = ({ variant }) =>
  variant === 'unpriced' ? 'no_price' : { leastUsd: 0.2, mostUsd: 0.2, delivered: null };

function wordsOf({ soFar }: ShownSpend): string | null {
  const spent = soFar();
  return spent === null ? null : spentWords(spent);
}

describe('what a run has spent so far', () => {
  it('a run with a limit: shows both, with failures and what earlier processes spent', () => {
    const before = [{ trial: buildTrial({ variant: 'fast' }), attempts: 1, sample: null }];
    const spend = createSpend(costOf, 5, before);
    expect(wordsOf(spend)).toBe('$0.200 of $5.00 spent');
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' }, costUsd: 0.05 }));
    spend.add(buildFailure('timed_out', { trial: { variant: 'fast' } }));
    spend.add(buildFailure('cancelled', { trial: { variant: 'fast' }, attempts: 0 }));
    expect(wordsOf(spend)).toBe('$0.450 of $5.00 spent');
  });

  it('a run with a request of unknown cost: has spent at least the rest', () => {
    const spend = createSpend(costOf, null, []);
    spend.add(buildOk(100, 'a', { trial: { variant: 'unpriced' } }));
    expect(wordsOf(spend)).toBeNull();
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' } }));
    expect(wordsOf(spend)).toBe('at least $0.200 spent');
  });

  it('a run without a limit has spent nothing to show until a request has a price or its reply a cost', () => {
    const free: TrialCosts = ({ variant }) =>
      variant === 'unpriced' ? 'no_price' : { leastUsd: 0, mostUsd: 0, delivered: null };
    const spend = createSpend(free, null, []);
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' } }));
    spend.add(buildFailure('cancelled', { trial: { variant: 'unpriced' }, attempts: 0 }));
    expect(spend.soFar()).toBeNull();
    spend.add(buildOk(100, 'a', { trial: { variant: 'fast' }, costUsd: 0 }));
    expect(spend.soFar()).toEqual({ usd: 0, isPartial: false, limitUsd: null });
  });

  it('a run without a price has spent what its replies report, in whole billionths of a dollar', () => {
    const spend = createSpend(() => 'no_price', null, []);
    for (const costUsd of [0.1, 0.2]) spend.add(buildOk(100, 'a', { trial: { variant: 'unpriced' }, costUsd }));
    expect(spend.soFar()).toEqual({ usd: 0.3, isPartial: false, limitUsd: null });
  });
});
