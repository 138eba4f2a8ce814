// @ts-check

/*
 * The tables of results/README.md: what the fields of a record mean, as the JSON Schemas of its files say it. A marker
 * names the file and the shape: `<!-- fields of run/Calibration -->` a row for each field, `<!-- codes of journal/Stop -->`
 * a row for each code of a union, of objects or of codes alone, but for those that a table above has. A field that means what the last one of
 * its name above means, or of its name at its place, is only named.
 */

/**
 * What of JSON Schema is read here.
 *
 * @typedef {{
 *   readonly description?: string; readonly $ref?: string; readonly $defs?: Readonly<Record<string, Schema>>;
 *   readonly const?: unknown; readonly enum?: readonly unknown[];
 *   readonly anyOf?: readonly Schema[]; readonly oneOf?: readonly Schema[];
 *   readonly properties?: Readonly<Record<string, Schema>>; readonly additionalProperties?: Schema | false;
 *   readonly items?: Schema;
 * }} Schema
 */

const MARKED = /(<!-- (fields|codes) of (\w+)\/(\w+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Fields that mean the same wherever they stand: a table of codes only names them. */
const EVERYWHERE = ['variant', 'variants', 'segment', 'atMs', 'trial', 'step', 'httpStatus', 'errorCode', 'message'];

/** @type {Readonly<Record<string, string>>} */
const FILES = { journal: 'journal.jsonl', facts: 'facts.jsonl', scores: 'scores.jsonl', history: 'history.jsonl' };

/** More codes than these are explained in the text: those of a field that is described, and of one that is not. */
const MOST_CODES = 8;
const MOST_PLAIN_CODES = 24;

/**
 * The text with its tables made again. A shape is laid out where it comes first, unless it has a table of its own.
 *
 * @param {string} text
 * @param {Readonly<Record<string, Schema>>} schemas of the files of a record, by name
 */
export function withFieldTables(text, schemas) {
  /** Where shapes are laid out, by reference; null for a table of their own. @type {Map<string, string | null>} */
  const places = new Map([...text.matchAll(MARKED)].map(([, , , , shape]) => [`#/$defs/${shape}`, null]));
  /** What the last field of a name means, and of a name with its place. @type {Map<string, string>} */
  const said = new Map();
  return text.replace(MARKED, (_all, begin, sort, file, shape, end) => {
    const tables = tablesOf(schemas[file]?.$defs ?? {}, { places, said }, FILES[file] ?? `${file}.json`);
    const rows = sort === 'fields' ? tables.fieldRows(shape) : tables.codeRows(shape);
    return `${begin}\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${end}`;
  });
}

/**
 * @param {Readonly<Record<string, Schema>>} shapes by name
 * @param {{ readonly places: Map<string, string | null>; readonly said: Map<string, string> }} above
 * @param {string} file
 */
function tablesOf(shapes, { places, said }, file) {
  /** @type {(schema: Schema) => Schema} */
  const resolved = ({ $ref, ...own }) => ({
    ...($ref === undefined ? {} : shapes[$ref.replace('#/$defs/', '')]),
    ...own,
  });

  /** The branches of a union, also of one within it. @type {(schema: Schema) => readonly Schema[]} */
  const branchesOf = (schema) => {
    const branches = resolved(schema).oneOf ?? resolved(schema).anyOf;
    return branches === undefined ? [resolved(schema)] : branches.flatMap(branchesOf);
  };

  /**
   * The values that a schema is about: itself, those of a list, those under any name.
   *
   * @type {(schema: Schema) => readonly Schema[]}
   */
  const partsOf = (schema) => {
    const { items, additionalProperties, anyOf = [], oneOf = [], properties } = resolved(schema);
    const inner = [
      ...anyOf,
      ...oneOf,
      ...(items ? [items] : []),
      ...(additionalProperties && !properties ? [additionalProperties] : []),
    ];
    return inner.length === 0 || schema.$ref !== undefined ? [schema] : inner.flatMap(partsOf);
  };

  /** What a field says of itself, else what its shape says. @type {(schema: Schema) => string} */
  const meaningIn = (schema) =>
    [schema, ...partsOf(schema)].map((part) => meaningOf(resolved(part))).find((meaning) => meaning !== '') ?? '';

  /**
   * The rows of a field, and of what is in it.
   *
   * @type {(name: string, schemas: readonly Schema[], meanings: readonly string[]) => string[][]}
   */
  const rowsOfField = (name, schemas, meanings) => {
    const parts = schemas.flatMap(partsOf);
    const known = parts.flatMap(({ $ref = '' }) => places.get($ref) ?? []).filter((place) => place !== name);
    const meaning = [...new Set(meanings)].filter((each) => each !== '').join('; ');
    const inner = parts.filter(({ $ref = '' }) => !places.has($ref));
    const { rows, named } = rowsOf(inner.flatMap(branchesOf), `${name}.`);
    const laidOut = rows.length + named.length === 0 ? [] : inner.flatMap(({ $ref }) => $ref ?? []);
    for (const reference of laidOut) places.set(reference, `\`${name}\` in ${file}`);
    const also = named.length === 0 ? [] : [`${named.join(', ')} as above`];
    const words = [meaning, ...new Set(known.map((place) => `as ${place}`)), ...also].filter(Boolean).join('; ');
    return [[`\`${name}\``, words], ...rows];
  };

  /**
   * The rows of fields, and the names of those that a row above has already.
   *
   * @type {(objects: readonly Schema[], prefix: string) => { readonly rows: string[][]; readonly named: string[] }}
   */
  const rowsOf = (objects, prefix) => {
    const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))];
    const tag = names.find((name) => isTagOf(objects, name));
    /** @type {string[]} */
    const named = [];
    const rows = names.flatMap((name) => {
      const schemas = objects.flatMap(({ properties }) => properties?.[name] ?? []);
      const [longest = ''] = schemas.map(meaningIn).sort((a, b) => b.length - a.length);
      const meanings =
        name === tag
          ? objects.map(({ description }, at) =>
              [codesOf(schemas[at] ?? {}).join(', '), sentence(description)].join(': '),
            )
          : [schemas.every(({ description }) => description === undefined) ? codesIn(schemas) || longest : longest];
      const fieldRows = rowsOfField(`${prefix}${name}`, schemas, meanings);
      const [, words = ''] = fieldRows[0] ?? [];
      const known = [name, `in ${prefix}${name}`];
      const isSaid = fieldRows.length === 1 && known.some((as) => said.get(as) === words);
      for (const as of known) said.set(as, words);
      if (isSaid) named.push(`\`${name}\``);
      return isSaid ? [] : fieldRows;
    });
    return { rows, named };
  };

  return {
    /** @param {string} shape */
    fieldRows: (shape) => {
      const { rows, named } = rowsOf(branchesOf(shapes[shape] ?? {}), '');
      const also = named.length === 0 ? [] : [[named.join(', '), 'As above']];
      return [['field', 'meaning'], ['---', '---'], ...also, ...rows];
    },
    /** @param {string} shape */
    codeRows: (shape) => {
      const { oneOf = [], anyOf = oneOf } = shapes[shape] ?? {};
      const branches = anyOf.filter(({ $ref = '' }) => !places.has($ref)).flatMap(branchesOf);
      if (branches.every(isCode)) {
        const rows = branches.map((branch) => [codesOf(branch).join(', '), sentence(branch.description)]);
        return [['`code`', 'meaning'], ['---', '---'], ...rows];
      }
      for (const { $ref } of anyOf) if ($ref !== undefined) places.set($ref, null);
      const properties = branches[0]?.properties ?? {};
      const tag = Object.keys(properties).find((name) => isCode(properties[name])) ?? '';
      const rows = branches.map(({ description, properties = {} }) => {
        const fields = Object.entries(properties).filter(([name]) => name !== tag && name !== 'unfit');
        const named = fields.map(([name, field]) => {
          const meaning = meaningIn(field);
          const isSaid = said.get(name) === meaning;
          said.set(name, meaning);
          return meaning === '' || isSaid || EVERYWHERE.includes(name)
            ? `\`${name}\``
            : `\`${name}\`: ${meaning.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())}`;
        });
        return [codesOf(properties[tag] ?? {}).join(', '), sentence(description), named.join('; ')];
      });
      return [[`\`${tag}\``, 'meaning', 'fields'], ['---', '---', '---'], ...rows];
    },
  };
}

/** Whether a field tells the branches of a union apart. @param {readonly Schema[]} objects @param {string} name */
function isTagOf(objects, name) {
  const codes = objects.map(({ description, properties }) =>
    description === undefined ? '' : codesOf(properties?.[name] ?? {}).join(),
  );
  return objects.length > 1 && !codes.includes('') && new Set(codes).size === codes.length;
}

/** @param {Schema | undefined} schema */
function isCode(schema) {
  return typeof (schema?.const ?? schema?.enum?.[0]) === 'string';
}

/** @param {readonly Schema[]} schemas */
function codesIn(schemas) {
  const codes = [...new Set(schemas.flatMap(codesOf))];
  return codes.length > MOST_PLAIN_CODES ? 'A code that the text explains' : codes.join(', ');
}

/** @param {Schema} schema */
function codesOf({ const: only, enum: several }) {
  return (several ?? (only === undefined ? [] : [only])).map((code) => `\`${String(code)}\``);
}

/** What a field means, with the codes that it may be where there are few. @param {Schema} schema */
function meaningOf(schema) {
  const codes = [schema, ...(schema.anyOf ?? [])].flatMap(codesOf);
  const text = sentence(schema.description);
  const isSaid = codes.length > MOST_CODES || codes.every((code) => text.includes(code));
  if (isSaid) return text;
  return text === '' ? codes.join(', ') : `${text} (${codes.join(', ')})`;
}

/** In a cell of a table. @param {string | undefined} description */
function sentence(description) {
  return (description ?? '').replace(/\.$/, '').replaceAll('|', '\\|');
}
