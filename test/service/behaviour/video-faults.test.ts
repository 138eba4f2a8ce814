import { describe, expect, test } from 'vitest';
import { fetchMedia, quickVideo, statusOf, submit, type VideoStatus, waitFor } from '../asking-for-video.ts';
import { testsOfOneService } from '../one-service.ts';
import { KEY, quick, type Running, runService } from '../running-service.ts';

const testWith = testsOfOneService();

async function videoOf(own: Running, id: string): Promise<VideoStatus> {
  return (await (await statusOf(own, id)).json()).video;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('jobs that do not come to a video', () => {
  testWith(
    'job_fails and job_moderated end a job with its reason, not before its time',
    ['job_fails: { after: 300ms, code: out_of_memory }, when: { first: 1 }', 'job_moderated: {}'],
    async ({ own, prompt, counted }) => {
      const failing = await submit(own, quickVideo(1, prompt));
      expect(await videoOf(own, failing)).toMatchObject({ status: 'processing' });
      const moderated = await submit(own, quickVideo(1, prompt));
      const error = { code: 'out_of_memory', message: expect.any(String) };
      expect(await waitFor(own, failing)).toMatchObject({ status: 'failed', error });
      const refused = await waitFor(own, moderated);
      expect(refused).toMatchObject({ status: 'moderated', error: { code: 'content_moderated' } });
      expect(refused.url).toBeUndefined();
      const { jobs, behaviours } = await counted();
      expect(jobs.map(({ state }) => state)).toEqual(['failed', 'moderated']);
      expect((jobs[0]?.finishedMs ?? 0) - (jobs[0]?.receivedMs ?? 0)).toBeGreaterThanOrEqual(299);
      expect(behaviours).toEqual({ job_fails: 1, job_moderated: 1 });
    },
  );

  testWith(
    'job_lost answers the status, then loses it',
    ['job_never_ends: {}', 'job_lost: { after: 800ms }'],
    async ({ own, prompt, counted }) => {
      const id = await submit(own, quickVideo(1, prompt));
      expect((await statusOf(own, id)).status).toBe(200);
      await pause(850);
      const lost = await statusOf(own, id);
      expect([lost.status, (await lost.json()).code]).toEqual([404, 'unknown_asset']);
      expect((await counted()).behaviours).toEqual({ job_never_ends: 1, job_lost: 1 });
    },
  );

  testWith(
    'job_state reports an unknown state, and no URL with it',
    ['job_state: { state: archived }'],
    async ({ own, prompt }) => {
      const id = await submit(own, quickVideo(1, prompt));
      expect(await videoOf(own, id)).toMatchObject({ status: 'archived' });
      while ((await own.stats()).jobs.at(-1)?.state !== 'finished') await pause(20);
      const video = await videoOf(own, id);
      expect(video.status).toBe('archived');
      expect(video.url).toBeUndefined();
    },
  );

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
    [
      'job_fails: {}',
      'rate_limit: { requests: 2, per: 10m }',
      'error: { status: 424, code: no_tokens }, when: { route: image-to-video }',
    ],
    async ({ own, prompt }) => {
      expect((await own.ask(quick(1, prompt))).status).toBe(200);
      expect(await waitFor(own, await submit(own, quickVideo(1, prompt)))).toMatchObject({ status: 'failed' });
      const limited = await own.ask(quickVideo(1, prompt), { path: '/v2/video/text-to-video' });
      expect([limited.status, (await limited.json()).code]).toEqual([429, 'rate_limited']);
    },
  );
});

describe('statuses and media that depart', () => {
  testWith(
    'status_latency and status_error make a status late, and now and then an error',
    ['job_never_ends: {}', 'status_latency: { constant: 200ms }', 'status_error: { every: 3 }'],
    async ({ own, prompt, counted }) => {
      const id = await submit(own, quickVideo(1, prompt));
      const statuses: number[] = [];
      for (let i = 0; i < 7; i++) statuses.push((await statusOf(own, id)).status);
      expect(statuses).toEqual([200, 200, 500, 200, 200, 500, 200]);
      const { requests, behaviours, jobs } = await counted();
      const polls = requests.filter(({ route }) => route === 'GET /v2/assets/:id/status');
      expect(polls.every(({ receivedMs, finishedMs }) => finishedMs - receivedMs >= 199)).toBe(true);
      expect(behaviours).toEqual({ job_never_ends: 1, status_latency: 7, status_error: 2 });
      expect(jobs[0]?.polls).toBe(7);
    },
  );

  testWith(
    'media_expires removes media after so many fetches, or so long',
    ['media_expires: { fetches: 1, status: 410 }, when: { first: 1 }', 'media_expires: { after: 0ms }', 'cached: {}'],
    async ({ own, prompt }) => {
      const [one, two] = [await submit(own, quickVideo(1, prompt)), await submit(own, quickVideo(1, prompt))];
      const url = (await waitFor(own, one)).url?.generation[0];
      const answers = [await fetchMedia(url), await fetchMedia(url)];
      expect(answers.map(({ status }) => status)).toEqual([200, 410]);
      expect(await answers[1]?.json()).toMatchObject({ code: 'url_expired' });
      expect((await fetchMedia((await waitFor(own, two)).url?.generation[0])).status).toBe(403);
    },
  );

  testWith(
    'media_host gives a URL on another host that needs no key, and its token does no more',
    ['media_host: { host: localhost }', 'cached: {}'],
    async ({ own, prompt }) => {
      const [one, two] = [await submit(own, quickVideo(1, prompt)), await submit(own, quickVideo(1, prompt))];
      const url = new URL((await waitFor(own, one)).url?.generation[0] ?? '');
      expect([url.hostname, url.port]).toEqual(['localhost', String(own.port)]);
      const here = `${own.url}${url.pathname}`;
      expect((await fetch(`${here}${url.search}`)).status).toBe(200);
      expect((await fetch(here)).status).toBe(401);
      expect((await fetch(`${own.url}/v2/assets/${two}/video.mp4${url.search}`)).status).toBe(401);
      expect((await fetch(`${own.url}/v2/assets/${one}/status${url.search}`)).status).toBe(401);
      expect((await fetch(here, { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200);
      await waitFor(own, two);
    },
  );

  testWith(
    'seed_ignored draws another video, and reports the seed asked for; what redirect and cached do to it is an MP4',
    ['seed_ignored: {}, when: { first: 2 }', 'redirect: { host: localhost }', 'cached: {}'],
    async ({ own, prompt, counted }) => {
      const video = await waitFor(own, await submit(own, quickVideo(5, prompt)));
      const again = await waitFor(own, await submit(own, quickVideo(5, prompt)));
      expect([video.seed, again.seed]).toEqual([5, 5]);
      const { jobs, behaviours } = await counted();
      expect(jobs[0]?.seed).not.toBe(5);
      expect(behaviours).toMatchObject({ seed_ignored: 2, cached: 1 });
      const answer = await fetchMedia(video.url?.generation[0]);
      expect(answer.status).toBe(303);
      const media = await fetch(`${own.url}${new URL(answer.headers.get('location') ?? '').pathname}`);
      expect(media.headers.get('content-type')).toBe('video/mp4');
    },
  );
});

test('a service that ends abandons its jobs at once', async () => {
  const own = await runService({ workers: 1 });
  for (let seed = 0; seed < 4; seed++) await submit(own, { ...quickVideo(seed), model: 'standard', seconds: '4' });
  // Sampled to their end they would take longer than a test may.
  await own.close();
});
