import { describe, expect, it } from 'vitest';
import { createBacklog } from '../../../src/run/calls/end-trial.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const MIB = 1024 * 1024;

describe('the backlog', () => {
  it('the backlog does one piece in each turn of the event loop, in the order they came', async () => {
    const backlog = createBacklog(MIB);
    const done: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => backlog.add(1, () => void done.push(name)));
    void turn().then(() => done.push('a start that was due'));
    await Promise.all(works);
    expect(done[0]).toBe('a');
    expect(done.filter((name) => name.length === 1)).toEqual(['a', 'b', 'c']);
    expect(done.indexOf('a start that was due')).toBeLessThan(done.indexOf('c'));
  });

  it('the backlog has room again only when less than the bound waits', async () => {
    const backlog = createBacklog(10 * MIB);
    await backlog.room();
    const works = Array.from({ length: 8 }, () => backlog.add(3 * MIB, () => {}));
    let left = 8;
    for (const work of works) void work.then(() => (left -= 1));
    // Two beginners want room: neither is forgotten.
    await Promise.all([backlog.room(), backlog.room()]);
    expect(left).toBeLessThanOrEqual(4);
    expect(left).toBeGreaterThan(0);
    await Promise.all(works);
    await backlog.room();
  });

  it('the backlog has room for one who wants few pieces waiting only when there are so few', async () => {
    const backlog = createBacklog(10 * MIB);
    let left = 8;
    const works = Array.from({ length: left }, () => backlog.add(1, () => void left--));
    await backlog.room();
    expect(left).toBeGreaterThan(3);
    await backlog.room(3);
    expect(left).toBeLessThan(3);
    expect(left).toBeGreaterThan(0);
    await Promise.all(works);
  });

  it('the backlog goes on after a piece that throws, and says so', async () => {
    const backlog = createBacklog(MIB);
    const broken = backlog.add(1, () => {
      throw new Error('the disk is full');
    });
    let done = false;
    const next = backlog.add(1, () => {
      done = true;
    });
    await expect(broken).rejects.toThrow('the disk is full');
    await next;
    expect(done).toBe(true);
    await backlog.room();
  });
});
