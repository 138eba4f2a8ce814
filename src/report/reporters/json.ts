import type { AnalysisDocument } from '../../analysis/analysis.ts';
import type { Reporter } from '../reporter.ts';

/** The analysis and what was compared, one line for each element of a long list: it reads and diffs well. */
export const json: Reporter<'json'> = {
  format: 'json',
  description: 'the whole analysis as one document',
  render: ({ analysis, comparisons }) => {
    const document: AnalysisDocument = { ...analysis, comparisons };
    return [{ name: 'analysis.json', content: lines(document) }];
  },
};

/** A piece for each top-level key, and for each element of a top-level list. */
function lines(document: object): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield '{';
      let comma = '\n';
      for (const [key, value] of Object.entries(document)) {
        if (value === undefined) continue;
        yield `${comma}  ${JSON.stringify(key)}: `;
        yield* Array.isArray(value) ? list(value) : [indented(value)];
        comma = ',\n';
      }
      yield '\n}\n';
    },
  };
}

function* list(items: readonly unknown[]): Generator<string> {
  if (items.length === 0) return yield '[]';
  let comma = '[\n';
  for (const item of items) {
    yield `${comma}    ${JSON.stringify(item)}`;
    comma = ',\n';
  }
  yield '\n  ]';
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}
