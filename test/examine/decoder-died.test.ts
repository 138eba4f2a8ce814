import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import type { IdleExaminers } from '../../src/examine/examiners.ts';
import { keeperOfMedia } from '../../src/record/output-files.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';

const BUILT = new URL('../../dist/examine/examiners.js', import.meta.url).href;
const { openExaminers }: typeof import('../../src/examine/examiners.ts') = await import(BUILT);

const CHILDREN = `/proc/${process.pid}/task/${process.pid}/children`;
const before = new Set(childrenNow());

function childrenNow(): readonly number[] {
  return existsSync(CHILDREN) ? readFileSync(CHILDREN, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

let watch: NodeJS.Timeout;
afterEach(() => clearInterval(watch));

/** Ends the first decoders that are started, as a system without memory does. */
function killDecoders(most: number): ReadonlySet<number> {
  const killed = new Set<number>();
  watch = setInterval(() => {
    for (const pid of childrenNow()) {
      if (before.has(pid) || killed.has(pid) || killed.size >= most) continue;
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
  }, 5);
  return killed;
}

async function examine(idle?: IdleExaminers) {
  const folder = freshFolder();
  const create = { width: 64, height: 48, channels: 3, background: '#c85a14' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const sha256 = keeperOfMedia(folder)(bytes, 'png');
  const timeLimitMs = { image: 20_000, video: 20_000 };
  const examiners = openExaminers({ workers: 1, idle, timeLimitMs, signal: new AbortController().signal });
  try {
    return await examiners.examine(folder, { sha256, bytes: bytes.length, mime: 'image/png' });
  } finally {
    await examiners.close();
  }
}

describe.runIf(existsSync(CHILDREN))('a decoder that is killed', () => {
  it('a decoder that is killed once does not make its image undecodable: a fresh one decodes it', async () => {
    const killed = killDecoders(1);
    expect(await examine()).toMatchObject({ decodes: true, width: 64, height: 48 });
    expect(killed.size).toBe(1);
  });

  it('a decoder that is killed twice leaves its image unexamined, to be examined again', async () => {
    const killed = killDecoders(2);
    expect(await examine()).toMatchObject({ decodes: null, reason: { code: 'decoder_died' }, mime: 'image/png' });
    expect(killed.size).toBe(2);
  });

  it('a decoder that waits examines the next output; where it is killed meanwhile, a fresh one does', async () => {
    const idle: IdleExaminers = [];
    const decoders = () => childrenNow().filter((pid) => !before.has(pid));
    await examine(idle);
    const waiting = decoders();
    await examine(idle);
    expect(decoders()).toEqual(waiting);
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    expect(await examine(idle)).toMatchObject({ decodes: true, width: 64, height: 48 });
    await Promise.all(idle.map((examiner) => examiner.terminate(true)));
    await expect.poll(decoders).toEqual([]);
  });
});
