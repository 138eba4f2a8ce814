import { describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/run/wire/outbox.ts';

describe('the outbox', () => {
  it('the outbox posts what was added in one turn together, in order, with all that is handed over', async () => {
    const posts: (readonly [readonly string[], number])[] = [];
    const outbox = createOutbox<string>(
      (messages, transfer) => posts.push([messages, transfer.length]),
      queueMicrotask,
    );
    outbox.add('a', [new ArrayBuffer(1)]);
    outbox.add('b');
    outbox.add('c', [new ArrayBuffer(1), new ArrayBuffer(1)]);
    expect(posts).toEqual([]);
    await Promise.resolve();
    outbox.add('d');
    await Promise.resolve();
    expect(posts).toEqual([
      [['a', 'b', 'c'], 3],
      [['d'], 0],
    ]);
  });

  it('the outbox posts at once what is flushed, behind what waited, and nothing twice', async () => {
    const posts: (readonly string[])[] = [];
    const outbox = createOutbox<string>((messages) => posts.push(messages), queueMicrotask);
    outbox.add('a call');
    outbox.add('abort');
    outbox.flush();
    await Promise.resolve();
    expect(posts).toEqual([['a call', 'abort']]);
  });
});
