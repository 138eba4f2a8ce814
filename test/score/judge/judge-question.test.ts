import { describe, expect, it } from 'vitest';
import { judgeQuestion, readChoice } from '../../../src/score/judge-items.ts';

const png = (text: string) => new TextEncoder().encode(text);
const QUESTION = { question: 'Which?', prompt: 'A fox', input: null };

describe('the answer of a judge', () => {
  it.each([
    ['{"better": "A"}', 'first'],
    ['{"better":"B"}', 'second'],
    [' {"better": "neither"}\n', 'neither'],
  ] as const)('the answer %s is a choice', (text, choice) => {
    expect(readChoice(text)).toBe(choice);
  });

  it.each([
    'A is better.',
    '```json\n{"better": "A"}\n```',
    '{"better": "a"}',
    '{"better": "A", "reason": "sharper"}',
    '{"better": null}',
    '{}',
    '["A"]',
    '"A"',
    '1',
    'null',
    '{"better": "A"',
    '{"better": "A"} {"better": "B"}',
    '',
  ])('the answer %j is none', (text) => {
    expect(readChoice(text)).toBe(null);
  });
});

describe('a question to a judge', () => {
  it('a question to a judge has the input image first, then A, then B, each under its own words', () => {
    const { content } = judgeQuestion({
      ...QUESTION,
      input: png('in'),
      first: { images: [png('a')] },
      second: { images: [png('b')] },
    });
    const [input, a, b] = ['in', 'a', 'b'].map((text) => Buffer.from(text).toString('base64'));
    expect(content).toEqual([
      { type: 'text', text: '{"question":"Which?","prompt":"A fox"}' },
      { type: 'text', text: 'The input image that came with the prompt:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${input}` } },
      { type: 'text', text: 'A:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${a}` } },
      { type: 'text', text: 'B:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${b}` } },
    ]);
  });

  it('a question about videos says how many frames each has', () => {
    const frames = { images: [png('1'), png('2'), png('3')] };
    const { content } = judgeQuestion({ ...QUESTION, first: frames, second: frames });
    expect(JSON.stringify(content)).toContain('"A: 3 frames of a video, in their order:"');
    expect(JSON.stringify(content)).toContain('"B: 3 frames of a video, in their order:"');
  });
});
