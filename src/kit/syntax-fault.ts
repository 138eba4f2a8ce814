import { isCollection, isScalar, type Node, visit, type Document as YamlDocument } from 'yaml';
import type { Fault } from './diagnostic.ts';

interface SyntaxFault extends Fault {
  readonly offset: number;
}

type YamlError = YamlDocument['errors'][number];

/**
 * The first syntax error of a document; null if none. Others may follow from it and name wrong lines, as keys after an
 * unclosed quote.
 */
export function findSyntaxFault(document: YamlDocument, source: string): SyntaxFault | null {
  const [error] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (error !== undefined) return faultOf(error, document, source);
  const version = document.directives?.yaml.version;
  if (version === undefined || version === '1.2') return null;
  return { offset: 0, cause: `YAML ${version} is declared`, remedy: 'remove the %YAML line' };
}

function faultOf({ code, message, pos }: YamlError, document: YamlDocument, source: string): SyntaxFault {
  const [offset] = pos;
  const open = code === 'MISSING_CHAR' || code === 'BAD_INDENT' ? openingOf(document, offset, source) : null;
  if (open !== null) {
    const mark = source.charAt(open);
    const what = mark === '"' || mark === "'" ? 'quote' : 'bracket';
    return {
      offset: open,
      cause: `this ${what} is not closed`,
      remedy: `add ${CLOSING[mark] ?? mark} behind the value`,
    };
  }
  switch (code) {
    case 'TAB_AS_INDENT':
      return { offset, cause: 'a tab is used as indentation', remedy: 'indent with spaces' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return source.charAt(firstWord(source, offset)) === '-'
        ? badColumn(offset, source)
        : secondKey(document, offset, source);
    case 'MULTILINE_IMPLICIT_KEY':
    case 'MISSING_CHAR':
      if (isInBrackets(document, offset)) {
        return {
          offset,
          cause: 'no ":" or comma before this value',
          remedy: 'put ":" between a key and its value, and a comma between two items',
        };
      }
      return source.charAt(offset) === '-' && offset < source.length
        ? { offset, cause: 'a list item where a key belongs', remedy: 'indent it below the key of its list' }
        : {
            offset,
            cause: 'a key without ":" and value',
            remedy: 'write "key: value", or indent it as part of the value above',
          };
    case 'BAD_INDENT':
      return badColumn(offset, source);
    case 'BLOCK_IN_FLOW':
      return {
        offset,
        cause: 'no comma after this value',
        remedy: 'put a comma between the items, or the text in quotes',
      };
    case 'BAD_SCALAR_START':
      return { offset, cause: `a value cannot begin with ${source.charAt(offset)}`, remedy: 'put it in quotes' };
    case 'BAD_DQ_ESCAPE':
      return { offset, cause: lowerFirst(message), remedy: 'write \\\\ for a backslash' };
    case 'TAG_RESOLVE_FAILED':
      return { offset, cause: lowerFirst(message), remedy: 'put the value in quotes' };
    case 'UNEXPECTED_TOKEN':
      return /[\]},]/.test(source.charAt(offset))
        ? { offset, cause: 'this mark does not belong here', remedy: 'remove it, or put the value in quotes' }
        : { offset, cause: 'more text behind the end of a value', remedy: 'put the whole value in quotes' };
    default:
      return { offset, cause: lowerFirst(message), remedy: 'write YAML 1.2 or JSON' };
  }
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

function openingOf(document: YamlDocument, before: number, source: string): number | null {
  let depth: number | null = null;
  visit(document, {
    Node: (_, node) => {
      const begin = node.range?.[0] ?? before;
      if (begin < before && isOpen(node, source)) depth = begin;
    },
  });
  return depth;
}

function isOpen(node: Node, source: string): boolean {
  const [begin, end] = node.range ?? [0, 0];
  const written = source.slice(begin, end);
  if (isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')) {
    return written.length < 2 || !written.endsWith(written.charAt(0));
  }
  return isCollection(node) && node.flow === true && !written.endsWith(CLOSING[written.charAt(0)] ?? '');
}

/** There the rules are those of JSON: no indentation, and commas. */
function isInBrackets(document: YamlDocument, offset: number): boolean {
  let isInside = false;
  visit(document, {
    Collection: (_, { flow, range }) => {
      const [begin = offset, end = offset] = range ?? [];
      if (flow === true && begin < offset && offset < end) isInside = true;
    },
  });
  return isInside;
}

const ALIGN = 'align it with the keys or items that it belongs to';

function badColumn(offset: number, source: string): SyntaxFault {
  return {
    offset: firstWord(source, offset),
    cause: 'this line begins at another column than those above',
    remedy: ALIGN,
  };
}

function secondKey(document: YamlDocument, offset: number, source: string): SyntaxFault {
  const whole = document.errors.find(({ code, pos: [begin] }) => code === 'MULTILINE_IMPLICIT_KEY' && begin === offset);
  if (whole === undefined) {
    return {
      offset,
      cause: 'a second ": " on this line',
      remedy: 'put the text in quotes, or the mapping on lines of its own',
    };
  }
  const lineEnd = source.indexOf('\n', offset);
  return {
    offset: firstWord(source, lineEnd + 1),
    cause: 'this line is indented further than the one above, which has a value already',
    remedy: ALIGN,
  };
}

function firstWord(source: string, offset: number): number {
  const spaces = /^[ ]*/.exec(source.slice(offset, offset + 1000))?.[0].length ?? 0;
  return offset + spaces;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
