import { describe, expect, it } from 'vitest';
import { decideStart, LEAD_MS } from '../../../src/run/calls/send-slice.ts';

const DUE = 1000;
const HAND_OVER = DUE - LEAD_MS;

describe('the next start of open load', () => {
  it.each([
    // Free places: it is handed over a little ahead of its time, and not before.
    { what: 'long before', nowMs: 0, inFlight: 0, start: { is: 'wait', untilMs: HAND_OVER } },
    { what: 'just before the lead', nowMs: HAND_OVER - 0.1, inFlight: 3, start: { is: 'wait', untilMs: HAND_OVER } },
    { what: 'at the lead', nowMs: HAND_OVER, inFlight: 3, start: { is: 'begin' } },
    // This machine was busy: it begins late rather than never.
    { what: 'late', nowMs: DUE + 500, inFlight: 3, start: { is: 'begin' } },
    // No free place: until its time one may come free; at its time it is dropped.
    { what: 'no place, long before', nowMs: 0, inFlight: 4, start: { is: 'wait', untilMs: DUE } },
    { what: 'no place at the lead', nowMs: HAND_OVER, inFlight: 4, start: { is: 'wait', untilMs: DUE } },
    { what: 'no place at its time', nowMs: DUE, inFlight: 4, start: { is: 'drop' } },
    { what: 'no place, late', nowMs: DUE + 500, inFlight: 4, start: { is: 'drop' } },
  ] as const)('the next start of open load with $what is $start.is', ({ nowMs, inFlight, start }) => {
    expect(decideStart({ dueMs: DUE, nowMs, inFlight, ceiling: 4 })).toEqual(start);
  });
});
