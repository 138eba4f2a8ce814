import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../../../src/score/command/program.ts';
import { questionLine, readAnswer, readGreeting } from '../../../src/score/command/protocol.ts';
import type { GivenValue } from '../../../src/suite/scorer.ts';

const GIVES: readonly GivenValue[] = ['a', 'b'].map((value) => ({
  value,
  better: 'higher',
  range: value === 'a' ? [0, 1] : null,
  unit: 'score',
  meaning: null,
}));

const read = (line: string) => readAnswer(line, 'now', GIVES);

/** Like an answer, and mostly wrong in one place. */
const almostAnswers = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .record(
      {
        id: fc.constantFrom('now', 'before', 'never'),
        scores: fc.dictionary(
          fc.constantFrom('a', 'b', 'c', '__proto__'),
          fc.oneof(fc.double(), fc.string(), fc.constant(null)),
        ),
        unscored: fc.string(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .tuple(fc.constantFrom('NaN', '-Infinity', '1e999', '0.5'), fc.constantFrom('Infinity', '-0', '"NaN"', '7'))
    .map(([a, b]) => `{"id":"now","scores":{"a":${a},"b":${b}}}`),
);

describe('the protocol of programs', () => {
  it('a line is an answer of numbers in their range, or has a reason; nothing else', () => {
    fc.assert(
      fc.property(almostAnswers, (line) => {
        const answer = read(line);
        if (answer.is !== 'values') {
          expect(answer.is === 'wrong' ? answer.how : answer.why.code).not.toBe('');
          return;
        }
        expect(Object.keys(answer.values).sort()).toEqual(['a', 'b']);
        expect(Object.values(answer.values).every(Number.isFinite)).toBe(true);
        expect(answer.values.a).toBeGreaterThanOrEqual(0);
        expect(answer.values.a).toBeLessThanOrEqual(1);
      }),
    );
    expect(read('{"id":"now","scores":{"a":1,"b":-7}}')).toEqual({ is: 'values', values: { a: 1, b: -7 } });
  });

  it('a number that Python writes and JSON does not have is told from a text that names it', () => {
    const codeOf = (scores: string) => {
      const answer = read(`{"id":"now","scores":${scores}}`);
      return answer.is === 'unscored' ? answer.why.code : answer.is;
    };
    expect(codeOf('{"a":NaN,"b":1}')).toBe('not_a_number');
    expect(codeOf('{"a":1,"b":-Infinity}')).toBe('not_a_number');
    expect(read('{"id":"now","scores":{"NaN":1,"a":Infinity,"b":1}}')).toMatchObject({
      how: 'it wrote the value "NaN", which the suite does not declare',
    });
    expect(codeOf('{"a":NaN,"b":1')).toBe('wrong');
    // A megabyte of quotes takes no longer than one of letters.
    expect(read(`NaN${'\\"'.repeat(500_000)}`)).toMatchObject({ is: 'wrong' });
  });

  it('a program says its version and weights, or neither, and nothing longer', () => {
    expect(readGreeting('{"retake":1}')).toEqual({ version: null, weights: null });
    expect(readGreeting('{"retake":1,"version":"2","weights":null,"more":1}')).toEqual({ version: '2', weights: null });
    for (const line of ['{"retake":2}', '{"retake":"1"}', '[]', 'null', '', '{"retake":1,"version":2}']) {
      expect(readGreeting(line)).toBe(null);
    }
    expect(readGreeting(JSON.stringify({ retake: 1, weights: 'x'.repeat(257) }))).toBe(null);
  });

  it('a question is one line, whatever the prompt has in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (prompt) => {
        const line = questionLine({ id: '7', media: ['/1.png'], prompt, expect: null, kind: 'k', image: null });
        expect(line?.indexOf('\n')).toBe((line ?? '').length - 1);
        expect(JSON.parse(line ?? '').prompt).toBe(prompt);
      }),
    );
  });

  it('lines are the same however the bytes arrive, and end where a line is too long', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 12 }), fc.constant('é'.repeat(9)), fc.constant('\ud83d\ude00'))),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (texts, sizes) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '));
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const split = splitLines(16);
          const heard = [];
          for (let at = 0, size = 0; at < bytes.length; size += 1) {
            const end = at + (sizes[size % sizes.length] ?? 1);
            heard.push(...split(bytes.subarray(at, end)));
            at = end;
          }
          const long = lines.findIndex((line) => Buffer.byteLength(line) > 16);
          const whole = (long < 0 ? lines : lines.slice(0, long)).map((line) => Buffer.from(line).toString());
          expect(heard).toEqual(long < 0 ? whole : [...whole, null]);
        },
      ),
    );
  });
});
