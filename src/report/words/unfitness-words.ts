import type { PowerSaving, Unfitness } from '../../record/model/calibration.ts';
import { plural } from '../../text/quantity.ts';
import type { WarningText } from './warning-text.ts';

/** Why a machine is not fit to measure, in words. */
export function unfitnessWords(unfitness: Unfitness): WarningText {
  switch (unfitness.code) {
    case 'late_wake': {
      const { lateMs, statistic, n, limitMs } = unfitness;
      const found = `${statistic === 'p99' ? 'p99' : 'maximum'} of ${n}`;
      return {
        what: `this machine wakes late: an idle thread ran up to ${lateMs.toFixed(1)} ms after its time (${found}; at most ${limitMs} ms is fit to measure)`,
        cause: 'other work has the processor in the moments in which replies are stamped',
        remedy: 'end other programs, or measure on a machine that does nothing else, then calibrate again',
      };
    }
    case 'overloaded':
      return {
        what: `this machine is overloaded: load average ${unfitness.loadAverage.toFixed(1)} on ${plural(unfitness.cores, 'core')}`,
        cause: 'over the last minute more threads wanted to run than there are cores',
        remedy: 'wait until other work has ended, or measure on a machine that does nothing else',
      };
    case 'saves_power':
      return {
        what: `this machine saves power: ${powerSavingWords(unfitness.by)}`,
        cause: 'the processor is held back, and takes its time to speed up when a reply comes',
        remedy: 'plug it in and let it run at full speed (cpupower frequency-set -g performance), then calibrate again',
      };
  }
}

function powerSavingWords(by: PowerSaving): string {
  switch (by.code) {
    case 'governor':
      return `the governor of its processor is ${by.governor}`;
    case 'energy_preference':
      return 'its processor prefers saving energy to speed';
    case 'platform_profile':
      return `its platform profile is ${by.profile}`;
    case 'battery':
      return 'it runs on its battery';
  }
}
