import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { PACED_CELLS, pacedSuite } from '../../fixtures/paced-service.ts';
import { retake, serveReference } from '../../fixtures/retake-process.ts';

/* A service that changes between one run and the next, behind the same address: what the next run says of it. */

const REPEATS = 2;

/** Requests of a run. */
const RUN = PACED_CELLS * REPEATS;

describe('a service that changes between two runs', () => {
  it.each([
    {
      change: 'its model is replaced behind its name',
      rule: '{ metric: stability.pixel, none: change, against: baseline }',
      behaviour: `mismatch:\n    when: { after: ${RUN} }`,
      found: { code: 'event_found', prompts: ['fox', 'harbour', 'lighthouse'] },
    },
    {
      change: 'it blocks a prompt',
      rule: '{ metric: block_rate, none: blocked }',
      behaviour: `moderation: { answer: refuse }\n    when: { prompt: lighthouse, after: ${RUN / 4} }`,
      found: { code: 'event_found', prompts: ['lighthouse'] },
    },
    {
      change: 'it answers a prompt with a black image',
      rule: '{ metric: block_rate, none: blocked }',
      behaviour: `moderation: { answer: blank }\n    when: { prompt: lighthouse, after: ${RUN / 4} }`,
      found: { code: 'event_found', prompts: ['lighthouse'] },
    },
    {
      change: 'it fails on a prompt',
      rule: '{ metric: error_rate, none: error }',
      behaviour: `error: { status: 500, code: overloaded }\n    when: { prompt: oak, after: ${RUN / 4} }`,
      found: { code: 'event_found', prompts: ['oak'] },
    },
  ])('$change: the first run passes, and the next one fails', async ({ change, rule, behaviour, found }) => {
    const service = await serveReference([behaviour]);
    try {
      const folder = freshFolder();
      const suite = pacedSuite({ name: 'same', variants: { painter: service }, repeats: REPEATS, gate: [rule] });
      writeFileSync(join(folder, 'same.yaml'), suite);
      const run = async (name: string) => {
        const { code } = await retake(['run', 'same.yaml', '--run', name, '--quiet'], folder, service.env);
        const verdict: Verdict = JSON.parse(
          readFileSync(join(folder, 'results', 'same', name, 'verdict.json'), 'utf8'),
        );
        return { code, verdict };
      };
      await run('first');
      const kept = await retake(['baseline', 'results/same/first', '--quiet'], folder);
      expect(kept).toMatchObject({ code: 0, stderr: '' });
      const first = await retake(['gate', 'results/same/first'], folder);
      expect(first.code).toBe(0);
      const { code, verdict } = await run('next');
      const [result] = verdict.rules;
      console.log(`${change}: ${result?.verdict}, n ${result?.n}, ${JSON.stringify(result?.worst)}`);
      expect(code).toBe(1);
      expect(result).toMatchObject({ verdict: 'fail', code: found.code });
      const prompts = (result?.worst ?? []).flatMap((place) => ('prompt' in place ? [place.prompt] : []));
      expect(prompts.toSorted()).toEqual(found.prompts);
    } finally {
      await service.close();
    }
  });
});
