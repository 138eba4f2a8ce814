import type { Redact } from '../../kit/redact.ts';
import { type Readable, showLocator, showLocators } from '../language/locator.ts';
import type { PollState, StateRule } from '../model/job.ts';
import type { FailRule } from '../model/schema.ts';
import { classifyFailure, readState, stateOfStatus } from '../reply/fail.ts';
import { askedGetWaitMs, asText, bodySnippet, showReply } from '../reply/reply.ts';
import { retryOf } from './context.ts';
import type { Classified } from './get.ts';
import type { CallFailure } from './trace.ts';

/**
 * Classifies a reply on the way to the media, by `fail` first. `throttled`, or `error` with a transient status (a 503
 * does not end a job), leads to another try. `expected`: the target expects this status.
 */
export function classifyGet(
  rules: readonly FailRule[],
  reply: Readable,
  step: 'poll' | 'fetch',
  expected: boolean,
  redact: Redact,
): Classified<null> {
  const byRule = classifyFailure(rules, reply, redact);
  if (byRule === null || (byRule.rule === null && expected)) return { is: 'good', value: null };
  const code = byRule.code === `http_${reply.status}` ? `${step}_${byRule.code}` : byRule.code;
  const failure: CallFailure = { outcome: byRule.outcome, error: { code, message: byRule.message } };
  const { throttled, transient, askedMs } = retryOf(byRule, reply);
  if (!throttled && !transient) return { is: 'failed', failure };
  const waitMs = askedMs ?? askedGetWaitMs(reply);
  return { is: 'again', throttled: throttled || reply.status === 429, waitMs, failure };
}

/**
 * Classifies the reply to a poll, by `fail` first. A job that is not found was not rejected: with 410 it is gone; with
 * 404 the next poll, `gapMs` later unless the reply asks for another wait, may find it at another replica.
 */
export function classifyPoll(
  rule: StateRule,
  fail: readonly FailRule[],
  reply: Readable,
  redact: Redact,
  gapMs: number,
): Classified<PollState> {
  const byStatus = stateOfStatus(rule, reply.status);
  if (byStatus === null && (reply.status === 404 || reply.status === 410)) {
    const byRule = classifyFailure(fail, reply, redact);
    if (
      byRule !== null &&
      byRule.outcome !== 'throttled' &&
      (byRule.rule === null || byRule.rule.when.at === undefined)
    ) {
      const { message } = byRule;
      const lost: CallFailure = { outcome: 'error', error: { code: 'job_lost', message } };
      if (reply.status === 410) return { is: 'failed', failure: lost };
      const failure: CallFailure = { outcome: 'error', error: { code: 'poll_http_404', message } };
      return { is: 'again', throttled: false, waitMs: askedGetWaitMs(reply) ?? gapMs, failure, lasting: lost };
    }
  }
  const classified = classifyGet(fail, reply, 'poll', byStatus !== null, redact);
  if (classified.is !== 'good') return classified;
  const success = reply.status >= 200 && reply.status < 300;
  if (!success && byStatus !== null) return classifyState(byStatus, reply, redact);
  if (rule.absent === null && rule.at.every(({ at }) => at === 'json') && reply.json() === undefined) {
    const error = { code: 'poll_bad_json', message: redact(`the reply to the poll is not JSON: ${showReply(reply)}`) };
    return { is: 'again', throttled: false, waitMs: null, failure: { outcome: 'error', error } };
  }
  const state = readState(rule, reply);
  switch (state.found) {
    case 'state':
      return classifyState(state.state, reply, redact);
    case 'nothing': {
      const message = `no state at ${showLocators(rule.at)}: ${showReply(reply)}`;
      return failed('error', 'no_state', redact(message));
    }
    case 'unlisted': {
      const value = redact(asText(state.value), MOST_STATE);
      const message = `the state "${value}" at ${showLocator(state.at)} is not listed: ${showReply(reply)}`;
      return failed('error', 'unlisted_state', redact(message));
    }
  }
}

const MOST_STATE = 60;

function classifyState(
  state: PollState | 'failure' | 'moderated',
  reply: Readable,
  redact: Redact,
): Classified<PollState> {
  switch (state) {
    case 'failure':
      return failed('error', 'job_failed', bodySnippet(reply, redact));
    case 'moderated':
      return failed('moderated', 'moderated', bodySnippet(reply, redact));
    default:
      return { is: 'good', value: state };
  }
}

function failed(outcome: CallFailure['outcome'], code: string, message: string): Classified<never> {
  return { is: 'failed', failure: { outcome, error: { code, message } } };
}
