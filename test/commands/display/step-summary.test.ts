import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendStepSummary } from '../../../src/commands/display/publish.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

/** A written report. */
function report(): string {
  const file = join(freshFolder(), 'report.md');
  writeFileSync(file, '# run\n');
  return file;
}

describe('the summary of a CI step', () => {
  it('the summary of a CI step is appended to what is there', () => {
    const file = join(freshFolder(), 'summary');
    writeFileSync(file, 'before\n');
    appendStepSummary(report(), memoryEdge('.', { GITHUB_STEP_SUMMARY: file }));
    expect(readFileSync(file, 'utf8')).toBe('before\n# run\n');
  });

  it('the summary of a CI step that cannot be written is said, and no fault', () => {
    const edge = memoryEdge('.', { GITHUB_STEP_SUMMARY: join(freshFolder(), 'none', 'summary') });
    appendStepSummary(report(), edge);
    expect(edge.stderr()).toContain('cannot append to GITHUB_STEP_SUMMARY');
  });

  it('the summary of a CI step is written only in one', () => {
    const edge = memoryEdge('.', {});
    appendStepSummary(report(), edge);
    expect(edge.stderr()).toBe('');
  });
});
