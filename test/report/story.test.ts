import { expect, it } from 'vitest';
import { firstScreen, rulesAtSight } from '../../src/report/first-screen.ts';
import { story } from '../../src/report/story.ts';
import { reported } from '../fixtures/report-source.ts';
import { gateRule, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

const LIMITS = Array.from({ length: 20 }, (_, at) => gateRule('error_rate', { is: 'max', value: 0.001 * (at + 1) }));
const record = scriptedRun(ORDINARY);
const source = reported({ ...record, run: { ...record.run, gate: LIMITS } });

it('a story shows as many rules and causes as fit, and says that there are more; a first screen fewer', () => {
  const [rules] = story(source, ['gate'], true);
  expect(rules).toMatchObject({ part: 'gate', more: expect.stringMatching(/ more lines? not passed/) });
  expect(rules?.shown).toHaveLength(8);
  const atSight = rulesAtSight(source);
  expect(atSight.shown).toHaveLength(2);
  expect(atSight.more).toBe('Other results of the gate');
  expect(firstScreen(source).causes).toMatchObject({ more: '1 more cause' });
});
