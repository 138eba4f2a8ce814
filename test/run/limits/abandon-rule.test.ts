import { describe, expect, it } from 'vitest';
import type { RunnerEvent } from '../../../src/run/events.ts';
import type { Load } from '../../../src/suite/load.ts';
import { measurePlan } from '../../fixtures/measured-run.ts';
import { CLOSED, OPEN } from '../../fixtures/plan-input.ts';
import { json, png } from '../../targets/call/calling.ts';
import { serve } from '../../targets/loopback.ts';
import { targetWith, variantOf } from '../../targets/target-fixture.ts';

/* A variant whose requests are rejected is abandoned, through the built runner and its wire thread. */

/** Two variants of one server, which answers by the path that is asked for. */
async function measureTwo(
  answer: (asked: { readonly model: string; readonly prompt: string }) => readonly [status: number, code: string],
  load: Load = CLOSED,
  prompts: readonly string[] = ['fox', 'cat'],
) {
  const server = await serve(({ body }, response) => {
    const [status, code] = answer(JSON.parse(body));
    if (status === 200) png(response);
    else json(response, status, { code, message: `no ${code}; known are standard, fast` });
  });
  const target = targetWith({
    base_url: server.url,
    const: { model: 'good' },
    submit: { path: '/generate', encoding: 'json', body: { prompt: '${case.prompt}', model: '${const.model}' } },
    fail: [{ when: { status: '4xx' }, is: 'rejected', code: '$.code', message: '$.message' }],
  });
  const events: RunnerEvent[] = [];
  const measured = await measurePlan({
    variants: ['good', 'bad'].map((model) => variantOf(target, { name: model, constants: { model } })),
    prompts,
    load,
    probes: load.mode === 'closed' && load.steps === null ? ['load'] : [],
    observe: (event) => events.push(event),
  });
  const asked = (model: string) => server.seen.filter(({ body }) => JSON.parse(body).model === model).length;
  const abandoned = events.flatMap((event) => (event.event === 'abandoned' ? [event] : []));
  return { ...measured, asked, abandoned };
}

const FASTER: Load = { ...OPEN, concurrency: 4, stages: [{ ratePerSecond: 8, forMs: null }], warmup: 0 };
const SWEEP: Load = { ...CLOSED, concurrency: 4, steps: [1, 4], order: 'sequential', warmup: 0 };

describe('a variant that is abandoned', () => {
  it('a variant is abandoned when a warm-up is rejected with 401 or 403: nothing more of it is sent, the others go on', async () => {
    for (const status of [401, 403]) {
      const { asked, abandoned, stop, samples, intents } = await measureTwo(({ model }) =>
        model === 'bad' ? [status, 'bad_key'] : [200, ''],
      );
      expect(asked('bad')).toBe(1);
      expect(samples.filter(({ trial }) => trial.variant === 'bad').map(({ outcome }) => outcome)).toEqual([
        'rejected',
      ]);
      expect(
        samples.filter(({ trial, outcome }) => trial.variant === 'good' && outcome === 'ok').length,
      ).toBeGreaterThan(12);
      expect(samples).toHaveLength(intents.length);
      expect(stop).toEqual({ reason: 'finished' });
      const why = {
        code: 'refused_warmup',
        httpStatus: status,
        errorCode: 'bad_key',
        message: 'no bad_key; known are standard, fast',
      };
      expect(abandoned).toEqual([{ event: 'abandoned', variant: 'bad', why }]);
    }
  });

  it.each([
    { at: 'one in flight', load: CLOSED, most: 3 },
    { at: 'the steps of a sweep', load: SWEEP, most: 3 + 3 },
    { at: 'open load', load: FASTER, most: 3 + 4 },
  ] as const)(
    'a variant at $at is abandoned when its first 3 takes are rejected with one code',
    async ({ load, most }) => {
      const { asked, abandoned, samples } = await measureTwo(
        ({ model }) => (model === 'bad' ? [400, 'invalid_model'] : [200, '']),
        load,
      );
      expect(abandoned).toMatchObject([
        { variant: 'bad', why: { code: 'rejected', takes: 3, errorCode: 'invalid_model' } },
      ]);
      expect(asked('bad')).toBeLessThanOrEqual(most + load.warmup);
      const good = samples.filter(({ trial }) => trial.variant === 'good');
      // Under open load a busy machine may find no place for a start.
      expect(new Set(good.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'dropped'))).toEqual(
        new Set(['ok']),
      );
      expect(good.length).toBeGreaterThanOrEqual(12);
    },
  );

  it('a variant is not abandoned where the takes are of one prompt, differ in their code, or one was delivered', async () => {
    const ofOnePrompt = await measureTwo(() => [400, 'invalid_model'], CLOSED, ['fox']);
    let count = 0;
    const ofTwoCodes = await measureTwo(() => {
      count += 1;
      return [400, `code_${count % 2}`];
    });
    const ofSome = await measureTwo(({ prompt }) => (prompt === 'fox' ? [400, 'bad_prompt'] : [200, '']));
    for (const { abandoned, intents, samples } of [ofOnePrompt, ofTwoCodes, ofSome]) {
      expect(abandoned).toEqual([]);
      expect(samples).toHaveLength(intents.length);
    }
    expect(ofSome.asked('bad')).toBe(ofSome.asked('good'));
  });
});
