import { expect, test } from 'vitest';
import { createAbort } from '../../../src/targets/wire.ts';

test('an abort tells each listener once, in order, and none that left or came too late', () => {
  const { signal, abort } = createAbort();
  const told: string[] = [];
  const left = () => void told.push('left');
  const second = () => void told.push('second');
  const gone = () => void told.push('gone');
  signal.addEventListener('abort', () => {
    told.push('first');
    signal.removeEventListener('abort', gone);
  });
  signal.addEventListener('abort', left);
  signal.addEventListener('abort', second);
  signal.addEventListener('abort', gone);
  signal.removeEventListener('abort', left);
  expect(signal.aborted).toBe(false);
  abort();
  abort();
  signal.addEventListener('abort', () => void told.push('late'));
  expect(signal.aborted).toBe(true);
  expect(told).toEqual(['first', 'second']);
});
