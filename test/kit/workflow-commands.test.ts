import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCommands } from '../../src/kit/visible.ts';

/** What a runner of GitHub sees of texts that are written one after the other. */
function written(...texts: readonly string[]): string {
  return texts.map(withoutCommands()).join('');
}

describe('text in the log of a job', () => {
  it('text in the log of a job is no command, in whatever parts it is written, and looks as it was sent', () => {
    const pieces = fc.constantFrom('::', ':', '##[', '#', '[', 'error', ' ', '\u00a0', '\t', '\n', '\r', '{', '"', 'x');
    fc.assert(
      fc.property(fc.array(fc.array(pieces).map((parts) => parts.join(''))), (texts) => {
        const log = written(...texts);
        for (const line of log.split(/[\r\n]/)) {
          expect(line).not.toMatch(/^\s*::(?!\u200b)|##\[(?!\u200b)/);
        }
        expect(log.replaceAll('\u200b', '').replaceAll('\\u0023', '#')).toBe(texts.join(''));
      }),
    );
  });

  it('text in the log of a job keeps its values where it is JSON', () => {
    const value = { message: ' ::stop-commands::x ##[error]y', list: ['##[group]'] };
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const log = written(json.slice(0, json.indexOf('#') + 1), json.slice(json.indexOf('#') + 1), '\n');
      expect(log).not.toContain('##[');
      expect(JSON.parse(log)).toEqual(value);
    }
  });
});
