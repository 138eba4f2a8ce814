import { dirname } from 'node:path';
import { shownPath } from '../../../suite/load.ts';
import { visibleLine } from '../../../text/visible.ts';
import { plural } from '../../../text/wording.ts';
import type { PlanSource } from '../../setup/plan/sources.ts';

export function describeSources(sources: readonly PlanSource[], cwd: string): readonly string[] {
  const variables = sources.filter(({ kind }) => kind !== 'file');
  const files = sources.filter(({ kind }) => kind === 'file');
  const lines = [
    ...variables.map(({ kind, name, set, to }) => line(`${name} (${kind}${set === true ? '' : ', not set'})`, to)),
    ...byFolder(files, cwd),
  ];
  return lines.length === 0
    ? []
    : ['', 'Taken from the environment and from files, and where each may be sent:', ...lines];
}

function line(name: string, to: PlanSource['to']): string {
  const origins = to.map((origin) => (origin === '*' ? 'any origin' : origin));
  return `  ${visibleLine(`${name}: ${origins.join(', ')}`)}`;
}

const MANY = 6;

function byFolder(files: readonly PlanSource[], cwd: string): readonly string[] {
  const folders = new Map<string, PlanSource[]>();
  for (const file of files) {
    // Files of one folder may go to different origins.
    const key = [dirname(file.name), ...file.to].join('\n');
    const together = folders.get(key) ?? [];
    together.push(file);
    folders.set(key, together);
  }
  return [...folders.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined || together.length < MANY) {
      return together.map(({ name, to }) => line(shownPath(name, cwd), to));
    }
    const folder = shownPath(dirname(first.name), cwd);
    return [line(`${folder} (${plural(together.length, 'file')})`, first.to)];
  });
}
