import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/analysis/verdict.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* Runs and stored baselines of suites that are not the same: what one lacks is named, and never taken for a pass. */

const suiteOf = (variants: readonly string[], prompts: readonly string[]) => `suite: 1
name: same
variants: { ${variants.map((name) => `${name}: { target: reference/text-to-image, const: { model: fast-lcm } }`).join(', ')} }
prompts: [${prompts.map((id) => `{ id: ${id}, text: A scene with a ${id} }`).join(', ')}]
seeds: [1]
repeats: 2
load: { warmup: 0 }
limits: { requests: 20 }
reports: [csv]
gate:
  - { metric: stability.pixel, none: change, against: baseline }
`;

describe('runs of suites that are not the same', () => {
  let service: ServedService;
  let folder: string;
  let other: Ended;
  const runs = (name: string) => join('results', 'same', name);
  const measure = async (name: string, variants: readonly string[], prompts: readonly string[]) => {
    writeFileSync(join(folder, 'suite.yaml'), suiteOf(variants, prompts));
    return await retakeHere(['run', 'suite.yaml', '--run', name, '--quiet'], folder, service.env);
  };
  const verdictOf = (name: string): Verdict =>
    JSON.parse(readFileSync(join(folder, runs(name), 'verdict.json'), 'utf8'));

  beforeAll(async () => {
    // What was drawn once is not drawn again.
    service = await serveHere(['cached: {}']);
    folder = freshFolder();
    await measure('first', ['one', 'two'], ['fox', 'sea']);
    expect(await retakeHere(['baseline', runs('first'), '--quiet'], folder)).toMatchObject({ code: 0 });
    other = await measure('other', ['one', 'three'], ['fox', 'oak']);
    await measure('apart', ['one'], ['oak']);
  });

  afterAll(() => service.close());

  it('a baseline without a variant and a prompt: both are named, and the rule of the variant is inconclusive', () => {
    expect(other.code).toBe(4);
    const said = other.stdout.replaceAll(/\s+/g, ' ');
    expect(said).toContain('the stored baseline is of another version of the suite');
    expect(said).toContain('the stored baseline lacks variant three; prompt oak');
    expect(said).toContain('this run lacks variant two; prompt sea');
    expect(said).toContain('no cell in common');
    expect(verdictOf('other')).toMatchObject({
      verdict: 'inconclusive',
      rules: [
        { variant: 'one', verdict: 'pass', n: 1 },
        { variant: 'three', verdict: 'inconclusive', code: 'no_common_cell', n: 0 },
      ],
    });
  });

  it('retake compare: names what each run lacks, and compares the rest', async () => {
    const { code, stdout, stderr } = await retakeHere(['compare', runs('first'), runs('other')], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^one +p50 .* [\d.]+x +4 takes\n +1 common cell, 0 of 8 runs$/m);
    expect(stdout).toMatch(/^one +bytes +1 of 1 same +1 cell$/m);
    expect(stdout).toContain('first is of another version of the suite');
    expect(stdout).not.toMatch(/^(two|three) /m);
    expect(stdout).toContain('first lacks variant three; prompt oak\n');
    expect(stdout).toContain('other lacks variant two; prompt sea\n');
  });

  it('retake compare: ends with 2 where nothing is in common, or where there is no run', async () => {
    const apart = await retakeHere(['compare', runs('first'), runs('apart')], folder);
    expect(apart).toMatchObject({ code: 2, stdout: '' });
    expect(apart.stderr).toContain('have no cell in common; name two runs of one suite');
    const nowhere = await retakeHere(['compare', runs('first'), runs('nowhere')], folder);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toContain('nowhere');
  });

  it('retake gate --baseline: is inconclusive without a common cell, and ends with 2 without a baseline to read', async () => {
    const gated = await retakeHere(['gate', runs('apart'), '--baseline', 'results/same/baseline.json'], folder);
    expect(gated.code).toBe(4);
    const said = gated.stdout.replaceAll(/\s+/g, ' ');
    expect(said).toContain('the stored baseline lacks prompt oak');
    expect(said).toContain('this run lacks variant two; prompts fox and sea');
    expect(said).toMatch(/one p50 .* – 4 and 2 takes 0 common cells, 0 of 8 runs /);
    const nowhere = await retakeHere(['gate', runs('apart'), '--baseline', 'nowhere.json'], folder);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toContain('nowhere.json');
    writeFileSync(
      join(folder, 'cut-off.json'),
      readFileSync(join(folder, 'results/same/baseline.json')).subarray(0, 900),
    );
    const cutOff = await retakeHere(['gate', runs('apart'), '--baseline', 'cut-off.json'], folder);
    expect(cutOff).toMatchObject({ code: 2, stdout: '' });
    expect(cutOff.stderr).toMatch(/cut-off\.json/);
  });
});
