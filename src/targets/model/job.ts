import { z } from 'zod';
import { type Context, reportFault } from '../../kit/issue.ts';
import { isList } from '../../kit/json.ts';
import { duration } from '../../kit/scalars.ts';
import { headers, jsonTemplate, locators, pathTemplate, scalar, template } from './fields.ts';

/* The requests after a submit: how a job is waited for, ended, and led to its result. */

/** The state of a job in a reply. `pending` and `running` both mean: not yet. */
export type JobState = 'pending' | 'running' | 'success' | 'failure' | 'moderated';

export type PollState = Exclude<JobState, 'failure' | 'moderated'>;

const NAME = /^[A-Za-z0-9_-]+$/;

/** Values of a reply for `${job.<name>}`: names, and where they are. */
const captures = z.record(z.string(), locators).transform((given, context) =>
  Object.entries(given).map(([name, at]) => {
    const cause = `"${name}" cannot be named in a template`;
    if (!NAME.test(name)) reportFault(context, { cause, remedy: 'use letters, digits, - and _', at: 'key' }, [name]);
    return { name, at };
  }),
);

const stateValues = z.union([
  z.array(scalar),
  z.strictObject({ not: z.array(scalar).min(1).describe('Any value except these.') }),
]);

/** The state that the values of each key mean. */
type Meanings<Key extends string> = readonly (readonly [key: Key, state: JobState])[];
type StateList = z.output<typeof stateValues>;
type ListedValues<Key extends string> = { readonly [K in Key]?: StateList | undefined };

export interface StateValues {
  readonly state: JobState;
  readonly test: 'in' | 'not';
  readonly values: readonly (string | number | boolean)[];
}

function listedIn<Key extends string>(meanings: Meanings<Key>, lists: ListedValues<Key>): readonly StateValues[] {
  return meanings.flatMap(([key, state]): readonly StateValues[] => {
    const values: StateList | undefined = lists[key];
    if (values === undefined) return [];
    return [isList(values) ? { state, test: 'in', values } : { state, test: 'not', values: values.not }];
  });
}

/** @param end the key that says that a job is done; null: none has to */
function checkLists<Key extends string>(
  meanings: Meanings<Key>,
  lists: ListedValues<Key>,
  end: Key | null,
  context: Context,
): void {
  const seen = new Map<string | number | boolean, string>();
  let hasNot = false;
  for (const [key] of meanings) {
    const values: StateList = lists[key] ?? [];
    if (!isList(values)) {
      const remedy = 'list the values of all but one';
      if (hasNot) reportFault(context, { cause: 'only one state can be declared with not', remedy }, [key]);
      hasNot = true;
      continue;
    }
    for (const value of values) {
      const other = seen.get(value);
      if (other !== undefined) {
        reportFault(context, { cause: `"${value}" is listed as ${other} too`, remedy: 'keep one of them' }, [key]);
      }
      seen.set(value, other ?? key);
    }
  }
  const ends: StateList | null | undefined = end === null ? null : lists[end];
  if (ends !== undefined && !(isList(ends) && ends.length === 0)) return;
  reportFault(context, { cause: 'nothing says that a job is done', remedy: `add ${end}: a list of values`, at: 'key' });
}

const later = {
  path: pathTemplate('begin it with "/", or write url').optional().describe('The path below base_url, a template.'),
  url: template.optional().describe('The URL, a template, usually one that a reply gave; in place of `path`.'),
  headers: headers.optional().describe('Headers; an undefined one is dropped.'),
  auth: z.boolean().default(true).describe('Whether to send the credential, where origins.auth allows it.'),
};

type Later = z.output<z.ZodObject<typeof later>>;

function checkAddress({ path, url }: Pick<Later, 'path' | 'url'>, context: Context): void {
  if ((path === undefined) !== (url === undefined)) return;
  const remedy = 'write either path or url';
  reportFault(context, { cause: 'needs exactly one of `path` and `url`', remedy, at: 'key' });
}

/** `at`: a path below the base, or a URL that may come from a reply. It may only use `${job.*}` and `${const.*}`. */
function requestOf({ path = [], url, headers = [], auth }: Later) {
  return { at: url === undefined ? 'path' : 'url', template: url ?? path, headers, auth } as const;
}

const poll = z
  .strictObject({
    ...later,
    capture: captures.optional().describe('Values of the reply that says done, for ${job.<name>}.'),
    min_every: duration
      .default(1000)
      .describe('The shortest gap between two polls; 2 % of the elapsed time if that is longer.'),
    deadline: duration.optional().describe('How long a job may take, from its acceptance.'),
  })
  .superRefine(checkAddress)
  .transform(({ capture = [], min_every: minEveryMs, deadline: deadlineMs = null, ...request }) => {
    return { request: requestOf(request), minEveryMs, deadlineMs, capture };
  });

const cancel = z
  .strictObject({
    ...later,
    method: z.enum(['POST', 'PUT', 'DELETE']).default('POST').describe('The HTTP method.'),
    body: jsonTemplate().optional().describe('A JSON body; every text in it is a template.'),
  })
  .superRefine(checkAddress)
  .transform(({ method, body = null, ...request }) => ({ ...requestOf(request), method, body }));

const STATES = [
  ['success', 'success'],
  ['failure', 'failure'],
  ['moderated', 'moderated'],
  ['running', 'running'],
  ['pending', 'pending'],
] as const;

/** A value in no list is an error. */
const state = z
  .strictObject({
    at: locators.describe('The location of the state.'),
    absent: z.enum(['pending', 'running', 'success', 'failure']).optional().describe('The state if there is no value.'),
    pending: stateValues.optional().describe('Values that mean: not begun.'),
    running: stateValues.optional().describe('Values that mean: being worked on.'),
    success: stateValues.optional().describe('Values that mean: done.'),
    failure: stateValues.optional().describe('Values that mean: failed.'),
    moderated: stateValues.optional().describe('Values that mean: refused for its content.'),
  })
  .superRefine((lists, context) => checkLists(STATES, lists, lists.absent === 'success' ? null : 'success', context))
  .transform(({ at, absent = null, ...lists }) => ({ at, absent, listed: listedIn(STATES, lists) }));

const EVENTS = [
  ['done', 'success'],
  ['failure', 'failure'],
  ['moderated', 'moderated'],
  ['partial', 'running'],
] as const;

/** Until an event says that the job is done. */
const events = z
  .strictObject({
    name: locators.optional().describe('The location of the name of an event in its data; default: its `event` field.'),
    partial: stateValues.optional().describe('Events that mean: not yet.'),
    done: stateValues.describe('The event that says done; `result` is read from its data.'),
    failure: stateValues.optional().describe('Events that mean: failed.'),
    moderated: stateValues.optional().describe('Events that mean: refused for its content.'),
  })
  .superRefine((lists, context) => checkLists(EVENTS, lists, 'done', context))
  .transform(({ name = null, ...lists }) => ({ by: 'events' as const, name, listed: listedIn(EVENTS, lists) }));

export const waitSchema = z
  .strictObject({
    capture: captures.optional().describe('Values of the submit reply (events: of the last event), for ${job.<name>}.'),
    poll: poll.optional().describe('The poll for the state: a GET.'),
    state: state.optional().describe('How to read the state. A value that is not listed is an error.'),
    cancel: z
      .union([cancel, z.array(cancel).min(1).max(3)])
      .transform((given) => (isList(given) ? given : [given]))
      .optional()
      .describe(
        'How to end a job that was abandoned; all requests of a list are sent. 2xx, 404, 409 and 410 mean that it has ended.',
      ),
    events: events.optional().describe('Server-sent events in the reply to the submit; in place of poll and state.'),
  })
  .superRefine(({ capture = [], poll, state, cancel, events }, context) => {
    const refuse = (path: readonly string[], cause: string, remedy: string) =>
      reportFault(context, { cause, remedy, at: 'key' }, path);
    const polls = poll !== undefined && state !== undefined;
    if (events !== undefined && (poll ?? state) !== undefined) {
      refuse(['events'], 'events and polls exclude each other', 'keep events, or poll and state');
    } else if (events === undefined && !polls && (poll ?? state) !== undefined) {
      refuse([], `"wait" has no ${poll === undefined ? 'poll' : 'state'}`, 'add poll and state');
    } else if (events === undefined && !polls && capture.length === 0) {
      refuse([], '"wait" is empty', 'add capture, poll and state');
    }
    if (cancel === undefined || (polls && events === undefined)) return;
    refuse(['cancel'], 'only a job that is polled can be cancelled', 'add poll and state, or remove it');
  })
  .transform(({ capture = [], poll, state, cancel = [], events }) => {
    const polls = poll && state ? { by: 'poll' as const, ...poll, state, cancel } : null;
    return { capture, until: events ?? polls };
  })
  .describe('For endpoints that give a job: how to wait for it. Absent: synchronous.');

const hop = z
  .strictObject({ ...later, capture: captures.optional().describe('Values of the reply, for ${job.<name>}.') })
  .superRefine(checkAddress)
  .transform(({ capture = [], ...request }) => ({ request: requestOf(request), capture }));

export const fetchSchema = z
  .array(hop)
  .max(3)
  .describe('GETs between the answer and the result, which is then read from the last reply.');

/** For an endpoint whose reply to the submit is not its output. `until` null: captured values lead to the media. */
export type Wait = z.output<typeof waitSchema>;
export type PollRule = Extract<Wait['until'], { by: 'poll' }>;
export type EventRule = Extract<Wait['until'], { by: 'events' }>;
export type StateRule = PollRule['state'];
/** All are sent when the job is abandoned. */
export type CancelRequest = PollRule['cancel'][number];
export type Hop = z.output<typeof hop>;
export type FollowUp = Hop['request'];
export type Capture = Hop['capture'][number];
