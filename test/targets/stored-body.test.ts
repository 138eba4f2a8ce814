import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/kit/json.ts';
import { renderSubmit, requestDigest } from '../../src/targets/request.ts';
import { caseWith, readTarget, SMALLEST, variantOf } from './target-fixture.ts';

const GRAPH = {
  prompt: {
    3: { class_type: 'KSampler', inputs: { seed: 99, steps: 20, model: ['4', 0] } },
    6: { class_type: 'CLIPTextEncode', inputs: { text: 'stored ${case.prompt}', 'a/b~c': '' } },
  },
};
const SET = { '/prompt/3/inputs/seed': '${case.seed}', '/prompt/6/inputs/text': 'photo of ${case.prompt}' };
const SCOPE = { baseUrl: 'http://127.0.0.1:9', secrets: {}, digest: 'ab'.repeat(32) };

function read(set: Json, stored: Json = GRAPH, submit: { readonly [key: string]: Json } = {}) {
  const keys = { path: '/prompt', body_file: 'graph.json', set, ...submit };
  return readTarget(JSON.stringify({ ...SMALLEST, submit: keys }), {}, JSON.stringify(stored));
}

function variant(set: Json, stored: Json = GRAPH) {
  const found = read(set, stored);
  if ('wrong' in found) throw new Error(found.wrong.join('\n'));
  return variantOf(found.target);
}

function body(set: Json, seed: number | null): unknown {
  const rendered = renderSubmit(variant(set), { case: caseWith(), seed }, SCOPE).body;
  return rendered.encoding === 'json' ? rendered.value : null;
}

describe('a stored document', () => {
  test('a stored document is sent with what is set in it; its own texts are no templates', () => {
    expect(body(SET, 7)).toEqual({
      prompt: {
        3: { class_type: 'KSampler', inputs: { seed: 7, steps: 20, model: ['4', 0] } },
        6: { class_type: 'CLIPTextEncode', inputs: { text: 'photo of a red fox', 'a/b~c': '' } },
      },
    });
  });

  test('a stored document keeps what it holds where nothing is given', () => {
    expect(body(SET, null)).toMatchObject({ prompt: { 3: { inputs: { seed: 99 } } } });
    expect(body({}, 7)).toEqual(GRAPH);
  });

  test('a stored document takes objects, lists and odd names', () => {
    const set = {
      '/prompt/6/inputs/a~1b~0c': 'x',
      '/prompt/3/inputs/model/1': 2,
      '/prompt/3/class_type': { a: ['${case.seed}'] },
    };
    expect(body(set, 1)).toMatchObject({
      prompt: { 3: { class_type: { a: [1] }, inputs: { model: ['4', 2] } }, 6: { inputs: { 'a/b~c': 'x' } } },
    });
    expect(body({ '': '${case.prompt}' }, 1)).toBe('a red fox');
  });

  test('a stored document counts in the digest as sent', () => {
    const inputs = { case: caseWith(), seed: 7 };
    const digest = requestDigest(variant(SET), inputs);
    expect(requestDigest(variant(SET), inputs)).toBe(digest);
    expect(requestDigest(variant(SET), { ...inputs, seed: 8 })).not.toBe(digest);
    const other = structuredClone(GRAPH);
    other.prompt[3].inputs.steps = 21;
    expect(requestDigest(variant(SET, other), inputs)).not.toBe(digest);
    // What is replaced does not count.
    const replaced = structuredClone(GRAPH);
    replaced.prompt[3].inputs.seed = 1;
    expect(requestDigest(variant(SET, replaced), inputs)).toBe(digest);
  });

  test.each<[Json, string]>([
    [{ '/prompt/3/inputs/sed': 1 }, '"/prompt/3/inputs/sed" leads nowhere: there is no "sed"; did you mean "seed"?'],
    [{ '/prompt/3/inputs/model/2': 1 }, 'there is no "2"'],
    [{ '/prompt/3/inputs/seed/x': 1 }, 'there is no "x"'],
    [{ '/prompt/__proto__': 1 }, 'there is no "__proto__"'],
    [{ 'prompt/3': 1 }, '"prompt/3" is not a valid JSON pointer'],
    [{ '/prompt/~2': 1 }, 'is not a valid JSON pointer'],
    [
      { '/prompt/3': 1, '/prompt/3/inputs/seed': 2 },
      '"/prompt/3/inputs/seed" lies within "/prompt/3", which is set too',
    ],
    [{ '/prompt/3/inputs/seed': '${job.id}' }, '"job.id" is not known here'],
  ])('the assignment %j is a mistake', (set, cause) => {
    expect(read(set)).toEqual({ wrong: [expect.stringContaining(cause)] });
  });

  test.each<[{ readonly [key: string]: Json }, string]>([
    [{ body: { a: 1 } }, 'body and body_file exclude each other'],
    [{ encoding: 'form' }, 'a stored document is not a form body'],
    [{ method: 'GET' }, 'a GET has no body'],
  ])('a stored document does not go with %j', (submit, cause) => {
    expect(read({}, GRAPH, submit)).toEqual({ wrong: [expect.stringContaining(cause)] });
  });
});
