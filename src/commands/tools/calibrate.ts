import { resolve } from 'node:path';
import { unfitnessWords } from '../../analysis/incomplete.ts';
import { padded, textWidth, wrapped } from '../../kit/text-width.ts';
import { duration, significant } from '../../kit/wording.ts';
import type { Calibration, CalibrationMeasures, Spread } from '../../record/calibration.ts';
import { type Edge, EXIT, type ExitCode } from '../edge.ts';

interface CalibrateArguments {
  readonly out: string;
  readonly json: boolean;
}

/** `retake calibrate`: what this machine adds to latencies, and the smallest difference it can resolve. */
export async function calibrateCommand({ out, json }: CalibrateArguments, edge: Edge): Promise<ExitCode> {
  const calibration = await edge.calibrate('full', resolve(edge.cwd, out), edge.drain);
  if (calibration === null) {
    edge.say('interrupted: the machine was not calibrated');
    return EXIT.incomplete;
  }
  edge.out.write(json ? `${JSON.stringify(calibration)}\n` : describeCalibration(calibration, edge.out.width));
  if (!json) for (const sentence of unfitness(calibration)) edge.say(sentence);
  return EXIT.ok;
}

const ROWS: readonly (readonly [measure: keyof CalibrationMeasures, name: string, purpose: string])[] = [
  ['clockStep', 'clock step', 'smallest difference of two readings; part of the floor'],
  ['timerLateness', 'timer lateness', 'delay of polls and scheduled starts'],
  ['eventLoopDelay', 'event-loop delay, idle', 'delay of timestamps; part of the floor'],
  ['roundTrip', 'loopback round trip', 'HTTP without a service; part of the floor'],
  ['mediaRoundTrip', 'round trip, 1.5 MB', 'receiving an image; part of the floor'],
  ['sha256', 'SHA-256 of 1 MiB', 'the digest of an output'],
  ['store', 'store 64 KiB', 'storing an output in the record'],
  ['decodeImage', 'decode 1024 x 1024', 'examining an image, after the run'],
  ['decodeVideoFrame', 'decode a video frame', 'examining a frame of 512 x 512, after the run'],
  ['ssim', 'SSIM 1024 x 1024', 'comparing two images, after the run'],
];

const HEADS = ['median', 'p95', 'n'] as const;
const GAP = '  ';

export function describeCalibration(calibration: Calibration, width: number): string {
  const { measures, floorMs, tookMs } = calibration;
  const rows = ROWS.map(([measure, name, purpose]) => [name, ...numbersOf(measures[measure]), purpose]);
  const table = [['milliseconds', ...HEADS, 'what it is for'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => textWidth(row[column] ?? '')))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, isNumber(column) ? 'right' : 'left'))
      .join(GAP)
      .trimEnd(),
  );
  const floor =
    `Noise floor of this machine: ${duration(floorMs)}. Two takes that differ by less may differ because of this machine. ` +
    'It is the spread of round trips and of waking a sleeping thread (2.05 x interquartile range; on a busy machine 2.05 x p95), plus the clock step.';
  return `${[...lines, '', ...wrapped(floor, width), `Measured in ${duration(tookMs)}.`].join('\n')}\n`;
}

function isNumber(column: number): boolean {
  return column > 0 && column <= HEADS.length;
}

function numbersOf(spread: Spread | null): readonly [string, string, string] {
  if (spread === null) return ['–', '–', '0'];
  return [significant(spread.p50), spread.p95 === null ? '–' : significant(spread.p95), String(spread.n)];
}

export function unfitness({ unfit }: Pick<Calibration, 'unfit'>): readonly string[] {
  return unfit.map((reason) => {
    const { what, cause, remedy } = unfitnessWords(reason, 'now');
    return `warning: ${what}; ${cause}; ${remedy}`;
  });
}
