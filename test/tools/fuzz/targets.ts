import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseDocument } from '../../../src/kit/document.ts';
import type { Json } from '../../../src/kit/json.ts';
import { locate, locateAll, parseLocator, showLocator } from '../../../src/targets/language/locator.ts';
import { parseTemplate, renderTemplate } from '../../../src/targets/language/template.ts';
import { encodeBody } from '../../../src/targets/outgoing.ts';
import { parseTarget } from '../../../src/targets/parse-target.ts';
import { hintedMs, readableReply } from '../../../src/targets/reply/reply.ts';
import { refuseRequest, renderSubmit, requestDigest } from '../../../src/targets/request.ts';
import { variantOf } from '../../targets/target-fixture.ts';
import { assertAnswered } from './answered.ts';
import { broken, brokenText } from './break-json.ts';
import { property } from './property.ts';

/** Every preset, as text. */
const PRESETS = readdirSync('suites/targets', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => readFileSync(join('suites/targets', name), 'utf8'));

/** Variables that stay unset in a real environment would end most inputs at the first check. */
const ENVIRONMENT: Readonly<Record<string, string>> = { COMFYUI_GRAPH: 'graph.json' };

const CASE = {
  id: 'fox',
  text: 'A red fox, "leaping"\n💥',
  tags: [],
  kinds: null,
  images: [],
  mask: null,
  inputs: { size: '16:9', seconds: 2 },
  place: { file: 'suite.yaml', line: 1, column: 1 },
};

function holdTarget(text: string): void {
  const document = parseDocument('t.yaml', text);
  assertAnswered(document);
  if (!document.ok) return;
  const parsed = parseTarget(document.value, ENVIRONMENT);
  assertAnswered(parsed);
  if (!parsed.ok) return;
  const target = parsed.value;
  assert.deepEqual(structuredClone(target), target);
  if (target.kind === 'judge') return;
  const variant = variantOf(target);
  const inputs = { case: CASE as never, seed: 7 };
  if (refuseRequest(variant, inputs).length > 0) return;
  const secrets = Object.fromEntries(target.secrets.map((name) => [name, 'key']));
  const digest = requestDigest(variant, inputs);
  const scope = { baseUrl: 'http://127.0.0.1:9', secrets, unique: 'u', digest };
  const [one, other] = [renderSubmit(variant, inputs, scope), renderSubmit(variant, inputs, scope)];
  assert.deepEqual(encodeBody(one.body), encodeBody(other.body));
  assert.ok(new URL(one.url).host === '127.0.0.1:9');
}

const LOCATORS = [
  'status',
  'body',
  'header:x-seed',
  '$.list[1].url',
  '$..url',
  "$.list[?@.url == 'b'].url",
  "$.list[?length(@.url) > 0 && match(@.url, 'a.*')]",
  '$[*][0:9:2]',
  'json:$.info > $.deeper > $.x[0]',
  "json:$['a>b']",
];

const TEMPLATES = [
  '${case.prompt}',
  'seed=${case.seed};',
  '$${case.prompt} ${case.size | wxh}',
  "${case.style | default('it\\'s } here')}",
  '${case.size | pick(width) | str | int}',
  '${case.image | b64}',
  '${job.urls.0} ${const.__proto__}',
];

const VALUES = { prompt: 'a "fox"\n', seed: 42, size: { width: 16, height: 9 }, tags: ['a'], none: null } as const;

const HINTS = ['120', '1.5s', '2026-11-20T15:45:00Z', 'Fri, 20 Nov 2026 15:45:00 GMT', '1m30s', 'PT5S', '-1', '1e308'];

export const TARGET_PROPERTIES = [
  property({
    kind: 'targets',
    promise: 'a target is refused with place, cause and remedy, or is plain data that renders the same request twice',
    share: 14,
    inputs: broken(PRESETS.map((text) => parse(text) as Json)).map((document) => JSON.stringify(document, null, 1)),
    hold: holdTarget,
  }),
  property({
    kind: 'target-texts',
    promise: 'the text of a target is refused with place, cause and remedy, or is plain data',
    share: 6,
    inputs: brokenText(PRESETS),
    hold: holdTarget,
  }),
  property({
    kind: 'locators',
    promise: 'a locator is refused with cause and remedy, or reads any reply and is shown as it was written',
    share: 10,
    inputs: fc.record({
      source: brokenText(LOCATORS),
      body: fc.oneof(
        broken([{ list: [{ url: 'a' }, { url: 'b' }], info: '{"deeper":"{\\"x\\":[1]}"}', 'a>b': 1 }]).map((body) =>
          JSON.stringify(body),
        ),
        brokenText(['{"list":[{"url":"a"}],"n":-0,"m":1e999}']),
      ),
    }),
    hold: ({ source, body }) => {
      const parsed = parseLocator(source);
      if (!parsed.ok) {
        assert.ok(parsed.cause !== '' && parsed.remedy !== '');
        return;
      }
      const reply = readableReply({ status: 200, headers: [['x-seed', body.slice(0, 100)]], body: Buffer.from(body) });
      const found = locate(parsed.locator, reply);
      const [first] = locateAll(parsed.locator, reply);
      assert.deepEqual(found, first);
      const again = parseLocator(showLocator(parsed.locator));
      assert.ok(again.ok);
      assert.deepEqual(again.locator, parsed.locator);
    },
  }),
  property({
    kind: 'templates',
    promise: 'a template is refused with column, cause and remedy, or renders a value or says what is missing',
    share: 8,
    inputs: brokenText(TEMPLATES),
    hold: (text) => {
      const parsed = parseTemplate(text);
      if (!parsed.ok) {
        assert.ok(parsed.errors.length > 0);
        for (const { column, cause, remedy } of parsed.errors) {
          assert.ok(column >= 1 && column <= text.length + 1 && cause !== '' && remedy !== '');
        }
        return;
      }
      const problems: string[] = [];
      renderTemplate(parsed.template, { values: { case: VALUES, const: {}, job: {} }, files: 'digest' }, problems);
    },
  }),
  property({
    kind: 'retry-hints',
    promise: 'the wait that a server asks for is a finite time, or is not understood',
    share: 4,
    inputs: brokenText(HINTS),
    hold: (text) => {
      const waitMs = hintedMs(text);
      assert.ok(waitMs === null || Number.isFinite(waitMs), `${waitMs}`);
    },
  }),
];
