import { expect, test } from 'vitest';
import type { Json } from '../../../src/kit/json.ts';
import type { StateRule } from '../../../src/targets/model/job.ts';
import { readState, stateOfStatus } from '../../../src/targets/reply/fail.ts';
import { readableReply } from '../../../src/targets/reply/reply.ts';
import { targetWith } from '../target-fixture.ts';

function rule(state: Json): StateRule {
  const { wait } = targetWith({ wait: { poll: { path: '/' }, state } });
  if (wait?.until?.by !== 'poll') throw new Error('no polls');
  return wait.until.state;
}

function reply(body: Json, status = 200) {
  return readableReply({ status, headers: [], body: Buffer.from(JSON.stringify(body)) });
}

const FIELD = { at: '$.s', pending: ['q', 0], running: ['w'], success: ['d', true], failure: ['f'], moderated: ['m'] };
const OTHERS = { at: '$.s', absent: 'pending', running: { not: ['d', 'x'] }, success: ['d'] };

test.each<[Json, Json, Json]>([
  [FIELD, { s: 'q' }, 'pending'],
  [FIELD, { s: 0 }, 'pending'],
  [FIELD, { s: '0' }, 'pending'],
  [FIELD, { s: 'w' }, 'running'],
  [FIELD, { s: true }, 'success'],
  [FIELD, { s: 'f' }, 'failure'],
  [FIELD, { s: 'm' }, 'moderated'],
  [FIELD, { s: 'D' }, 'unlisted'],
  [FIELD, { s: false }, 'unlisted'],
  [FIELD, { s: { a: 1 } }, 'unlisted'],
  [FIELD, { s: null }, 'nothing'],
  [FIELD, { s: '' }, 'nothing'],
  [FIELD, {}, 'nothing'],
  [FIELD, [], 'nothing'],
  [OTHERS, {}, 'pending'],
  [OTHERS, { s: 'd' }, 'success'],
  [OTHERS, { s: '37 %' }, 'running'],
  [OTHERS, { s: 'x' }, 'unlisted'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { a: 1, b: 2 }, 'pending'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { b: 2 }, 'success'],
  [{ at: ['$.a', '$.b'], pending: [1], success: [2] }, { a: 3, b: 2 }, 'unlisted'],
])('the state by %j of %j is %j', (state, body, expected) => {
  const found = readState(rule(state), reply(body));
  expect(found.found === 'state' ? found.state : found.found).toBe(expected);
});

test.each<[Json, number, Json]>([
  [{ at: 'status', pending: [202, 404], success: [200] }, 404, 'pending'],
  [{ at: ['$.s', 'status'], pending: [404], success: [200] }, 404, 'pending'],
  [{ at: 'status', pending: [202], success: [200] }, 404, null],
  [{ at: 'status', pending: { not: [200] }, success: [200] }, 500, null],
  [{ at: '$.s', pending: [404], success: [200] }, 404, null],
])('the state by %j of the status %i alone is %j', (state, status, expected) => {
  expect(stateOfStatus(rule(state), status)).toBe(expected);
});
