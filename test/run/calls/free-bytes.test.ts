import { expect, it } from 'vitest';
import { freeBytes } from '../../../src/run/calls/end-trial.ts';

it('freeBytes gives back the memory of bytes at once, without a collection', async () => {
  const lying = () => process.memoryUsage().arrayBuffers;
  const before = lying();
  const outputs = Array.from({ length: 64 }, () => new Uint8Array(1024 * 1024).fill(7));
  expect(lying() - before).toBeGreaterThan(60 * 1024 * 1024);
  for (const output of outputs) freeBytes(output);
  expect(outputs.every(({ byteLength }) => byteLength === 0)).toBe(true);
  // The other end of the port tells in a later turn that it is closed; until then what was handed over waits there.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lying() - before).toBeLessThan(8 * 1024 * 1024);
});
