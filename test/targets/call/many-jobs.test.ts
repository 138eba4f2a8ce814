import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { performCall } from '../../../src/targets/call.ts';
import { createCredentials } from '../../../src/targets/credential.ts';
import { encodeBody } from '../../../src/targets/outgoing.ts';
import { renderSubmit } from '../../../src/targets/request.ts';
import { knowSecrets } from '../../../src/targets/secrets.ts';
import { createTransport } from '../../../src/targets/transport.ts';
import { createAbort } from '../../../src/targets/wire.ts';
import { listening } from '../../fixtures/listening.ts';
import { NIGHTLY } from '../../test-options.ts';
import { caseWith, targetWith, variantOf } from '../target-fixture.ts';
import { PNG, sleep } from './calling.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const JOBS = NIGHTLY ? 10_000 : 1250;
/** Of heap that a poll may leave behind: far less than a reply. */
const BYTES = 800;
/** Between the two moments, for each job: polls that wait for a connection at one of them weigh up to 3 MB on a busy machine. */
const LATER_POLLS = 8;
/** Polls until a job is done; half of the jobs are never done. */
const POLLS = 2;

/**
 * Thousands of jobs on one server, in flight together over a few sockets. Listeners, timers or replies that a poll
 * leaves behind would add up to more than the bound over so many.
 */
test('thousands of jobs wait together and leave nothing behind', async () => {
  const polls = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') {
        const id = String(polls.size);
        polls.set(id, 0);
        response.end(JSON.stringify({ id }));
        return;
      }
      const id = request.url?.split('/').pop() ?? '';
      const count = (polls.get(id) ?? 0) + 1;
      polls.set(id, count);
      const done = Number(id) % 2 === 0 && count >= POLLS;
      response.end(
        JSON.stringify(
          done ? { state: 'done', image: PNG.toString('base64') } : { state: 'working', pad: 'x'.repeat(2000) },
        ),
      );
    });
  });
  const { url: baseUrl, close } = await listening(server);
  const now = () => performance.now();
  const transport = createTransport({ now, connections: 16 });
  onTestFinished(async () => {
    await transport.close();
    await close();
  });

  const target = targetWith({
    base_url: baseUrl,
    wait: {
      capture: { id: '$.id' },
      poll: { path: '/jobs/${job.id}', min_every: '400ms' },
      state: { at: '$.state', running: ['working'], success: ['done'] },
    },
    result: { from: 'b64', at: '$.image' },
  });
  const rendered = renderSubmit(
    variantOf(target),
    { case: caseWith(), seed: 1 },
    { baseUrl, secrets: {}, digest: 'ab'.repeat(32) },
  );
  const submit = { ...rendered, body: encodeBody(rendered.body) };
  const secrets = knowSecrets([]);
  const abort = createAbort();
  const held = createAbort();
  const outcomes = new Map<string, number>();
  let ended = 0;
  const calls = Array.from({ length: JOBS }, async () => {
    const result = await performCall(
      { target, submit, baseUrl, timeoutMs: 240_000, onThrottle: 'wait' },
      {
        transport,
        now,
        wallMs: () => 0,
        sleep,
        random: Math.random,
        signal: abort.signal,
        held: held.signal,
        secrets,
        credentials: createCredentials(Date.now, secrets),
        uniqueKey: () => '',
        accepted: async () => {},
        refused: async () => true,
      },
    );
    ended += 1;
    outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1);
  });
  const total = () => [...polls.values()].reduce((sum, count) => sum + count, 0);
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  // As many calls wait at both moments, and between them each was polled: nothing of a poll is kept.
  const before = await until(() => ended >= JOBS / 2);
  const polled = total();
  const later = LATER_POLLS * (JOBS / 2);
  const after = await until(() => total() >= polled + later);
  expect(after - before).toBeLessThan(BYTES * later);
  abort.abort();
  await Promise.all(calls);
  expect(outcomes).toEqual(
    new Map([
      ['ok', JOBS / 2],
      ['cancelled', JOBS / 2],
    ]),
  );
});
