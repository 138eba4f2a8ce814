import type { Path } from '../../suite/document/document.ts';
import type { EventRule, JobState, StateRule, StateValues } from '../model/job.ts';
import type { Compiler } from './compile.ts';
import type { DeclaredEvents, DeclaredState } from './schema-job.ts';

type Lists = readonly (readonly [key: string, state: JobState, values: DeclaredState['success']])[];

export function compileState(declared: DeclaredState, path: Path, compiler: Compiler): StateRule {
  const { success, failure, moderated, running, pending, absent = null } = declared;
  const lists: Lists = [
    ['success', 'success', success],
    ['failure', 'failure', failure],
    ['moderated', 'moderated', moderated],
    ['running', 'running', running],
    ['pending', 'pending', pending],
  ];
  const listed = compileLists(lists, path, compiler);
  if (absent !== 'success') checkEnd(listed, 'success', path, compiler);
  return { at: compiler.locators([...path, 'at'], declared.at), absent, listed };
}

export function compileEvents(declared: DeclaredEvents, path: Path, compiler: Compiler): EventRule {
  const { name, done, failure, moderated, partial } = declared;
  const lists: Lists = [
    ['done', 'success', done],
    ['failure', 'failure', failure],
    ['moderated', 'moderated', moderated],
    ['partial', 'running', partial],
  ];
  const listed = compileLists(lists, path, compiler);
  checkEnd(listed, 'done', path, compiler);
  return { by: 'events', name: name === undefined ? null : compiler.locators([...path, 'name'], name), listed };
}

function compileLists(lists: Lists, path: Path, { refuse }: Compiler): readonly StateValues[] {
  const seen = new Map<string | number | boolean, string>();
  const listed: StateValues[] = [];
  for (const [key, state, values] of lists) {
    if (values === undefined) continue;
    if (!Array.isArray(values)) {
      if (listed.some(({ test }) => test === 'not')) {
        refuse([...path, key], 'only one state can be declared with not', 'list the values of all but one');
      }
      listed.push({ state, test: 'not', values: values.not });
      continue;
    }
    for (const value of values) {
      const other = seen.get(value);
      if (other !== undefined) refuse([...path, key], `"${value}" is listed as ${other} too`, 'keep one of them');
      seen.set(value, other ?? key);
    }
    listed.push({ state, test: 'in', values });
  }
  return listed;
}

function checkEnd(listed: readonly StateValues[], key: string, path: Path, { refuse }: Compiler): void {
  if (listed.some(({ state, values }) => state === 'success' && values.length > 0)) return;
  refuse(path, 'nothing says that a job is done', `add ${key}: a list of values`, 'key');
}
