import { z } from 'zod';
import { DURATION, parseDurationMs } from '../suite/duration.ts';
import { locators } from './schema-locator.ts';

/*
 * The parts of the format that describe jobs: read in full, so that a target file is checked as a whole, and refused
 * where the call does not support them yet.
 */

const template = z.string();
const duration = z
  .string()
  .regex(DURATION, 'must be a duration; write 250ms, 2s, 10m or 1h')
  .transform((text) => parseDurationMs(text) ?? 0);
const scalars = z.array(z.union([z.string(), z.number(), z.boolean()]));
const captures = z.record(z.string(), locators);

const poll = z.strictObject({
  path: template.optional().describe('The path to ask at, a template.'),
  url: template.optional().describe('The URL to ask at, a template; in place of `path`.'),
  min_every: duration.default(1000).describe('The shortest gap between two polls.'),
  deadline: duration.optional().describe('When to give up, from the acceptance of the job.'),
});

const state = z.strictObject({
  at: locators.describe('Where the state stands.'),
  absent: z.enum(['pending', 'running', 'success', 'failure']).optional().describe('What it means that none is there.'),
  pending: scalars.optional().describe('Values that mean: not begun.'),
  running: scalars.optional().describe('Values that mean: being worked on.'),
  success: scalars.optional().describe('Values that mean: done.'),
  failure: scalars.optional().describe('Values that mean: failed.'),
  moderated: scalars.optional().describe('Values that mean: refused for its content.'),
});

export const waitSchema = z
  .strictObject({
    capture: captures.optional().describe('Values of the submit reply, for ${job.<name>}.'),
    poll: poll.optional().describe('How to ask whether it is done.'),
    state: state.optional().describe('How the answer is read. A value that is not listed is an error.'),
    events: z.json().optional().describe('Server-sent events that end with the result.'),
  })
  .describe('For endpoints that give a job: how to wait for it (not yet supported). Absent: synchronous.');

export const fetchSchema = z
  .array(
    z.strictObject({
      path: template.optional().describe('A path below base_url, a template.'),
      url: template.optional().describe('A URL, a template; in place of `path`.'),
      auth: z.boolean().optional().describe('Whether the credential goes along, where origins.auth allows it.'),
      capture: captures.optional().describe('Values of the reply, for ${job.<name>}.'),
    }),
  )
  .max(3)
  .describe('Requests between the job and its result (not yet supported).');

export const signSchema = z.json().describe('A signature over the request (not yet supported).');
