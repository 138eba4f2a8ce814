import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted } from '../../../src/kit/diagnostic.ts';
import { parseDocument, textsIn } from '../../../src/kit/document.ts';
import { expandEnvironment } from '../../../src/kit/environment.ts';
import { isList, type Json } from '../../../src/kit/json.ts';
import { PRESETS } from '../../fixtures/called-preset.ts';
import { NIGHTLY } from '../../test-options.ts';
import { readTarget, SMALLEST } from '../target-fixture.ts';

/** The value with another text, or key, at a path. */
function withText(value: Json, [step, ...rest]: readonly (string | number)[], text: string, at: 'key' | 'value'): Json {
  if (step === undefined) return text;
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item, index) => (index === step ? withText(item, rest, text, at) : item));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== step) return [key, item];
      return at === 'key' && rest.length === 0 ? [text, item] : [key, withText(item, rest, text, at)];
    }),
  );
}

test('a value that no reply gives is refused in every text and key of the presets', () => {
  const passed: string[] = [];
  const seen = new Set(['$schema']);
  for (const file of readdirSync(PRESETS, { recursive: true, encoding: 'utf8' }).filter((name) => /yaml$/.test(name))) {
    const document = parseDocument(file, readFileSync(join(PRESETS, file), 'utf8'));
    const { value } = accepted(document.ok ? expandEnvironment(document.value, {}) : document).document;
    for (const { path, text, at } of textsIn(value)) {
      const place = `${path.filter((step) => typeof step === 'string').join('.')} (${at})`;
      if (seen.has(place)) continue;
      seen.add(place);
      // Each costs a target that is read; all places in the long form.
      if (!NIGHTLY && seen.size % 3 > 0) continue;
      const read = readTarget(JSON.stringify(withText(value, path, `${text}\${job.nobody}`, at)));
      if ('target' in read) passed.push(`${file} ${place}`);
    }
  }
  expect(passed).toEqual([]);
  expect(seen.size).toBeGreaterThan(300);
});

test('"${" in a text that is not a template is refused at its place; "$${" and a template are not', () => {
  const wait = (at: string) => ({
    capture: { id: '$.id' },
    poll: { path: '/jobs/${job.id}', headers: { 'x-a': '$${literal}' } },
    state: { at, success: ['done'] },
  });
  const read = (keys: object) => readTarget(JSON.stringify({ ...SMALLEST, ...keys }, null, 1).replaceAll('\n', '\r\n'));
  expect(read({ wait: wait('$.state') })).toHaveProperty('target');
  expect(read({ wait: wait("$.jobs[?@.id=='${job.id}'].state") })).toEqual({
    wrong: [
      't.yaml:27:10: "${job.id}" is never filled in here: "wait.state.at" is not a template; write the text itself, or ${env.NAME}',
    ],
  });
  expect(read({ result: { from: 'url', at: '$.a.${job.id}' } })).toHaveProperty('wrong.length', 1);
});
