import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/kit/diagnostic.ts';
import { parseDocument } from '../../src/kit/document.ts';
import { expandEnvironment } from '../../src/kit/environment.ts';

function expand(text: string, env: Record<string, string>) {
  const document = parseDocument('a.yaml', text);
  if (!document.ok) throw new Error('the text is YAML');
  return expandEnvironment(document.value, env);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the environment', () => {
  test('the environment stands in for references anywhere in a string, at any depth, and is kept as digests only', () => {
    const expanded = expand('a: "http://${env.HOST}:${env.PORT:-80}/"\nb: [{ c: "${env.HOST}" }]\n', {
      HOST: 'h.test',
    });
    expect(expanded.ok && expanded.value.document.value).toEqual({ a: 'http://h.test:80/', b: [{ c: 'h.test' }] });
    expect(expanded.ok && expanded.value.used).toEqual({ HOST: sha256('h.test'), PORT: sha256('80') });
  });

  test('the environment falls back to the default, colons and all, when unset or empty', () => {
    for (const env of [{}, { RETAKE_BASE_URL: '' }]) {
      const expanded = expand('base_url: ${env.RETAKE_BASE_URL:-embedded:}\n', env as Record<string, string>);
      expect(expanded.ok && expanded.value.document.value).toEqual({ base_url: 'embedded:' });
    }
  });

  test('the environment leaves the write language and escapes alone', () => {
    const text = 'a: "${secret.KEY} ${case.prompt | default(1)} $${env.X}"\n';
    const expanded = expand(text, {});
    expect(expanded.ok && expanded.value.document.value).toEqual({
      a: '${secret.KEY} ${case.prompt | default(1)} $${env.X}',
    });
    expect(expanded.ok && expanded.value.used).toEqual({});
  });

  const FAULTS: Readonly<Record<string, string>> = {
    'a: 1\nb: ${env.NOPE}\n': '2:4: the environment variable NOPE is not set; set it, or write ${env.NOPE:-default}',
    'b: ${env.constructor}\n':
      '1:4: the environment variable constructor is not set; set it, or write ${env.constructor:-default}',
    'b: "${env.A-B}"\n': '1:4: "${env." is not followed by a valid name; write ${env.NAME} or ${env.NAME:-default}',
    'b: "${env.A"\n': '1:4: "${env." is not followed by a valid name; write ${env.NAME} or ${env.NAME:-default}',
    'b: ${env.EVIL}\n': '1:4: the value of the environment variable EVIL holds "${"; give it a value without "${"',
  };
  test.each(Object.entries(FAULTS))('the reference %j gets a diagnostic', (text, says) => {
    const expanded = expand(text, { EVIL: '${secret.RETAKE_API_KEY}' });
    expect(expanded.ok ? [] : expanded.diagnostics.map(formatDiagnostic)).toEqual([`a.yaml:${says}`]);
  });
});
