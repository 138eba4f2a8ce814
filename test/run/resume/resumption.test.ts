import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/record/journal.ts';
import { isLeft, resumptionOf } from '../../../src/run/resumption.ts';
import { buildFailure, buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const TRIAL = { ...buildTrial({}), id: 'a' };
const of = { segment: 1, trial: 'a' };
const intent: JournalEvent = { event: 'intent', segment: 1, slice: 0, trial: TRIAL, atMs: 1 };
const attempt: JournalEvent = { event: 'attempt', ...of, attempt: 1, httpStatus: 429, waitMs: 5, atMs: 2 };
const accepted: JournalEvent = { event: 'accepted', ...of, captured: { id: 'j-7' }, atMs: 2 };
const cancel = (cancelled: boolean): JournalEvent => {
  const reply = cancelled ? { httpStatus: 200, code: null } : { httpStatus: null, code: 'timed_out' };
  return { event: 'cancel', ...of, cancelled, ...reply, atMs: 3 };
};
const ended = (outcome: 'cancelled' | 'rejected' | 'defect' | 'dropped' | 'throttled', more = {}): JournalEvent => ({
  event: 'sample',
  sample: buildFailure(outcome, { trial: { id: 'a' }, ...more }),
});
const ok: JournalEvent = { event: 'sample', sample: buildOk(100, 'a', { trial: { id: 'a' } }) };
const held = ended('cancelled', { code: 'held' });

const STARTED: JournalEvent = { event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T00:00:00.000Z' };

interface Fate {
  readonly sent: boolean;
  /** What was captured of the job that is polled. */
  readonly job: unknown;
  readonly unanswered: number;
  /** That count in the limits. */
  readonly requests: number;
}

/** What a second process does about a trial with this history. */
function fateOf(events: readonly JournalEvent[], resendUnknown: boolean, isOwn = false): Fate {
  const found = resumptionOf([STARTED, ...events], resendUnknown, () => isOwn);
  const { jobs, unanswered, requests } = found;
  return {
    sent: isLeft(found, TRIAL),
    job: jobs.get('a')?.captured ?? null,
    unanswered: unanswered.length,
    requests,
  };
}

const SENT = { sent: true, job: null, unanswered: 0 };
const STAYS = { sent: false, job: null, unanswered: 0 };
const UNANSWERED = { ...STAYS, unanswered: 1 };
const JOB = { sent: false, job: { id: 'j-7' }, unanswered: 0 };

describe('a trial of a run that is taken up again', () => {
  it.each<[what: string, history: readonly JournalEvent[], fate: Fate, ifResent?: Omit<Fate, 'requests'>]>([
    ['was never begun', [], { ...SENT, requests: 0 }],
    ['was dropped by open load', [ended('dropped')], { ...STAYS, requests: 0 }],
    ['was answered', [intent, ok], { ...STAYS, requests: 1 }],
    ['was rejected', [intent, ended('rejected')], { ...STAYS, requests: 1 }],
    ['was throttled', [intent, ended('throttled')], { ...STAYS, requests: 1 }],
    ['has no answer', [intent], { ...UNANSWERED, requests: 1 }, SENT],
    ['was refused, and perhaps sent again', [intent, attempt], { ...UNANSWERED, requests: 2 }, SENT],
    ['has an open job', [intent, attempt, accepted], { ...JOB, requests: 2 }],
    ['was aborted without a job', [intent, ended('cancelled')], { ...STAYS, requests: 1 }, SENT],
    ['was aborted, its job open', [intent, accepted, ended('cancelled')], { ...JOB, requests: 1 }],
    [
      'was aborted, its job not cancelled',
      [intent, accepted, cancel(false), ended('cancelled')],
      { ...JOB, requests: 1 },
    ],
    [
      'was aborted, its job cancelled',
      [intent, accepted, cancel(true), ended('cancelled')],
      { ...STAYS, requests: 1 },
      SENT,
    ],
    ['ended with a defect of ours', [intent, ended('defect')], { ...STAYS, requests: 1 }, SENT],
    ['ended with a defect of ours, its job open', [intent, accepted, ended('defect')], { ...JOB, requests: 1 }],
    ['waited after a refusal when the run ended', [intent, held], { ...SENT, requests: 1 }],
    ['never reached its service', [intent, ended('cancelled', { attempts: 0 })], { ...SENT, requests: 1 }],
    ['was sent again by a later process', [intent, held, intent], { ...UNANSWERED, requests: 2 }, SENT],
    ['was sent again by a later process, and answered', [intent, held, intent, ok], { ...STAYS, requests: 2 }],
  ])('a trial that %s: is polled, sent or left as it is', (_what, history, fate, ifResent = fate) => {
    expect(fateOf(history, false)).toEqual(fate);
    expect(fateOf(history, true)).toEqual({ ...fate, ...ifResent });
  });

  it.each<[what: string, history: readonly JournalEvent[], fate: Omit<Fate, 'requests'>]>([
    ['has no answer', [intent], SENT],
    ['has an open job', [intent, accepted], SENT],
    ['was aborted, its job open', [intent, accepted, ended('cancelled')], SENT],
    ['was answered', [intent, ok], STAYS],
  ])(
    'a trial of a service that ended with its run, and that %s: is sent if it has no answer',
    (_what, history, fate) => {
      for (const resendUnknown of [false, true]) expect(fateOf(history, resendUnknown, true)).toMatchObject(fate);
    },
  );

  it('a job without an end: is asked after with all its submits counted', () => {
    expect(resumptionOf([STARTED, intent, attempt, accepted], false).jobs.get('a')).toMatchObject({ attempts: 2 });
  });

  it('the next process: has the number after the last one', () => {
    expect(resumptionOf([STARTED, { ...STARTED, segment: 4 }], false).segment).toBe(5);
  });
});
