import { SETTINGS } from './settings.ts';
import { simulateSetting } from './simulate-setting.ts';

/* A process that simulates the runs that it is sent, until it is disconnected. */

/** Runs of one setting, by their numbers. */
export interface Task {
  readonly setting: number;
  readonly from: number;
  readonly to: number;
}

process.on('message', ({ setting, from, to }: Task) => {
  const simulated = SETTINGS[setting];
  if (simulated === undefined) throw new Error(`there is no setting ${setting}`);
  process.send?.(simulateSetting(simulated, from, to));
});
