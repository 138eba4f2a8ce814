import { describe, expect, test } from 'vitest';
import { presetContract } from '../contracts/preset.ts';
import { outcomeOf } from '../fixtures/preset-outcome.ts';
import type { FailureScene, PresetRecording } from '../fixtures/preset-recording.ts';
import { furtherFailures, RECORDINGS } from '../fixtures/presets/luma.ts';
import { FURTHER_FAILURES, RECORDINGS as OF_AGENTS } from '../fixtures/presets/luma-agents.ts';

for (const recording of RECORDINGS) holds(recording, furtherFailures(recording));
for (const recording of OF_AGENTS) holds(recording, FURTHER_FAILURES);

function holds(recording: PresetRecording, failures: readonly FailureScene[]): void {
  presetContract(recording);

  describe(`${recording.preset}, refused or failed`, () => {
    test.each(failures)(
      `${recording.preset} with $code, $message is $outcome`,
      async ({ replies, outcome, code, message }) => {
        const result = await outcomeOf(recording, replies);
        expect(result).toMatchObject({ outcome, error: { code, message: expect.stringContaining(message) } });
      },
    );
  });
}
