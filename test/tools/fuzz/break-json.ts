import fc from 'fast-check';
import type { Json } from '../../../src/kit/json.ts';

/*
 * Documents that are almost right: a valid one with a few things changed. Text drawn at random rarely gets past the
 * first check.
 */

const LONG = 'long '.repeat(4000);

/** Values that programs stumble over, beside any JSON. */
const hostile: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Json>(
      ...[1e308, -1e308, 5e-324, -0, 0, -1, 1, 0.1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1e21, 64, 65, 1000],
      ...['', ' ', 'NaN', 'Infinity', '-0', '1e999', '0x10', '٣', 'null', '~', 'true', '5%', '1e308%', '0ms', '1e300s'],
      ...['2/s', '16:9', '0:0', '1x1', '99999999999999999999x1', '../../etc/passwd', '/dev/zero', '.', 'a/b', 'a\\b'],
      ...['__proto__', 'constructor', 'toString', '${', '${}', '${env.HOME', '${env.UNSET:-x}', '${secret.KEY}'],
      ...['${case.prompt}', '${const.__proto__}', '${case.prompt | b64 | b64 | int}', '$${', '$', '$..*', '$[?@.a==1]'],
      ...['status', 'body', 'header:x', 'json:$>$', 'http://[', 'http://a b', 'file:///etc/passwd', 'embedded:'],
      ...['\u0000', '\ud800', '\u202e', '\ufeff', '\u2028', '\r\n', '\u001b[2J', '💥', 'é', 'e\u0301', '=cmd|x', '<b>'],
      ...['2026-11-20T15:45:00.000Z', '9999-99-99', 'a'.repeat(64), LONG],
      null,
      true,
      false,
      [],
      {},
      [[]],
      { a: {} },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => value as Json) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 300 }).map(nested) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.double().map((number) => (Number.isFinite(number) ? number : 0)) },
);

function nested(depth: number): Json {
  let value: Json = depth;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { n: value };
  return value;
}

const CHANGES = ['replace', 'replace', 'replace', 'remove', 'rename', 'add', 'wrap', 'repeat', 'swap'] as const;

interface Change {
  readonly what: (typeof CHANGES)[number];
  /** Which of the document's values, counted from its root. */
  readonly at: number;
  readonly value: Json;
  readonly key: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(...CHANGES),
  at: fc.nat({ max: 1e6 }),
  value: hostile,
  key: fc.oneof(
    fc.constantFrom(
      ...['__proto__', 'constructor', 'toString', 'valueOf', 'toJSON', 'then', 'length', 'hasOwnProperty'],
      ...['id', 'name', 'text', 'on', 'at', ' ', '', '\u202e', 'a.b', '0'],
    ),
    fc.string(),
  ),
});

/** Valid documents with up to five changes. */
export function broken(documents: readonly Json[]): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(change, { minLength: 0, maxLength: 5 }))
    .map(([document, changes]) => changes.reduce(changed, structuredClone(document)));
}

/** One place of a document: what holds a value, and under which key. */
interface Place {
  readonly holder: { [key: string]: Json } | Json[];
  readonly key: string | number;
}

function changed(document: Json, { what, at, value: drawn, key }: Change): Json {
  // Two changes may draw one value: put into itself, it would have no end.
  const value = structuredClone(drawn);
  const root: { [key: string]: Json } = { document };
  const places = placesIn(root);
  const place = places[at % places.length];
  if (place === undefined) return document;
  const now = valueAt(place);
  switch (what) {
    case 'replace':
      put(place, value);
      break;
    case 'remove':
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
      else if (place.holder !== root) delete place.holder[place.key];
      break;
    case 'rename':
      if (Array.isArray(place.holder) || place.holder === root) break;
      delete place.holder[place.key];
      put({ holder: place.holder, key }, now);
      break;
    case 'add':
      if (Array.isArray(now)) now.push(value);
      else if (typeof now === 'object' && now !== null) put({ holder: now as { [key: string]: Json }, key }, value);
      break;
    case 'wrap':
      put(place, at % 2 === 0 ? [now] : { [key]: now });
      break;
    case 'repeat':
      if (Array.isArray(now)) put(place, Array.from({ length: 20 }, () => structuredClone(now)).flat() as Json);
      break;
    case 'swap': {
      const other = places[(at * 7 + 3) % places.length];
      if (other !== undefined) put(place, structuredClone(valueAt(other)));
    }
  }
  return root.document ?? null;
}

function placesIn(root: { [key: string]: Json }): readonly Place[] {
  const places: Place[] = [];
  const visit = (holder: Place['holder'], key: string | number): void => {
    places.push({ holder, key });
    const value = valueAt({ holder, key });
    if (Array.isArray(value)) for (const index of value.keys()) visit(value as Json[], index);
    else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) visit(value as { [key: string]: Json }, name);
    }
  };
  visit(root, 'document');
  return places;
}

function valueAt({ holder, key }: Place): Json {
  const value = Array.isArray(holder) ? holder[Number(key)] : holder[key];
  return value ?? null;
}

/** Defined, not assigned: `__proto__` is a key like any other here, as JSON.parse makes it. */
function put({ holder, key }: Place, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Texts with up to four cuts, repetitions and insertions. */
export function brokenText(texts: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 60 }),
    insert: fc.oneof(
      fc.constantFrom(
        '',
        '\n',
        '\t',
        '  ',
        '"',
        "'",
        '[',
        '{',
        '}',
        ']',
        ':',
        '- ',
        '&a ',
        '*a',
        '!!binary ',
        '|\n',
        '#',
      ),
      fc.constantFrom(
        '\r\n',
        '\u0000',
        '\ufeff',
        '\ud800',
        '\u202e',
        '1e308',
        '-0',
        'NaN',
        '${',
        '}',
        '---\n',
        '? ',
        '<<: ',
      ),
      fc.constantFrom('['.repeat(2000), '{a: '.repeat(200), '"'.repeat(999), '- '.repeat(500), 'x'.repeat(20_000)),
      fc.string({ unit: 'binary' }),
    ),
  });
  return fc.tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((now, { at, length, insert }) => {
      const from = Math.floor(at * now.length);
      return now.slice(0, from) + insert + now.slice(from + length);
    }, text),
  );
}
