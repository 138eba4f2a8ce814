import { resolve } from 'node:path';
import { type Edge, EXIT, type ExitCode, printSentence } from '../../workflow/edge.ts';
import { describeCalibration, unfitness } from '../display/calibration.ts';

interface CalibrateArguments {
  readonly out: string;
  readonly json: boolean;
}

/** `retake calibrate`: what this machine adds to latencies, and the smallest difference it can resolve. */
export async function calibrateCommand({ out, json }: CalibrateArguments, edge: Edge): Promise<ExitCode> {
  const calibration = await edge.calibrate('full', resolve(edge.cwd, out), edge.drain);
  if (calibration === null) {
    printSentence(edge.err, 'interrupted: the machine was not calibrated');
    return EXIT.incomplete;
  }
  edge.out.write(json ? `${JSON.stringify(calibration)}\n` : describeCalibration(calibration, edge.out.width));
  if (!json) for (const sentence of unfitness(calibration)) printSentence(edge.err, sentence);
  return EXIT.ok;
}
