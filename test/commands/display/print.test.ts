import { expect, it } from 'vitest';
import { printDiagnostics } from '../../../src/commands/display/print.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

it('errors that one remedy mends: the first three of many are printed, the others counted', () => {
  const edge = memoryEdge('/');
  const at = (line: number, remedy: string) => {
    return { place: { file: 'p.csv', line, column: 1 }, cause: `the text of row ${line} is empty`, remedy };
  };
  const many = Array.from({ length: 12 }, (_, index) => at(index + 2, 'write a prompt'));
  printDiagnostics(edge, [...many, at(20, 'write another')]);
  expect(edge.stderr().split('\n')).toEqual([
    'p.csv:2:1: the text of row 2 is empty; write a prompt',
    'p.csv:3:1: the text of row 3 is empty; write a prompt',
    'p.csv:4:1: the text of row 4 is empty; write a prompt',
    'p.csv:20:1: the text of row 20 is empty; write another',
    'p.csv: 9 more errors with the same remedy; write a prompt',
    '',
  ]);
});

it('errors that each have a remedy of their own: the first hundred are printed, the others counted', () => {
  const edge = memoryEdge('/');
  const errors = Array.from({ length: 300 }, (_, at) => ({ place: null, cause: 'it is wrong', remedy: `write ${at}` }));
  printDiagnostics(edge, errors);
  const lines = edge.stderr().trimEnd().split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([101, 'and 200 more; fix these first']);
});
