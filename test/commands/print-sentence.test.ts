import { describe, expect, it } from 'vitest';
import { printCommand, printSentence, printText, type TextSink } from '../../src/commands/edge.ts';

const SENTENCE = 'this machine is overloaded: load average 18.5 on 2 cores; wait until other work has ended';

function printed(print: (sink: TextSink) => void, sink: Partial<TextSink> = {}): string {
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  print({ write, interactive: true, colour: false, width: 40, height: 24, ...sink });
  return text;
}

describe('a sentence on standard error', () => {
  it('a sentence on standard error is broken between words on a terminal, and indented from the second line on', () => {
    expect(printed((sink) => printSentence(sink, SENTENCE))).toBe(
      'this machine is overloaded: load\n  average 18.5 on 2 cores; wait until\n  other work has ended\n',
    );
  });

  it('a sentence on standard error is one line where no terminal is, for programs that read lines', () => {
    expect(printed((sink) => printSentence(sink, SENTENCE), { interactive: false })).toBe(`${SENTENCE}\n`);
  });

  it('a sentence on standard error spells out what a terminal would hide or obey', () => {
    const said = printed((sink) => printSentence(sink, 'left out a\u202eb\u001b[31m: two\nlines'), { width: 100 });
    expect(said).toBe('left out a\\u202eb\\u001b[31m: two\\nlines\n');
  });

  it('a sentence on standard error keeps a path whole, so that it can be copied', () => {
    const path = '/home/somebody/benchmarks/results/nightly/20261122T145308Z-67b8/report.html';
    expect(printed((sink) => printSentence(sink, `cannot read ${path} again`)).split('\n')).toContain(`  ${path}`);
  });

  it('a sentence on standard error has its command on a line of its own where both do not fit into one', () => {
    const command = "retake run --resume 'results/my suite/20261122T145308Z-67b8'";
    const said = { sentence: 'to resume this run', command };
    expect(printed((sink) => printCommand(sink, said))).toBe(`to resume this run:\n  ${command}\n`);
    expect(printed((sink) => printCommand(sink, said), { width: 120 })).toBe(`to resume this run: ${command}\n`);
    expect(printed((sink) => printCommand(sink, said), { interactive: false })).toBe(
      `to resume this run: ${command}\n`,
    );
  });

  it('a text on a terminal goes on below a long line, further in than it began', () => {
    const text = 'Load: closed\n  fast: own/fake at http://127.0.0.1:9701, model 60, 37 requests\n';
    expect(printed((sink) => printText(sink, text))).toBe(
      'Load: closed\n  fast: own/fake at\n    http://127.0.0.1:9701, model 60, 37\n    requests\n',
    );
    expect(printed((sink) => printText(sink, text), { interactive: false })).toBe(text);
  });

  it('a sentence on standard error has no character of Unicode in a terminal that shows none', () => {
    expect(printed((sink) => printSentence(sink, '1,480 requests – all'), { ascii: true })).toBe(
      '1,480 requests - all\n',
    );
  });
});
