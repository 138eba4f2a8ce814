import { describe, expect, test } from 'vitest';
import { parseBehaviour } from '../../../src/service/behaviour/parse-behaviour.ts';

function problemsOf(text: string): readonly string[] {
  const parsed = parseBehaviour(text, 'b.yaml');
  return parsed.ok ? [] : parsed.problems;
}

test('a file with every effect is read, durations in milliseconds and defaults filled in', () => {
  const parsed = parseBehaviour(
    `behaviour: 1
seed: 9
rules:
  - latency: { constant: 250ms, lognormal: { median: 1.5s, sigma: 0.4 }, stall: { probability: 0.1, for: 1m } }
    when: { model: fast, route: image, prompt: fox, every: 2, after: 1, first: 10, probability: 0.5 }
  - stall: { at: 20s, for: 3s }
  - rate_limit: { requests: 10, per: 1m }
  - error: { status: 424, code: no_tokens, message: No tokens left, retry_after: 2s }
  - moderation: { answer: refuse }
  - seed_ignored: {}
  - seed_omitted: { seed: 42 }
  - mismatch:
  - cached: { header: x-cache }
  - batch_dependent: {}
  - one_bit:
  - metadata_noise:
  - slow_worker: { factor: 1.2 }
  - crash:
  - truncated_body: {}
  - truncated_png: { keep: 0.25 }
  - content_type: { as: application/octet-stream }
  - html: {}
  - drop_connection: { at: after_headers }
  - slow_body: { over: 2s }
  - redirect: { host: localhost }
  - latency: { constant: 1s }
    name: slower
  - latency: { constant: 1s }
`,
    'b.yaml',
  );
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  const { seed, rules } = parsed.behaviour;
  expect(seed).toBe(9);
  expect(rules[0]).toEqual({
    name: 'latency',
    when: { model: 'fast', route: 'image', prompt: 'fox', every: 2, after: 1, first: 10, probability: 0.5 },
    effect: {
      kind: 'latency',
      settings: { constant: 250, lognormal: { median: 1500, sigma: 0.4 }, stall: { probability: 0.1, for: 60_000 } },
    },
  });
  expect(rules[4]?.effect).toEqual({
    kind: 'moderation',
    settings: { answer: 'refuse', status: 422, code: 'content_moderated', message: expect.any(String) },
  });
  expect(rules[20]?.effect).toEqual({ kind: 'redirect', settings: { status: 303, host: 'localhost' } });
  expect(rules.slice(21).map((rule) => rule.name)).toEqual(['slower', 'latency-3']);
});

describe('what is wrong is said where it is, with a remedy', () => {
  test.each([
    ['behaviour: 1\nrules:\n  - latncy: {}\n', 'b.yaml:3:5: unknown key "latncy"; did you mean "latency"?'],
    [
      'behaviour: 1\nrules:\n  - latency: { constat: 5s }\n',
      'b.yaml:3:16: unknown key "constat"; did you mean "constant"?',
    ],
    [
      'behaviour: 1\nrules:\n  - one_bit:\n    when:\n      modell: fast\n',
      'b.yaml:5:7: unknown key "modell"; did you mean "model"?',
    ],
    [
      'behaviour: 1\nrules:\n  - error: { status: 200 }\n',
      'b.yaml:3:22: "rules.0.error.status" is too small; the least is 400.',
    ],
    [
      'behaviour: 1\nrules:\n  - latency: { constant: 5 }\n',
      'b.yaml:3:26: "rules.0.latency.constant" is not a valid duration; write for example 250ms, 2s or 1m.',
    ],
    [
      'behaviour: 1\nrules:\n  - one_bit:\n    crash:\n',
      'b.yaml:3:5: a rule has one effect, this one has one_bit and crash; write a rule for each.',
    ],
    [
      'behaviour: 1\nrules:\n  - when: {}\n',
      'b.yaml:3:5: a rule has one effect, this one has none; write a rule for each.',
    ],
    [
      'behaviour: 1\nrules:\n  - { name: a, one_bit: {} }\n  - { name: a, crash: {} }\n',
      'b.yaml:4:5: another rule is named "a"; give this one a name of its own.',
    ],
    ['behaviour: 2\nrules: []\n', 'b.yaml:1:12: "behaviour" must be 1; write it.'],
    ['behaviour: 1\nrules: x\n', 'b.yaml:2:8: "rules" is missing or of the wrong type; write a list.'],
    ['', 'b.yaml:1:1: the file is empty or of the wrong type; write keys and values.'],
    [
      'behaviour: 1\nrules:\n  - redirect: {}\n',
      'b.yaml:3:15: "rules.0.redirect" needs one of host and to; give either.',
    ],
  ])('a wrong behaviour file %j is refused at its place, with a remedy', (text, expected) => {
    expect(problemsOf(text)).toContain(expected);
  });

  test.each(['', 'a: [', 'null', '- 1', '&a [*a]', '"', 'behaviour: 1\nbehaviour: 1\nrules: []\n', '\u0000'])(
    'the text %j is not a behaviour file',
    (text) => {
      const problems = problemsOf(text);
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem).toMatch(/^b\.yaml:\d+:\d+: [^\n]+; [^\n]+[.?]$/);
    },
  );
});
