import type { Outputs } from './outputs.ts';

const TEXT = 'text: ';

/** Of equal differences so many are printed. */
const MOST_ALIKE = 3;

/** Lines that say what differs between two builds, and how much of it is not expected. */
export interface Differences {
  readonly lines: readonly string[];
  readonly unexpected: number;
}

/**
 * @param expected lines `NAMES => reason` of outputs that are meant to differ, `*` stands for any text; and lines
 *   `text: OLD => NEW` of a text that is meant to be another one, in any output
 */
export function differencesOf(was: Outputs, after: Outputs, expected: readonly string[]): Differences {
  const texts = expected
    .filter((line) => line.startsWith(TEXT))
    .map((line) => line.slice(TEXT.length).replaceAll('\\n', '\n').split(' =>'));
  const before = new Map(
    [...was].map(([name, output]) => [
      name,
      texts.reduce((text, [old = '', now = '']) => text.replaceAll(old, now.trim()), output),
    ]),
  );
  const reasonFor = (name: string) => expected.find((line) => patternOf(line).test(name))?.split(' => ')[1] ?? null;
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const differing = names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({ name, reason: reasonFor(name) }));
  const alike = new Map<string, string[]>();
  for (const { name, reason } of differing) {
    const difference = reason === null ? firstDifference(before.get(name), after.get(name)) : `intended: ${reason}`;
    alike.set(difference, [...(alike.get(difference) ?? []), shortened(name, 0, 160)]);
  }
  const lines = [...alike].flatMap(([difference, shown]) => [
    ...shown.slice(0, MOST_ALIKE),
    ...(shown.length > MOST_ALIKE ? [`and ${shown.length - MOST_ALIKE} more:`] : []),
    `    ${difference}`,
  ]);
  const unexpected = differing.filter(({ reason }) => reason === null).length;
  const closing = `${names.length} outputs compared, ${unexpected} differ, ${differing.length - unexpected} as intended`;
  return { lines: [...lines, closing], unexpected };
}

function patternOf(line: string): RegExp {
  const [names = ''] = line.split(' => ');
  return new RegExp(`^${names.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
}

/** The first line that two texts do not share, from shortly before where it differs. */
function firstDifference(before = '(no such output)', after = '(no such output)'): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const at = a.findIndex((text, line) => text !== b[line]);
  const line = at === -1 ? a.length : at;
  const [one = '(ends)', two = '(ends)'] = [a[line], b[line]];
  let column = 0;
  while (column < one.length && one[column] === two[column]) column += 1;
  const [was, is] = [one, two].map((text) => shortened(text, Math.max(0, column - 40), 110));
  return `line ${line + 1} before: ${was}\n    line ${line + 1} after:  ${is}`;
}

function shortened(text: string, from: number, length: number): string {
  const piece = text
    .slice(from, from + length)
    .replaceAll('\u001b', '\\e')
    .replaceAll('\n', ' ');
  return `${from === 0 ? '' : '…'}${piece}${from + length < text.length ? '…' : ''}`;
}
