import { describe, expect, test } from 'vitest';
import { accepted, formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { parseBehaviour } from '../../src/service/parse-behaviour.ts';

test('a file with every effect is read, durations in milliseconds and defaults filled in', () => {
  const { seed, rules } = accepted(
    parseBehaviour(
      `behaviour: 1
seed: 9
rules:
  - latency: { constant: 250ms, lognormal: { median: 1.5s, sigma: 0.4 }, stall: { probability: 0.1, for: 1m } }
    when: { model: fast, route: image, prompt: fox, every: 2, after: 1, first: 10, probability: 0.5 }
  - stall: { at: 0ms, for: 3s }
  - moderation: { answer: refuse }
  - mismatch:
  - latency: { constant: 1s }
    name: slower
  - latency: { constant: 1s }
`,
      'b.yaml',
    ),
  );
  expect(seed).toBe(9);
  expect(rules[0]).toEqual({
    name: 'latency',
    when: { model: 'fast', route: 'image', prompt: 'fox', every: 2, after: 1, first: 10, probability: 0.5 },
    effect: {
      kind: 'latency',
      settings: { constant: 250, lognormal: { median: 1500, sigma: 0.4 }, stall: { probability: 0.1, for: 60_000 } },
    },
  });
  expect(rules[2]?.effect.settings).toMatchObject({ answer: 'refuse', status: 422, code: 'content_moderated' });
  expect(rules.map(({ name }) => name)).toEqual(['latency', 'stall', 'moderation', 'mismatch', 'slower', 'latency-3']);
});

describe('what is wrong in a behaviour file', () => {
  const rule = (text: string) => `behaviour: 1\nrules:\n  - ${text}\n`;
  test.each([
    [rule('latncy: {}'), '3:5: unknown key "latncy"; did you mean "latency"?'],
    [rule('latency: { constat: 5s }'), '3:16: unknown key "constat"; did you mean "constant"?'],
    [rule('mismatch: { share: 1 }'), '3:17: unknown key "share"; remove it'],
    [rule('one_bit:\n    when:\n      modell: fast'), '5:7: unknown key "modell"; did you mean "model"?'],
    [rule('error: { status: 200 }'), '3:22: "status" must be at least 400, not 200; write 400 or more'],
    [rule('latency: { constant: 5 }'), '3:26: "constant" must be a string, not 5; write for example 250ms, 2s or 1m'],
    [rule('latency: { constant: 25h }'), '3:26: "constant" is too long; a day is the longest'],
    [rule('one_bit:\n    crash:'), '3:5: a rule has one effect, this one has one_bit and crash; write a rule for each'],
    [rule('when: {}'), '3:5: a rule has one effect, this one has none; write a rule for each'],
    [
      rule('{ name: a, one_bit: {} }\n  - { name: a, crash: {} }'),
      '4:5: another rule is named "a"; give this one a name of its own',
    ],
    ['behaviour: 2\nrules: []\n', '1:12: "behaviour" must be 1, not 2; write 1'],
    [
      'behaviour: 1\nrules: x\n',
      '2:8: "rules" must be a list, not "x"; write for example [{ error: { status: 400 } }]',
    ],
    [
      '',
      '1:1: this must be a mapping, but is empty; write for example { behaviour: 1, rules: [{ error: { status: 400 } }] }',
    ],
  ])('a wrong behaviour file %j is refused at its place, with a remedy', (text, expected) => {
    const parsed = parseBehaviour(text, 'b.yaml');
    expect(parsed.ok ? [] : parsed.diagnostics.map(formatDiagnostic)).toContain(`b.yaml:${expected}`);
  });
});
