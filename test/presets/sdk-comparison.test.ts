import { expect, test } from 'vitest';
import { unexplained } from '../fixtures/sdk-comparison.ts';
import type { Seen } from '../targets/loopback.ts';

const ASKED = request({ size: '1:1', options: { steps: 20 } }, { authorization: 'Bearer k', 'user-agent': 'theirs' });
const AGENT = { at: 'header user-agent', because: 'each says who it is' };

function request(body: object, headers: Readonly<Record<string, string>>, url = '/v1/images?v=1'): Seen {
  const sent = { host: '127.0.0.1:1', 'content-length': '9', 'content-type': 'application/json', ...headers };
  return { method: 'POST', url, headers: sent, body: JSON.stringify(body) };
}

test('the same requests agree, whatever connection they came on', async () => {
  const other = { ...ASKED, headers: { ...ASKED.headers, host: '127.0.0.1:2', connection: 'close' } };
  expect(await unexplained([ASKED], [other], [])).toEqual([]);
});

test('every difference is listed with its place, and none that is explained', async () => {
  const ours = request({ size: '1:1', options: { steps: 30 }, seed: 1 }, { 'user-agent': 'ours' }, '/v1/images?v=2');
  expect(await unexplained([ASKED], [ours], [AGENT])).toEqual([
    'POST /v1/images: query v: official "1", ours "2"',
    'POST /v1/images: header authorization: official "Bearer k", ours nothing',
    'POST /v1/images: body json.options.steps: official 20, ours 30',
    'POST /v1/images: body json.seed: official nothing, ours 1',
  ]);
  const explained = [
    { at: 'query v', on: 'POST', because: 'a' },
    { at: 'header authorization', on: 'POST /v1/images', official: 'Bearer k', ours: null, because: 'b' },
    { at: 'body json.*', because: 'c' },
  ];
  expect(await unexplained([ASKED], [ours], [AGENT, ...explained])).toEqual([]);
});

test('an explanation is for its request and its values alone, and must be needed', async () => {
  const ours = request({ size: '1:1', options: { steps: 20 } }, { authorization: 'Bearer k', 'user-agent': 'ours' });
  expect(await unexplained([ASKED], [ours], [{ ...AGENT, on: 'GET' }])).toEqual([
    'POST /v1/images: header user-agent: official "theirs", ours "ours"',
    'GET: header user-agent: explained, but nothing differs so',
  ]);
  expect(await unexplained([ASKED], [ours], [{ ...AGENT, ours: 'retake' }])).toHaveLength(2);
});

test('a request that only one side makes is listed', async () => {
  expect(await unexplained([ASKED, ASKED], [ASKED], [])).toEqual([
    'POST /v1/images: request 2: official "POST /v1/images", ours nothing',
  ]);
});
