import { expect, test } from 'vitest';
import { quickVideo, submit, waitFor } from '../asking-for-video.ts';
import { testsOfOneService } from '../one-service.ts';
import { quick, runService } from '../running-service.ts';

const testWith = testsOfOneService();

testWith(
  'crash ends the worker, its job has failed, the next one is served',
  ['crash: {}, when: { first: 1 }'],
  async ({ own, prompt }) => {
    const first = await waitFor(own, await submit(own, quickVideo(1, prompt)));
    expect(first.status).toBe('failed');
    expect(first.error).toEqual({ code: 'generation_failed', message: expect.stringContaining('video') });
    expect(await waitFor(own, await submit(own, quickVideo(1, prompt)))).toMatchObject({ status: 'finished' });
  },
);

testWith(
  'rules for jobs leave images alone, and other rules hold for both',
  ['job_never_ends: {}', 'rate_limit: { requests: 2, per: 10m }'],
  async ({ own, prompt }) => {
    expect((await own.ask(quick(1, prompt))).status).toBe(200);
    await submit(own, quickVideo(1, prompt));
    const limited = await own.ask(quickVideo(1, prompt), { path: '/v2/video/text-to-video' });
    expect([limited.status, (await limited.json()).code]).toEqual([429, 'rate_limited']);
  },
);

testWith(
  'seed_ignored draws another video, and reports the seed asked for; cached gives the first again',
  ['seed_ignored: {}, when: { first: 2 }', 'cached: {}'],
  async ({ own, prompt, counted }) => {
    const video = await waitFor(own, await submit(own, quickVideo(5, prompt)));
    const again = await waitFor(own, await submit(own, quickVideo(5, prompt)));
    expect([video.seed, again.seed]).toEqual([5, 5]);
    const { jobs, behaviours } = await counted();
    expect(jobs[0]?.seed).not.toBe(5);
    expect(behaviours).toMatchObject({ seed_ignored: 2, cached: 1 });
  },
);

test('a service that ends abandons its jobs at once', async () => {
  const own = await runService({ workers: 1 });
  for (let seed = 0; seed < 4; seed++) await submit(own, { ...quickVideo(seed), model: 'standard', seconds: '4' });
  // Sampled to their end they would take longer than a test may.
  await own.close();
});
