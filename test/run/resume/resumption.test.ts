import { describe, expect, it } from 'vitest';
import type { JournalEvent, Sample } from '../../../src/record/journal.ts';
import { isLeft, resumptionOf } from '../../../src/run/resumption.ts';
import { buildFailure, buildOk, buildTrial } from '../../fixtures/stored-run-builder.ts';

const trialOf = (id: string) => ({ ...buildTrial({}), id });
const intent = (id: string): JournalEvent => ({ event: 'intent', segment: 1, slice: 0, trial: trialOf(id), atMs: 1 });
const attempt = (id: string): JournalEvent => ({
  event: 'attempt',
  segment: 1,
  trial: id,
  attempt: 1,
  httpStatus: 429,
  waitMs: 5,
  atMs: 2,
});
const accepted = (id: string, job: string): JournalEvent => ({
  event: 'accepted',
  segment: 1,
  trial: id,
  captured: { id: job },
  atMs: 2,
});
const cancel = (id: string, cancelled: boolean): JournalEvent => ({
  event: 'cancel',
  segment: 1,
  trial: id,
  cancelled,
  httpStatus: cancelled ? 200 : null,
  code: cancelled ? null : 'timed_out',
  atMs: 3,
});
const sample = (made: Sample): JournalEvent => ({ event: 'sample', sample: made });
const ended = (id: string, outcome: 'cancelled' | 'rejected' | 'defect' | 'dropped' | 'throttled', more = {}) =>
  sample(buildFailure(outcome, { trial: { id }, ...more }));
const ok = (id: string) => sample(buildOk(100, id, { trial: { id } }));

const STARTED: JournalEvent = { event: 'segment', state: 'started', segment: 1, originAt: '2026-11-20T00:00:00.000Z' };

/** What becomes of a trial with this history: what a second process does about it. */
function fateOf(events: readonly JournalEvent[], resendUnknown = false) {
  const found = resumptionOf([STARTED, ...events], resendUnknown);
  const { jobs, unanswered, requests } = found;
  return {
    sent: isLeft(found, trialOf('a')),
    job: jobs.get('a')?.captured ?? null,
    unanswered: unanswered.length,
    requests,
  };
}

const STAYS = { sent: false, job: null, unanswered: 0 };

describe('a trial of a run that is taken up again', () => {
  it('a trial whose job was open when our own code failed: its job is polled', () => {
    expect(fateOf([intent('a'), accepted('a', 'j-7'), ended('a', 'defect')])).toMatchObject({ job: { id: 'j-7' } });
  });

  it('a trial of a service that ended with its run: is sent again, whatever was accepted there', () => {
    for (const events of [[], [accepted('a', 'j-7')], [accepted('a', 'j-7'), ended('a', 'cancelled')]]) {
      const found = resumptionOf([STARTED, intent('a'), ...events], false, () => true);
      expect([isLeft(found, trialOf('a')), found.jobs.size, found.unanswered]).toEqual([true, 0, []]);
    }
    const settled = resumptionOf([STARTED, intent('a'), ok('a')], false, () => true);
    expect(isLeft(settled, trialOf('a'))).toBe(false);
  });

  it('a trial that was never begun: is sent', () => {
    expect(fateOf([])).toEqual({ sent: true, job: null, unanswered: 0, requests: 0 });
  });

  it('a trial with an answer, good or bad: stays unchanged', () => {
    expect(fateOf([intent('a'), ok('a')])).toEqual({ ...STAYS, requests: 1 });
    for (const outcome of ['rejected', 'throttled'] as const) {
      expect(fateOf([intent('a'), ended('a', outcome)], true)).toMatchObject(STAYS);
    }
  });

  it('a trial that open load dropped: is not sent later', () => {
    expect(fateOf([ended('a', 'dropped')])).toEqual({ ...STAYS, requests: 0 });
  });

  it('a request without an answer: is not sent again, unless that is asked for', () => {
    expect(fateOf([intent('a')])).toEqual({ sent: false, job: null, unanswered: 1, requests: 1 });
    expect(fateOf([intent('a')], true)).toEqual({ sent: true, job: null, unanswered: 0, requests: 1 });
  });

  it('a refused request that may have been sent again when the process was killed: counts as one without an answer', () => {
    expect(fateOf([intent('a'), attempt('a')])).toEqual({ sent: false, job: null, unanswered: 1, requests: 2 });
  });

  it('a job without an end: is asked after by what was captured, with its submits counted', () => {
    const found = resumptionOf([STARTED, intent('a'), attempt('a'), accepted('a', 'j-7')], false);
    expect(found.jobs.get('a')).toMatchObject({ captured: { id: 'j-7' }, attempts: 2 });
    expect(isLeft(found, trialOf('a'))).toBe(false);
    expect(found.unanswered).toEqual([]);
  });

  it('an aborted call: its job is asked after, unless the service ended it', () => {
    const aborted = [intent('a'), accepted('a', 'j-7')];
    expect(fateOf([...aborted, ended('a', 'cancelled')]).job).toEqual({ id: 'j-7' });
    expect(fateOf([...aborted, cancel('a', false), ended('a', 'cancelled')]).job).toEqual({ id: 'j-7' });
    expect(fateOf([...aborted, cancel('a', true), ended('a', 'cancelled')])).toMatchObject(STAYS);
  });

  it('an aborted request without a job, and a defect of ours: may have been charged, and are sent again on request only', () => {
    for (const outcome of ['cancelled', 'defect'] as const) {
      expect(fateOf([intent('a'), ended('a', outcome)])).toMatchObject(STAYS);
      expect(fateOf([intent('a'), ended('a', outcome)], true)).toMatchObject({ sent: true });
    }
  });

  it('a refused request that waited when the run ended, and one that never reached its service: are sent', () => {
    expect(fateOf([intent('a'), ended('a', 'cancelled', { code: 'held' })])).toMatchObject({ sent: true });
    expect(fateOf([intent('a'), ended('a', 'cancelled', { attempts: 0 })])).toMatchObject({ sent: true });
  });

  it('a trial that a later process sent again: follows what came of that', () => {
    const first = [intent('a'), ended('a', 'cancelled', { code: 'held' })];
    expect(fateOf([...first, intent('a')])).toMatchObject({ sent: false, unanswered: 1, requests: 2 });
    expect(fateOf([...first, intent('a'), ok('a')])).toMatchObject({ ...STAYS, requests: 2 });
  });

  it('the next process: has the number after the last one', () => {
    expect(resumptionOf([STARTED, { ...STARTED, segment: 4 }], false).segment).toBe(5);
  });
});
