import { describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../../src/record/store.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('group commit writes the lines of one turn in one write, in the order they were added', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => writes.push(lines));
    await Promise.all(['a\n', 'b\n', 'c\n'].map(group.add));
    await group.add('d\n');
    expect(writes).toEqual(['a\nb\nc\n', 'd\n']);
  });

  it('group commit resolves a line only once it is written', async () => {
    const events: string[] = [];
    const group = createGroupCommit((lines) => events.push(`wrote ${lines}`));
    const added = group.add('a').then(() => events.push('resolved a'));
    await Promise.resolve();
    expect(events).toEqual([]);
    await added;
    expect(events).toEqual(['wrote a', 'resolved a']);
  });

  it('group commit writes what waits when it is flushed, and nothing twice', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => writes.push(lines));
    const added = group.add('a');
    group.flush();
    expect(writes).toEqual(['a']);
    await added;
    await turn();
    expect(writes).toEqual(['a']);
  });

  it('group commit rejects every line of a group that cannot be written, and writes the next group', async () => {
    const writes: string[] = [];
    const group = createGroupCommit((lines) => {
      if (lines.includes('b')) throw new Error('the disk is full');
      writes.push(lines);
    });
    const failed = await Promise.allSettled([group.add('a'), group.add('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await group.add('c');
    expect(writes).toEqual(['c']);
  });
});
