import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { CLOSED, type Measured, measurePlan } from '../../fixtures/measured-run.ts';
import { mountSmallDisk } from '../../fixtures/small-disk.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/* A disk that takes no more, and a folder that is gone, through the built runner. */

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const TRIALS = 200;

/** @param bytes of each output, every one another */
async function measureInto(
  results: string,
  bytes: number,
  onRequest: (count: number) => void = () => {},
): Promise<Measured & { readonly asked: number }> {
  const server = await serve((_seen, response, count) => {
    onRequest(count);
    const body = Buffer.alloc(bytes, count);
    PNG.copy(body);
    body.writeUInt32LE(count, PNG.byteLength);
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  const measured = await measurePlan({
    variants: [variantOf(targetWith({ base_url: server.url }))],
    prompts: ['fox'],
    seeds: Array.from({ length: TRIALS }, (_, at) => at),
    repeats: 1,
    load: { ...CLOSED, concurrency: 4, warmup: 0 },
    results,
  });
  return { ...measured, asked: server.seen.length };
}

describe('a run whose disk is full', () => {
  it('a run whose disk is full stops at once with every request in the journal, and is closed', async ({ skip }) => {
    const disk = mountSmallDisk('size=1m');
    if (disk === null) return skip('no file system can be mounted here');
    const { stop, folder, intents, samples, asked } = await measureInto(disk.folder, 50_000);
    expect(stop).toMatchObject({ reason: 'disk', code: 'ENOSPC' });
    expect(asked).toBeLessThan(30);
    expect(intents).toHaveLength(asked);
    expect(samples).toHaveLength(asked);
    const unkept = samples.filter(({ outcome }) => outcome !== 'ok');
    expect(unkept.length).toBeGreaterThan(0);
    for (const { outcome, error } of unkept) expect([outcome, error?.code]).toEqual(['cancelled', 'not_kept']);
    for (const sample of samples) {
      if (sample.outcome !== 'ok') continue;
      const { sha256 } = sample.outputs[0];
      expect(statSync(join(folder, 'media', sha256.slice(0, 2), `${sha256}.png`)).size).toBe(50_000);
    }
    const last = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n').at(-1);
    expect(JSON.parse(last ?? '')).toMatchObject({ event: 'segment', state: 'ended', stop: { reason: 'disk' } });
  });
});

describe('a run whose folder', () => {
  it.each([
    ['is deleted', (folder: string) => rmSync(folder, { recursive: true, force: true })],
    ['is moved away', (folder: string) => renameSync(folder, `${folder}-moved`)],
  ] as const)('%s stops at the next append', async (_how, remove) => {
    const results = freshFolder();
    let asked = 0;
    const server = measureInto(results, 50_000, (count) => {
      asked = count;
      if (count === 10) remove(join(results, 'suite', 'run'));
    });
    const { stop } = await server;
    expect(stop).toMatchObject({ reason: 'disk', code: 'ENOENT' });
    expect(asked).toBeLessThan(30);
  });
});
