import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import type { Baseline } from '../../src/record/kept-run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* A model that is replaced behind its name, found by the next run against what was kept of an earlier one. */

const suiteOf = (prompt: string, gate = '{ metric: stability.pixel, none: change, against: baseline }') => `suite: 1
name: kept
variants:
  painter: { target: reference/text-to-image, const: { model: fast-lcm } }
prompts:
  - { id: fox, text: A red fox in snow }
  - { id: ${prompt}, text: A lighthouse in a storm }
seeds: [1, 2]
repeats: 2
load: { warmup: 0 }
limits: { requests: 20 }
gate:
  - ${gate}
`;

/** A service that draws each prompt and seed once. */
const DRAWN_ONCE = '{ cached: {} }';

describe('a stored baseline', () => {
  let usual: ServedService;
  let replaced: ServedService;
  let noisy: ServedService;
  let nearly: ServedService;
  let folder: string;
  let first: Ended;

  const results = (...path: readonly string[]) => join(folder, 'results', 'kept', ...path);
  const verdictOf = (run: string): Verdict => JSON.parse(readFileSync(results(run, 'verdict.json'), 'utf8'));
  /** The sentences on the stored baseline: of the terminal, summary.md and the first part of report.html, each once. */
  const sentencesOf = (name: string, stdout: string): readonly (readonly string[])[] =>
    [
      stdout.replaceAll(/\s+/g, ' '),
      readFileSync(results(name, 'summary.md'), 'utf8').replaceAll('\\', ''),
      parseHTML(readFileSync(results(name, 'report.html'), 'utf8')).document.querySelector('#outcome')?.textContent ??
        '',
    ].map((text) => [
      ...new Set(
        [...text.matchAll(/(?:Usual outputs of|The pictures of|Nothing that) [^.]*/g)].map(([sentence]) => sentence),
      ),
    ]);
  const run = (name: string, service: ServedService, suite = 'suite.yaml', reports = 'html, markdown') =>
    retakeHere(['run', suite, '--run', name, '--quiet', '--set', `reports=[${reports}]`], folder, service.env);

  beforeAll(async () => {
    [usual, replaced, noisy, nearly] = await Promise.all([
      serveHere([DRAWN_ONCE]),
      serveHere(['{ mismatch: }', DRAWN_ONCE]),
      serveHere(['{ metadata_noise: }', DRAWN_ONCE]),
      serveHere(['{ one_bit: }', DRAWN_ONCE]),
    ]);
    folder = freshFolder();
    writeFileSync(join(folder, 'suite.yaml'), suiteOf('lighthouse'));
    first = await run('first', usual);
    expect(await retakeHere(['baseline', 'results/kept', '--quiet'], folder)).toMatchObject({ code: 0, stderr: '' });
  });

  afterAll(() => Promise.all([usual, replaced, noisy, nearly].map((service) => service.close())));

  it('a run without one: is inconclusive, and says how to keep one', () => {
    expect(first.code).toBe(4);
    expect(sentencesOf('first', first.stdout).flat()).toEqual([]);
    expect(first.stdout.replaceAll(/\s+/g, ' ')).toContain('no stored baseline; keep one with "retake baseline"');
    expect(verdictOf('first')).toMatchObject({ baselineRun: null, rules: [{ code: 'no_baseline' }] });
  });

  it('baseline.json: holds the cells with their outputs, is the same each time, and names no folder', async () => {
    const text = readFileSync(results('baseline.json'), 'utf8');
    const { run: kept, cells, suite }: Baseline = JSON.parse(text);
    expect({ kept, suite: suite.name, cells: cells.length }).toEqual({ kept: 'first', suite: 'kept', cells: 4 });
    for (const { takes, outputs, values } of cells) {
      expect({ takes, outputs: outputs.length }).toEqual({ takes: 2, outputs: 1 });
      expect(outputs[0]?.pixelSha256).toMatch(/^[0-9a-f]{64}$/);
      expect(values['latency.total']).toBeGreaterThan(0);
    }
    expect(text).not.toContain(folder);
    expect(text).not.toContain(usual.key);
    const again = await retakeHere(['baseline', 'results/kept/first'], folder);
    expect(again).toMatchObject({ code: 0, stdout: `${results('baseline.json')}\n` });
    expect(readFileSync(results('baseline.json'), 'utf8')).toBe(text);
  });

  it('the same model: passes; a model that was replaced behind its name: fails, with the prompts that changed', async () => {
    const same = await run('same', usual);
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(verdictOf('same')).toMatchObject({ baselineRun: 'first', missing: [], rules: [{ code: 'no_event', n: 4 }] });
    const nothing = 'Nothing that the rules look at changed since first';
    expect(sentencesOf('same', same.stdout)).toEqual(Array(3).fill([nothing]));
    const other = await run('replaced', replaced);
    expect(sentencesOf('replaced', other.stdout)).toEqual(
      Array(3).fill(['The pictures of fox and lighthouse changed since first (4 of 4 prompts x seeds)']),
    );
    const page = readFileSync(results('replaced', 'report.html'));
    expect(await retakeHere(['report', 'results/kept/replaced'], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(results('replaced', 'report.html')).equals(page)).toBe(true);
    const { document } = parseHTML(page.toString());
    const shown = [...document.querySelectorAll('.strip .trio > div')];
    expect(
      shown.map((each) => [each.querySelector('small')?.textContent, /src="data:image/.test(each.innerHTML)]),
    ).toEqual([
      ['stored, first', true],
      ['now: changed', true],
      [expect.stringMatching(/^difference/), true],
    ]);
    expect(document.querySelectorAll('#images .trio').length).toBe(4);
    // The latest run failed: it is kept only by its own name.
    const kept = readFileSync(results('baseline.json'));
    const unnamed = await retakeHere(['baseline', 'results/kept'], folder);
    expect(unnamed).toMatchObject({ code: 2, stdout: '' });
    expect(unnamed.stderr).toMatch(/^the gate of run replaced failed: .*: retake baseline results\/kept\/replaced$/m);
    expect(readFileSync(results('baseline.json'))).toEqual(kept);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/FAIL +stability\.pixel: no output may change; painter\s+4 of 4 prompts x seeds \(/);
    expect(verdictOf('replaced').rules).toMatchObject([
      { verdict: 'fail', n: 4, units: 'cells', worst: [{ prompt: 'fox', value: 1 }, { prompt: 'lighthouse' }] },
    ]);
    const gated = await retakeHere(
      ['gate', 'results/kept/replaced', '--baseline', 'results/kept/baseline.json'],
      folder,
    );
    expect(gated.code).toBe(1);
  });

  it('other bytes of the same pixels: pass at pixel, and retake compare tells the two apart', async () => {
    expect(await run('noisy', noisy, 'suite.yaml', 'csv')).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await retakeHere(['compare', 'results/kept/first', 'results/kept/noisy'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^noisy against first$/m);
    expect(stdout).toMatch(/^painter +bytes +0 of 4 same +4 outputs$/m);
    expect(stdout).toMatch(/^painter +pixels +4 of 4 same +4 outputs\n(.*\n)*No verdict: /m);
    const data = await retakeHere(['compare', 'results/kept/first', 'results/kept/noisy', '--json'], folder);
    expect(JSON.parse(data.stdout)).toMatchObject({
      before: 'first',
      after: 'noisy',
      commonCells: 4,
      latency: [
        {
          variant: 'painter',
          metric: 'latency.total',
          cells: 4,
          p50Ms: { before: { value: expect.any(Number), n: 8 }, after: { n: 8 } },
        },
      ],
      rates: [
        { metric: 'error_rate', before: { value: 0, n: 8 }, after: { value: 0, n: 8 } },
        { metric: 'block_rate' },
      ],
      stability: [
        {
          level: 'byte',
          stable: 4,
          changed: expect.arrayContaining([expect.objectContaining({ prompt: 'fox', seed: 1 })]),
        },
        { level: 'pixel', compared: 4, changed: [] },
        { level: 'related' },
      ],
      missing: [],
    });
  });

  it('one bit of each image: is a change at pixel, not at near, and is decided again without the media of the baseline', async () => {
    const near = '{ metric: stability.near, none: change, against: baseline }';
    writeFileSync(join(folder, 'near.yaml'), suiteOf('lighthouse', near));
    expect(await run('nearly', nearly, 'near.yaml', 'markdown')).toMatchObject({ code: 0, stderr: '' });
    const compared = await retakeHere(['compare', 'results/kept/first', 'results/kept/nearly'], folder);
    expect(compared.stdout).toMatch(/^painter +pixels +0 of 4 same +4 outputs$/m);
    expect(readFileSync(results('nearly', 'summary.md'), 'utf8')).toContain('Nothing that the rules look at changed');
    expect(verdictOf('nearly').rules).toMatchObject([{ code: 'no_event', n: 4, units: 'cells' }]);
    renameSync(results('first', 'media'), results('first', 'elsewhere'));
    const refused = await run('never-near', usual, 'near.yaml');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/near\.yaml:13:\d+/);
    expect(refused.stderr).toContain("compares media, and the media of the stored baseline's run first are gone");
    expect(existsSync(results('never-near'))).toBe(false);
    expect((await retakeHere(['gate', 'results/kept/nearly'], folder)).code).toBe(0);
    // A record from before the rule has no such comparison.
    renameSync(results('nearly', 'facts.jsonl'), results('nearly', 'facts.old'));
    const again = await retakeHere(['gate', 'results/kept/nearly'], folder);
    expect(again.code).toBe(4);
    expect(again.stdout.replaceAll(/\s+/g, ' ')).toContain('the media of the stored baseline are gone');
    renameSync(results('first', 'elsewhere'), results('first', 'media'));
    expect((await retakeHere(['gate', 'results/kept/nearly'], folder)).code).toBe(0);
  });

  it('a baseline that was damaged: is refused before anything is sent, and can be kept again', async () => {
    const text = readFileSync(results('baseline.json'), 'utf8');
    writeFileSync(results('baseline.json'), text.replace('"takes": 2', '"takes": "two"'));
    const refused = await run('never', usual);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/baseline\.json:\d+:\d+/);
    expect(existsSync(results('never'))).toBe(false);
    expect(await retakeHere(['baseline', 'results/kept/first'], folder)).toMatchObject({ code: 0 });
    expect(readFileSync(results('baseline.json'), 'utf8')).toBe(text);
  });

  it('a rule that no stored baseline can decide: is refused with what to do', async () => {
    const refusals = [
      ['{ metric: latency.total, max_increase: 5%, against: baseline }', 'add --against results/SUITE/baseline.json'],
      ['{ metric: stability.pixel, none: change }', 'add against: baseline'],
      ['{ metric: error_rate, max: 20%, against: history }', 'use latency or cost with a percentage'],
      ['{ metric: stability.pixel, max_rise: 5%, against: baseline }', 'use none: change or min'],
      ['{ metric: stability.pixel, min: 90%, against: baseline }', 'it needs 29 prompts x seeds'],
    ] as const;
    for (const [rule, remedy] of refusals) {
      writeFileSync(join(folder, 'wrong.yaml'), suiteOf('lighthouse', rule));
      const { code, stderr } = await retakeHere(['plan', 'wrong.yaml'], folder, usual.env);
      expect({ rule, code }).toEqual({ rule, code: 2 });
      expect(stderr).toMatch(/wrong\.yaml:\d+:\d+/);
      expect(stderr).toContain(remedy);
    }
  });

  it('an incomplete run: is kept with --force only', async () => {
    const journal = results('same', 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"event":"sample"'));
    writeFileSync(journal, `${lines.filter((_line, index) => index !== at).join('\n')}\n`);
    rmSync(results('baseline.json'));
    const refused = await retakeHere(['baseline', 'results/kept/same'], folder);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('--force');
    expect(existsSync(results('baseline.json'))).toBe(false);
    expect(await retakeHere(['baseline', 'results/kept/same', '--force'], folder)).toMatchObject({ code: 0 });
  });
});

describe('a stored baseline of another suite', () => {
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

    it('a baseline without a variant and a prompt: both are named, and the rule of the variant is not decided', () => {
      expect(other.code).toBe(4);
      const said = other.stdout.replaceAll(/\s+/g, ' ');
      expect(said).toContain('the stored baseline is of another version of the suite');
      expect(said).toContain('the stored baseline lacks variant three; prompt oak');
      expect(said).toContain('this run lacks variant two; prompt sea');
      expect(said).toContain('no prompt x seed in common');
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
      expect(stdout).toMatch(/^one +p50 .* [\d.]+x +4 takes\n +has 0 of 8 runs +1 common output$/m);
      expect(stdout).toMatch(/^one +bytes +1 of 1 same +1 output$/m);
      expect(stdout).toContain('first is of another version of the suite');
      expect(stdout).not.toMatch(/^(two|three) /m);
      expect(stdout).toContain('first lacks variant three; prompt oak\n');
      expect(stdout).toContain('other lacks variant two; prompt sea\n');
    });

    it('retake compare: ends with 2 where nothing is in common, or where there is no run', async () => {
      const apart = await retakeHere(['compare', runs('first'), runs('apart')], folder);
      expect(apart).toMatchObject({ code: 2, stdout: '' });
      expect(apart.stderr).toContain('share no prompt x seed; name two runs of one suite');
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
});
