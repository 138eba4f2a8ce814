import type { Path } from '../../kit/document.ts';
import { isList } from '../../kit/json.ts';
import { nearest } from '../../kit/nearest.ts';
import type { Template } from '../language/template.ts';
import type { DeclaredEvents, DeclaredLater, DeclaredPoll, DeclaredState, DeclaredWait } from '../model/fields.ts';
import type {
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
import type { DeclaredTarget } from '../model/schema.ts';
import { mayAsk } from '../origins.ts';
import { type Check, cancelsOf, inFollowUp } from './check.ts';

type Lists = readonly (readonly [key: string, state: JobState, values: DeclaredState['success']])[];

function compileState(declared: DeclaredState, path: Path, check: Check): StateRule {
  const { at, success, failure, moderated, running, pending, absent = null } = declared;
  const lists: Lists = [
    ['success', 'success', success],
    ['failure', 'failure', failure],
    ['moderated', 'moderated', moderated],
    ['running', 'running', running],
    ['pending', 'pending', pending],
  ];
  const listed = compileLists(lists, path, check);
  if (absent !== 'success') checkEnd(listed, 'success', path, check);
  return { at, absent, listed };
}

function compileEvents(declared: DeclaredEvents, path: Path, check: Check): EventRule {
  const { name = null, done, failure, moderated, partial } = declared;
  const lists: Lists = [
    ['done', 'success', done],
    ['failure', 'failure', failure],
    ['moderated', 'moderated', moderated],
    ['partial', 'running', partial],
  ];
  const listed = compileLists(lists, path, check);
  checkEnd(listed, 'done', path, check);
  return { by: 'events', name, listed };
}

function compileLists(lists: Lists, path: Path, { refuse }: Check): readonly StateValues[] {
  const seen = new Map<string | number | boolean, string>();
  const listed: StateValues[] = [];
  for (const [key, state, values] of lists) {
    if (values === undefined) continue;
    if (!isList(values)) {
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

function checkEnd(listed: readonly StateValues[], key: string, path: Path, { refuse, isWhole }: Check): void {
  if (listed.some(({ state, values }) => state === 'success' && values.length > 0) || !isWhole('wait')) return;
  refuse(path, 'nothing says that a job is done', `add ${key}: a list of values`, 'key');
}

/** The requests after a submit, in the order in which each captures values for those that follow it. */
export function compileFollowUps(
  declared: DeclaredTarget,
  check: Check,
): { readonly wait: Wait | null; readonly hops: readonly Hop[] } {
  const { wait, fetch } = declared;
  const submitted = namesOf(wait?.capture);
  const polled = [...submitted, ...namesOf(wait?.poll?.capture)];
  const compile = (request: DeclaredLater, at: Path, known: readonly string[]) =>
    compileRequest(request, at, known, declared, check);
  // A job that succeeds need not give the values that only a cancel names.
  const needed = new Set(
    [...(wait?.poll === undefined ? [] : [wait.poll]), ...fetch]
      .flatMap((request) => jobReferences([], request))
      .filter(({ reference: { filters } }) => !filters.some(({ name }) => name === 'default'))
      .flatMap(({ reference }) => reference.path.slice(0, 1)),
  );
  const captured = (captures: DeclaredWait['capture'] = []): readonly Capture[] =>
    captures.map(({ name, at }) => ({ name, at, required: needed.has(name) }));
  const hops = fetch.map((hop, index) => {
    const known = [...polled, ...fetch.slice(0, index).flatMap(({ capture }) => namesOf(capture))];
    return { request: compile(hop, ['fetch', index], known), capture: captured(hop.capture) };
  });
  if (wait === undefined) return { wait: null, hops };
  const compilePoll = (poll: DeclaredPoll, state: DeclaredState): PollRule => ({
    by: 'poll',
    request: compile(poll, ['wait', 'poll'], submitted),
    minEveryMs: poll.min_every,
    deadlineMs: poll.deadline ?? null,
    state: compileState(state, ['wait', 'state'], check),
    capture: captured(poll.capture),
    cancel: cancelsOf(wait).map(({ request, at }) => {
      return { ...compile(request, at, submitted), method: request.method, body: request.body ?? null };
    }),
  });
  const until = compileUntil(wait, compilePoll, check);
  if (wait.cancel !== undefined && until?.by !== 'poll' && check.isWhole('wait')) {
    const cause = 'only a job that is polled can be cancelled';
    check.refuse(['wait', 'cancel'], cause, 'add poll and state, or remove it', 'key');
  }
  return { wait: { capture: captured(wait.capture), until }, hops };
}

function compileUntil(
  { capture = [], poll, state, events }: DeclaredWait,
  compilePoll: (poll: DeclaredPoll, state: DeclaredState) => PollRule,
  check: Check,
): Wait['until'] {
  if (events !== undefined) {
    if ((poll ?? state) !== undefined) {
      const remedy = 'keep events, or poll and state';
      check.refuse(['wait', 'events'], 'events and polls exclude each other', remedy, 'key');
    }
    return compileEvents(events, ['wait', 'events'], check);
  }
  if (poll !== undefined && state !== undefined) return compilePoll(poll, state);
  if (!check.isWhole('wait')) return null;
  const missing = poll === undefined ? 'poll' : 'state';
  if (poll !== state) check.refuse(['wait'], `"wait" has no ${missing}`, 'add poll and state', 'key');
  else if (capture.length === 0) check.refuse(['wait'], '"wait" is empty', 'add capture, poll and state', 'key');
  return null;
}

function compileRequest(
  request: DeclaredLater,
  at: Path,
  known: readonly string[],
  declared: DeclaredTarget,
  check: Check,
): FollowUp {
  const { path, url, headers = [], auth } = request;
  if ((path === undefined) === (url === undefined) && check.isWhole('wait', 'fetch')) {
    check.refuse(at, 'needs exactly one of `path` and `url`', 'write either path or url', 'key');
  }
  for (const { path: place, reference } of jobReferences(at, request)) {
    const [name = ''] = reference.path;
    if (known.includes(name) || !check.isWhole('wait', 'fetch')) continue;
    const near = nearest(name, known);
    const remedy = near === null ? `captured before it: ${known.join(', ') || 'nothing'}` : `did you mean "${near}"?`;
    check.refuse(place, `"job.${name}" is not captured by an earlier request`, remedy);
  }
  if (url !== undefined) checkOrigin(url, [...at, 'url'], declared, check);
  return {
    at: url === undefined ? 'path' : 'url',
    template: url ?? path ?? [],
    headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
    auth,
  };
}

function jobReferences(at: Path, request: DeclaredLater): ReturnType<typeof inFollowUp> {
  return inFollowUp(at, request).filter(({ reference }) => reference.namespace === 'job');
}

function namesOf(captures: DeclaredWait['capture'] = []): readonly string[] {
  return captures.map(({ name }) => name);
}

/** A literal URL must have a known origin: else each call would fail after it was charged. */
function checkOrigin(
  [first]: Template,
  path: Path,
  { base_url, origins }: DeclaredTarget,
  { refuse, isWhole }: Check,
): void {
  const [origin] = (first !== undefined && 'text' in first ? /^https?:\/\/[^/?#]+\//i.exec(first.text) : null) ?? [];
  if (origin === undefined || !URL.canParse(origin) || mayAsk(new URL(origin), origins, base_url)) return;
  if (!isWhole('origins', 'base_url')) return;
  refuse(path, `${new URL(origin).origin} is not one of the origins`, 'add it to origins.auth or origins.download');
}
