import type { Path } from '../../kit/document.ts';
import { nearest } from '../../kit/nearest.ts';
import type { Namespace, Template } from '../language/write-template.ts';
import type {
  CancelRequest,
  Capture,
  EventRule,
  FollowUp,
  Hop,
  JobState,
  PollRule,
  StateRule,
  StateValues,
  Wait,
} from '../model/job.ts';
import { mayAsk, type Origins } from '../model/origins.ts';
import type { Compiler } from './compile.ts';
import { checkHeaderName } from './compile-request.ts';
import type { DeclaredTarget } from './schema.ts';
import type { DeclaredCancel, DeclaredEvents, DeclaredLater, DeclaredState, DeclaredWait } from './schema-job.ts';

type Lists = readonly (readonly [key: string, state: JobState, values: DeclaredState['success']])[];

function compileState(declared: DeclaredState, path: Path, compiler: Compiler): StateRule {
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

function compileEvents(declared: DeclaredEvents, path: Path, compiler: Compiler): EventRule {
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

const LATER: readonly Namespace[] = ['job', 'const'];
const NAME = /^[A-Za-z0-9_-]+$/;

interface Later {
  readonly wait: Wait | null;
  readonly hops: readonly Hop[];
}

export function compileFollowUps(
  { wait, fetch }: DeclaredTarget,
  origins: Pick<DeclaredTarget, 'base_url'> & { readonly origins: Origins },
  compiler: Compiler,
): Later {
  const known: string[] = [];
  const waiting = wait === undefined ? null : compileWaiting(wait, known, origins, compiler);
  const requests = fetch.map((hop, index) => {
    const request = compileRequest(hop, ['fetch', index], known, origins, compiler);
    known.push(...Object.keys(hop.capture ?? {}));
    return request;
  });
  // Only after every template was read the needed values are known.
  const needed = neededValues(compiler);
  const captures = (declared: DeclaredWait['capture'], path: Path): readonly Capture[] =>
    Object.entries(declared ?? {}).map(([name, at]) => ({
      name,
      at: compiler.locators([...path, name], at),
      required: needed.has(name),
    }));
  const until =
    waiting?.by === 'poll'
      ? {
          ...waiting,
          capture: captures(wait?.poll?.capture, ['wait', 'poll', 'capture']),
          // Read last: a job that succeeds need not give the values that only a cancel names.
          cancel: compileCancel(wait ?? {}, origins, compiler),
        }
      : waiting;
  if (wait?.cancel !== undefined && until?.by !== 'poll') {
    compiler.refuse(
      ['wait', 'cancel'],
      'only a job that is polled can be cancelled',
      'add poll and state, or remove it',
      'key',
    );
  }
  return {
    wait: wait === undefined ? null : { capture: captures(wait.capture, ['wait', 'capture']), until },
    hops: requests.map((request, index) => ({
      request,
      capture: captures(fetch[index]?.capture, ['fetch', index, 'capture']),
    })),
  };
}

/** Names that a template takes from `job` without a default. */
function neededValues(compiler: Compiler): ReadonlySet<string> {
  const references = compiler.references().filter(({ namespace }) => namespace === 'job');
  const bare = references.filter(({ filters }) => !filters.some(({ name }) => name === 'default'));
  return new Set(bare.flatMap(({ path }) => path.slice(0, 1)));
}

function compileWaiting(
  { capture = {}, poll, state, events }: DeclaredWait,
  known: string[],
  origins: Parameters<typeof compileFollowUps>[1],
  compiler: Compiler,
): Omit<PollRule, 'capture' | 'cancel'> | EventRule | null {
  checkNames(capture, ['wait', 'capture'], compiler);
  known.push(...Object.keys(capture));
  if (events !== undefined) {
    if ((poll ?? state) !== undefined) {
      compiler.refuse(
        ['wait', 'events'],
        'events and polls exclude each other',
        'keep events, or poll and state',
        'key',
      );
    }
    return compileEvents(events, ['wait', 'events'], compiler);
  }
  if (poll === undefined || state === undefined) {
    const missing = poll === undefined ? 'poll' : 'state';
    if (poll !== state) compiler.refuse(['wait'], `"wait" has no ${missing}`, 'add poll and state', 'key');
    else if (Object.keys(capture).length === 0) {
      compiler.refuse(['wait'], '"wait" is empty', 'add capture, poll and state', 'key');
    }
    return null;
  }
  const request = compileRequest(poll, ['wait', 'poll'], known, origins, compiler);
  known.push(...Object.keys(poll.capture ?? {}));
  return {
    by: 'poll',
    request,
    minEveryMs: poll.min_every,
    deadlineMs: poll.deadline ?? null,
    state: compileState(state, ['wait', 'state'], compiler),
  };
}

function compileRequest(
  { path, url, headers = {}, auth, capture = {} }: DeclaredLater,
  at: Path,
  known: readonly string[],
  origins: Parameters<typeof compileFollowUps>[1],
  compiler: Compiler,
): FollowUp {
  checkNames(capture, [...at, 'capture'], compiler);
  if ((path === undefined) === (url === undefined)) {
    compiler.refuse(at, 'needs exactly one of `path` and `url`', 'write either path or url', 'key');
  }
  if (path !== undefined && !path.startsWith('/') && !path.startsWith('${')) {
    compiler.refuse([...at, 'path'], `the path "${path}" is not below base_url`, 'begin it with "/", or write url');
  }
  const key = url === undefined ? 'path' : 'url';
  const template = jobTemplate([...at, key], url ?? path ?? '', known, compiler);
  if (url !== undefined) checkOrigin(template, [...at, 'url'], origins, compiler);
  return {
    at: key,
    template,
    headers: Object.entries(headers).map(([name, value]) => {
      checkHeaderName([...at, 'headers', name], name, compiler);
      return [name.toLowerCase(), jobTemplate([...at, 'headers', name], value, known, compiler)];
    }),
    auth,
  };
}

/** Cancel requests: they can use what the submit reply gave. */
function compileCancel(
  { capture = {}, cancel = [] }: DeclaredWait,
  origins: Parameters<typeof compileFollowUps>[1],
  compiler: Compiler,
): readonly CancelRequest[] {
  const known = Object.keys(capture);
  const at = (index: number): Path => (isList(cancel) ? ['wait', 'cancel', index] : ['wait', 'cancel']);
  const declared = isList(cancel) ? cancel : [cancel];
  return declared.map((one, index) => {
    const request = compileRequest(one, at(index), known, origins, compiler);
    const body = one.body === undefined ? null : compiler.value([...at(index), 'body'], one.body, LATER);
    return { ...request, method: one.method, body };
  });
}

function isList(cancel: DeclaredCancel | readonly DeclaredCancel[]): cancel is readonly DeclaredCancel[] {
  return Array.isArray(cancel);
}

function jobTemplate(path: Path, text: string, known: readonly string[], compiler: Compiler): Template {
  const before = compiler.references().length;
  const template = compiler.template(path, text, LATER);
  for (const { namespace, path: members } of compiler.references().slice(before)) {
    const [name = ''] = members;
    if (namespace !== 'job' || known.includes(name)) continue;
    const near = nearest(name, known);
    const remedy = near === null ? `captured before it: ${known.join(', ') || 'nothing'}` : `did you mean "${near}"?`;
    compiler.refuse(path, `"job.${name}" is not captured by an earlier request`, remedy);
  }
  return template;
}

/** A literal URL must have a known origin: else each call would fail after it was charged. */
function checkOrigin(
  [first]: Template,
  path: Path,
  { base_url, origins }: Parameters<typeof compileFollowUps>[1],
  { refuse }: Compiler,
): void {
  const [origin] = (first !== undefined && 'text' in first ? /^https?:\/\/[^/?#]+\//i.exec(first.text) : null) ?? [];
  if (origin === undefined || !URL.canParse(origin) || mayAsk(new URL(origin), origins, base_url)) return;
  refuse(path, `${new URL(origin).origin} is not one of the origins`, 'add it to origins.auth or origins.download');
}

function checkNames(captures: Readonly<Record<string, unknown>>, path: Path, { refuse }: Compiler): void {
  for (const name of Object.keys(captures)) {
    if (!NAME.test(name))
      refuse([...path, name], `"${name}" cannot be named in a template`, 'use letters, digits, - and _', 'key');
  }
}
