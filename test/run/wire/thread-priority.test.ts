import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { lowerPriority } from '../../../src/run/wire.ts';

/** The nice value of each thread of this process, by its id (proc(5)). */
function priorities(): ReadonlyMap<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );
}

// A process that was started with a lower priority than that has nothing to lower.
it.skipIf(platform() !== 'linux' || getPriority() >= 10)(
  'lowerPriority puts the calling thread behind the others of its process, and no other',
  async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    await once(worker, 'online');
    const before = priorities();
    // Others may come and go meanwhile.
    const changed = () =>
      [...priorities()].filter(([thread, priority]) => (before.get(thread) ?? priority) !== priority);
    const forward = lowerPriority();
    expect(changed()).toEqual([[String(process.pid), 10]]);
    expect(getPriority()).toBe(10);
    forward();
    // Only the superuser raises a priority.
    if (process.getuid?.() === 0) expect(changed()).toEqual([]);
    await worker.terminate();
  },
);
