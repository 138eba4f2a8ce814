import { clopperPearson } from '../../../src/statistics/rate-interval.ts';
import type { Bar, Counted, Setting } from './settings.ts';
import type { Tally } from './simulate-setting.ts';

/** A setting with what came of its runs. */
export interface Simulated {
  readonly setting: Setting;
  readonly tally: Tally;
}

/** A Markdown table: shares in percent, each with its Monte Carlo error (95 %), beside the bars. */
export function tableOf(simulated: readonly Simulated[]): string {
  const shown: Columns = {
    // Only where runs end early is this no constant.
    sent: simulated.some(({ setting }) => setting.part === 'looks'),
    // Only a judge has one.
    control: simulated.some(({ setting }) => setting.part === 'judges'),
    covered: simulated.some(({ setting }) => setting.truth !== null),
  };
  const rows = simulated.map((each) => rowOf(each, shown));
  return markdownTable(headOf(shown), rows);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Columns that not every table has. */
interface Columns {
  readonly sent: boolean;
  readonly control: boolean;
  readonly covered: boolean;
}

function headOf({ sent, control, covered }: Columns): readonly string[] {
  const more = [
    ...(sent ? ['takes sent'] : []),
    ...(control ? ['its control fails'] : []),
    ...(covered ? ['interval contains it'] : []),
  ];
  return ['setting', 'change', 'fails', 'passes', 'undecided', ...more, 'bar', 'standing'];
}

function rowOf({ setting, tally }: Simulated, { sent, control, covered }: Columns): readonly string[] {
  const { what, change, truth, bars } = setting;
  return [
    what,
    change,
    ...(['fail', 'pass', 'inconclusive'] as const).map((counted) => shareOf(tally[counted], tally.runs)),
    ...(sent ? [meanSent(tally)] : []),
    ...(control ? [shareOf(tally.controlFailed, tally.runs)] : []),
    ...(covered ? [truth === null ? '' : shareOf(tally.covered, tally.runs)] : []),
    COUNTED.flatMap((counted) => wordsOf(counted, bars[counted])).join(', '),
    standing(setting, tally),
  ];
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
