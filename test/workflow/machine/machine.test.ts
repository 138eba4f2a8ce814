import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checked } from '../../../src/kit/diagnostic.ts';
import { failureCode } from '../../../src/targets/wire.ts';
import { readMachineState } from '../../../src/workflow/calibrate-machine.ts';
import { checkDescriptors } from '../../../src/workflow/prepare-run.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { retake } from '../../fixtures/retake-process.ts';

function proc(soft: string, open: number): string {
  const own = freshFolder();
  writeFileSync(
    join(own, 'limits'),
    `Max processes  10  10  processes\nMax open files            ${soft}   4096   files\n`,
  );
  mkdirSync(join(own, 'fd'));
  for (let fd = 0; fd < open; fd += 1) writeFileSync(join(own, 'fd', String(fd)), '');
  return own;
}

it('a concurrency above the limit of file descriptors is refused with what to raise or lower', async () => {
  const asked = (concurrency: number, own: string) => checked(async () => checkDescriptors(concurrency, own));
  expect(await asked(1024, proc('1024', 20))).toMatchObject({
    ok: false,
    diagnostics: [
      {
        cause: 'load.concurrency 1024 needs about 1076 file descriptors, and this process may open 1024',
        remedy: 'raise the limit (ulimit -n 1076), or lower load.concurrency to 972',
      },
    ],
  });
  expect((await asked(972, proc('1024', 20))).ok).toBe(true);
  expect((await asked(1024, proc('unlimited', 20))).ok).toBe(true);
  expect((await asked(1024, '/nonexistent')).ok).toBe(true);
});

it('a suite that wants more in flight than the process may open ends in 2 before anything is sent', async () => {
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 's.yaml'),
    'suite: 1\nname: s\nprompts: [A]\nvariants: { a: { target: reference/text-to-image } }\n',
  );
  const { code, stderr } = await retake(['run', 's.yaml', '--set', 'load.concurrency=1000000'], cwd);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/ulimit -n|concurrency/)]);
});

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
