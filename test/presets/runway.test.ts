import { describe, expect, test } from 'vitest';
import { presetContract } from '../contracts/preset.ts';
import { outcomeOf } from '../fixtures/preset-outcome.ts';
import { failingTask, RECORDINGS, REFUSALS, TASK_FAILURES } from '../fixtures/presets/runway.ts';

for (const recording of RECORDINGS) {
  presetContract(recording);

  describe(`${recording.preset}, refused`, () => {
    test.each(TASK_FAILURES)(`${recording.preset} with %s is %s`, async (code, outcome) => {
      const result = await outcomeOf(recording, failingTask(recording, code));
      expect(result).toMatchObject({ outcome, error: { code, message: 'It failed.' } });
    });

    test.each(REFUSALS)(
      `${recording.preset} refused with %j keeps its code and message`,
      async (reply, outcome, code, message) => {
        const result = await outcomeOf(recording, { [`POST ${recording.submit.path}`]: [reply] });
        expect(result).toMatchObject({ outcome, error: { code, message: expect.stringContaining(message) } });
      },
    );
  });
}
