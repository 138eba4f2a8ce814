import type { Fault } from '../../kit/diagnostic.ts';
import { plural } from '../../kit/wording.ts';
import type { PowerSaving, Unfitness } from '../../record/calibration.ts';

/** @param when the machine was checked: now, or before the run that is reported */
export function unfitnessWords(unfitness: Unfitness, when: 'now' | 'before'): Fault & { readonly what: string } {
  switch (unfitness.code) {
    case 'late_wake': {
      const { lateMs, statistic, n, limitMs } = unfitness;
      const found = `${statistic === 'p99' ? 'p99' : 'maximum'} of ${n} wake-ups`;
      return {
        what: `this machine ${when === 'now' ? 'wakes' : 'woke'} threads late: an idle thread ran up to ${lateMs.toFixed(1)} ms late (${found}; the limit is ${limitMs} ms)`,
        cause: 'other work uses the processor when replies are timestamped',
        remedy: 'close other programs, or use an idle machine, then calibrate again',
      };
    }
    case 'overloaded':
      return {
        what: `this machine ${when === 'now' ? 'is' : 'was'} overloaded: load average ${unfitness.loadAverage.toFixed(1)} on ${plural(unfitness.cores, 'core')}`,
        cause: 'in the last minute, more threads were ready to run than there are cores',
        remedy: 'wait until other work has ended, or use an idle machine',
      };
    case 'saves_power':
      return {
        what: `this machine ${when === 'now' ? 'saves' : 'saved'} power: ${powerSavingWords(unfitness.by)}`,
        cause: 'the processor is slowed down, and speeds up late when a reply arrives',
        remedy: 'plug it in and set it to full speed (cpupower frequency-set -g performance), then calibrate again',
      };
  }
}

function powerSavingWords(by: PowerSaving): string {
  switch (by.code) {
    case 'governor':
      return `the governor of its processor is ${by.governor}`;
    case 'energy_preference':
      return 'its processor prefers saving energy over speed';
    case 'platform_profile':
      return `its platform profile is ${by.profile}`;
    case 'battery':
      return 'it runs on battery';
  }
}
