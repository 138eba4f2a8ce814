import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureCode } from '../../../src/targets/wire.ts';
import { readMachineState } from '../../../src/workflow/calibrate-machine.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';

it('a missing descriptor is no connection that the service refused', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    expect(failureCode(Object.assign(new Error('too many open files'), { code }), 'connecting')).toBe('no_descriptors');
  }
});

/** A folder like /sys with these files. */
function system(files: Readonly<Record<string, string>>): string {
  const root = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}

const GOVERNOR = 'devices/system/cpu/cpu0/cpufreq/scaling_governor';

describe('what the system says of itself', () => {
  it('the power state of the system is read from its files', () => {
    expect(readMachineState(system({ [GOVERNOR]: 'powersave' })).powerSaving).toMatchObject({ code: 'governor' });
    expect(readMachineState(system({ 'firmware/acpi/platform_profile': 'low-power' })).powerSaving).toMatchObject({
      code: 'platform_profile',
    });
    const laptop = { 'class/power_supply/BAT0/type': 'Battery', 'class/power_supply/BAT0/status': 'Discharging' };
    expect(readMachineState(system(laptop)).powerSaving).toEqual({ code: 'battery' });
  });

  it('the power state of the system leaves out the battery of a mouse, and mains plugs', () => {
    const mouse = {
      'class/power_supply/mouse/type': 'Battery',
      'class/power_supply/mouse/scope': 'Device',
      'class/power_supply/mouse/status': 'Discharging',
      'class/power_supply/AC/type': 'Mains',
    };
    expect(readMachineState(system(mouse)).powerSaving).toBeNull();
  });

  it('the power state of the system is unknown where nothing can be read', () => {
    const folderForFile = system({ [`${GOVERNOR}/inner`]: 'powersave' });
    for (const root of [join(freshFolder(), 'absent'), freshFolder(), folderForFile]) {
      const { powerSaving, cores } = readMachineState(root);
      expect(powerSaving).toBeNull();
      expect(cores).toBeGreaterThan(0);
    }
  });
});
