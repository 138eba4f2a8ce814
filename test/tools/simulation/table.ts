import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import type { Bar, Counted, Setting } from './settings.ts';
import type { Tally } from './simulate-setting.ts';

/** A setting with what came of its runs. */
export interface Simulated {
  readonly setting: Setting;
  readonly tally: Tally;
}

/** What a column is named, and what it says of a row. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string | number];

/** A Markdown table with a line for each row. */
export function markdownTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row)));
  return [columns.map(([head]) => head), columns.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** A Markdown table: shares in percent, each with its Monte Carlo error (95 %), beside the bars. */
export function tableOf(simulated: readonly Simulated[]): string {
  const onlyIf = (isShown: (setting: Setting) => boolean, column: Column<Simulated>) =>
    simulated.some(({ setting }) => isShown(setting)) ? [column] : [];
  const share =
    (counted: Counted) =>
    ({ tally }: Simulated) =>
      shareOf(tally[counted], tally.runs);
  return markdownTable(simulated, [
    ['setting', ({ setting }) => setting.what],
    ['change', ({ setting }) => setting.change],
    ['fails', share('fail')],
    ['passes', share('pass')],
    ['undecided', share('inconclusive')],
    // Only where runs end early is this no constant.
    ...onlyIf(({ part }) => part === 'looks', ['takes sent', ({ tally }) => meanSent(tally)]),
    // Only a judge has one.
    ...onlyIf(({ part }) => part === 'judges', ['its control fails', share('controlFailed')]),
    ...onlyIf(
      ({ truth }) => truth !== null,
      ['interval contains it', (row) => (row.setting.truth === null ? '' : share('covered')(row))],
    ),
    ['bar', ({ setting }) => COUNTED.flatMap((counted) => wordsOf(counted, setting.bars[counted])).join(', ')],
    ['standing', ({ setting, tally }) => standing(setting, tally)],
  ]);
}

const COUNTED: readonly Counted[] = ['fail', 'pass', 'inconclusive', 'controlFailed', 'covered'];

const WORDS = {
  fail: 'fails',
  pass: 'passes',
  inconclusive: 'undecided',
  controlFailed: 'control fails',
  covered: 'interval',
} as const;

function wordsOf(counted: Counted, bar: Bar | undefined): readonly string[] {
  if (bar === undefined) return [];
  const { atLeast, atMost } = bar;
  const range =
    atLeast === undefined
      ? `<= ${percent(atMost ?? 1)}`
      : atMost === undefined
        ? `>= ${percent(atLeast)}`
        : `${percent(atLeast)} to ${percent(atMost)}`;
  return [`${WORDS[counted]} ${range}`];
}

/** Whether the shares meet their bars; within the Monte Carlo error of one it is near. */
function standing({ bars }: Setting, tally: Tally): string {
  const found = COUNTED.flatMap((counted) => {
    const bar = bars[counted];
    if (bar === undefined) return [];
    const { atLeast = 0, atMost = 1 } = bar;
    const share = tally[counted] / tally.runs;
    if (share >= atLeast && share <= atMost) return ['met'];
    const { low, high } = clopperPearson(tally[counted], tally.runs, 0.95);
    return [high >= atLeast && low <= atMost ? `near: ${WORDS[counted]}` : `missed: ${WORDS[counted]}`];
  });
  const unmet = found.filter((each) => each !== 'met');
  return unmet.length > 0 ? unmet.join(', ') : (found[0] ?? '');
}

/** The mean number of takes that a run sent, in percent of those of a run that is decided once, with its 95 % error. */
function meanSent({ runs, sent, sentSquared }: Tally): string {
  const mean = sent / runs;
  const error = 1.96 * Math.sqrt(Math.max(0, sentSquared / runs - mean * mean) / runs);
  const whole = (share: number) => Math.round(100 * share);
  return `${whole(mean)} (${whole(mean - error)} to ${whole(mean + error)})`;
}

/** A share in percent with its Monte Carlo error (95 %). */
export function shareOf(count: number, runs: number): string {
  const { low, high } = clopperPearson(count, runs, 0.95);
  return `${percent(count / runs)} (${percent(low)} to ${percent(high)})`;
}

/** Two digits after the point below 1 % and above 99 %, else one. */
function percent(share: number): string {
  const digits = share < 0.01 || share > 0.99 ? 2 : 1;
  return String(Number((100 * share).toFixed(digits)));
}
