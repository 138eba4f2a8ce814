import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isList, isObject, type Json, type JsonObject, ownValue } from '../../../kit/json.ts';

/** A block of lines, a block within a line, or a place. */
const MARK =
  /^ *# \{\{([#^])([\w-]+)\}\}\n(.*?)^ *# \{\{\/\2\}\}\n|\{\{([#^])(\w+)\}\}([^\n]*?)\{\{\/\5\}\}|\{\{(\w+|\.)\}\}/gms;

const TEMPLATES = fileURLToPath(new URL('../../../../suites/templates', import.meta.url));

/**
 * Fills a file of `suites/templates`, in a subset of Mustache: `{{name}}` is a place. `{{#name}}` to `{{/name}}` is left
 * out without a value, and repeated for each item of a list; `{{.}}` is the item. `{{^name}}` is its opposite. A mark in
 * a line of its own is a comment, so that a template is YAML.
 */
export function fillTemplate(file: string, values: JsonObject): string {
  return fill(readFileSync(join(TEMPLATES, file), 'utf8'), values);
}

/** In one pass: what fills a place is not searched for marks. */
function fill(template: string, values: JsonObject): string {
  let filled = '';
  let at = 0;
  for (const match of template.matchAll(MARK)) {
    const [mark, linesSign, linesName, lines = '', inlineSign, inlineName, inline = '', place] = match;
    const value = valueIn(values, place ?? linesName ?? inlineName ?? '');
    const sign = linesSign ?? inlineSign;
    filled += template.slice(at, match.index);
    filled += sign === undefined ? String(value) : fillBlock(sign === '#', lines || inline, value, values);
    at = match.index + mark.length;
  }
  return filled + template.slice(at);
}

function fillBlock(isKept: boolean, block: string, value: Json, values: JsonObject): string {
  const items = isList(value) ? value : value === null || value === false || value === '' ? [] : [value];
  if (!isKept) return items.length === 0 ? fill(block, values) : '';
  return items.map((item) => fill(block, { ...values, ...(isObject(item) ? item : { '.': item }) })).join('');
}

function valueIn(values: JsonObject, name: string): Json {
  const value = ownValue(values, name);
  if (value === undefined) throw new Error(`a template names ${name}, which has no value`);
  return value;
}

/** Words that YAML 1.1 or 1.2 does not read as text. */
const NO_TEXT = /^(true|false|yes|no|on|off|y|n|null|inf|nan)$/i;

/** Quoted only if needed, also valid inside a flow mapping. */
export function yamlText(text: string): string {
  const plain = /^[A-Za-z/][\w./:-]*$/.test(text) && !text.endsWith(':') && !NO_TEXT.test(text);
  return plain ? text : JSON.stringify(text);
}

export function yamlScalar(value: Json | undefined): string {
  return typeof value === 'string' ? yamlText(value) : String(value);
}
