import { z } from 'zod';
import {
  captures,
  compileValue,
  duration,
  headers,
  jsonTemplate,
  locators,
  pathTemplate,
  scalar,
  template,
} from './fields.ts';

const stateValues = z.union([
  z.array(scalar),
  z.strictObject({ not: z.array(scalar).min(1).describe('Any value except these.') }),
]);

const later = {
  path: pathTemplate('begin it with "/", or write url').optional().describe('The path below base_url, a template.'),
  url: template.optional().describe('The URL, a template, usually one that a reply gave; in place of `path`.'),
  headers: headers.optional().describe('Headers; an undefined one is dropped.'),
  auth: z.boolean().default(true).describe('Whether to send the credential, where origins.auth allows it.'),
};

const poll = z.strictObject({
  ...later,
  capture: captures.optional().describe('Values of the reply that says done, for ${job.<name>}.'),
  min_every: duration
    .default(1000)
    .describe('The shortest gap between two polls; 2 % of the elapsed time if that is longer.'),
  deadline: duration.optional().describe('How long a job may take, from its acceptance.'),
});

const cancel = z.strictObject({
  ...later,
  method: z.enum(['POST', 'PUT', 'DELETE']).default('POST').describe('The HTTP method.'),
  body: jsonTemplate().optional().describe('A JSON body; every text in it is a template.'),
});

const state = z.strictObject({
  at: locators.describe('The location of the state.'),
  absent: z.enum(['pending', 'running', 'success', 'failure']).optional().describe('The state if there is no value.'),
  pending: stateValues.optional().describe('Values that mean: not begun.'),
  running: stateValues.optional().describe('Values that mean: being worked on.'),
  success: stateValues.optional().describe('Values that mean: done.'),
  failure: stateValues.optional().describe('Values that mean: failed.'),
  moderated: stateValues.optional().describe('Values that mean: refused for its content.'),
});

const events = z.strictObject({
  name: locators.optional().describe('The location of the name of an event in its data; default: its `event` field.'),
  partial: stateValues.optional().describe('Events that mean: not yet.'),
  done: stateValues.describe('The event that says done; `result` is read from its data.'),
  failure: stateValues.optional().describe('Events that mean: failed.'),
  moderated: stateValues.optional().describe('Events that mean: refused for its content.'),
});

export const waitSchema = z
  .strictObject({
    capture: captures.optional().describe('Values of the submit reply (events: of the last event), for ${job.<name>}.'),
    poll: poll.optional().describe('The poll for the state: a GET.'),
    state: state.optional().describe('How to read the state. A value that is not listed is an error.'),
    cancel: z
      .union([cancel, z.array(cancel).min(1).max(3)])
      .optional()
      .describe(
        'How to end a job that was abandoned; all requests of a list are sent. 2xx, 404, 409 and 410 mean that it has ended.',
      ),
    events: events.optional().describe('Server-sent events in the reply to the submit; in place of poll and state.'),
  })
  .describe('For endpoints that give a job: how to wait for it. Absent: synchronous.');

const hop = z.strictObject({
  ...later,
  capture: captures.optional().describe('Values of the reply, for ${job.<name>}.'),
});

export const fetchSchema = z
  .array(hop)
  .max(3)
  .describe('GETs between the answer and the result, which is then read from the last reply.');

export const signSchema = z
  .strictObject({
    as: z.literal('jwt-hs256').describe('A JSON Web Token signed with HMAC SHA-256.'),
    key: template.describe('The secret key, a template: ${secret.NAME}.'),
    claims: z
      .record(z.string(), scalar)
      .default({})
      .transform((given, context) => compileValue(given, context))
      .describe('Claims of the token beside its times, templates: { iss: "${secret.NAME}" }.'),
    expires_in: duration.default(1_800_000).describe('The life of a token (exp); it is signed again after half of it.'),
    not_before: duration.optional().describe('How long before its signing it is valid (nbf), for clocks that differ.'),
  })
  .transform(({ key, claims, expires_in: expiresMs, not_before: notBeforeMs = null }) => {
    return { key, claims, expiresMs, notBeforeMs };
  })
  .describe('A token that is signed for each call; ${run.jwt} in auth.value stands for it.');

export type DeclaredWait = z.output<typeof waitSchema>;
export type DeclaredPoll = z.output<typeof poll>;
export type DeclaredEvents = z.output<typeof events>;
export type DeclaredState = z.output<typeof state>;
export type DeclaredLater = z.output<typeof hop>;
