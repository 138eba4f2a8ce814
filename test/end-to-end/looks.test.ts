import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/gate/verdict.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type Ended, journalOf, retakeHere, type ServedService, serveHere } from '../fixtures/retake-process.ts';

/* A run whose gate is looked at between its parts, and is decided early. */

/** What was drawn once is not drawn again: nothing here is of how an image comes about. */
const CACHED = 'cached: {}';

/** Refuses every image of a lighthouse, so that the gate of a rate says the same each time. */
const NO_LIGHTHOUSE = 'error: { status: 500, code: overloaded, message: Try later }\n    when: { prompt: lighthouse }';

const suiteOf = (name: string, usual: ServedService, other: ServedService, rest: string) => `suite: 1
name: ${name}
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${usual.url}', baseline: true }
  other: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${other.url}' }
load: { warmup: 0 }
limits: { requests: 100, failures: 99% }
${rest}`;

/** Three of four takes of `other` fail. */
const EARLY = `prompts: [A red fox, A white lighthouse, A red lighthouse, An old lighthouse]
seeds: { first: 1, count: 6 }
repeats: 1
probes: [seed]
gate: [{ metric: error_rate, variants: [other], max: 20% }]
`;

const verdictOf = (run: string): Verdict => JSON.parse(readFileSync(join(run, 'verdict.json'), 'utf8'));

describe('a gate that is looked at more than once', () => {
  let services: readonly ServedService[];
  let folder: string;
  let early: Ended;
  const runFolder = () => join(folder, 'results', 'early', 'r');

  beforeAll(async () => {
    folder = freshFolder();
    const [usual, faulty] = await Promise.all([serveHere([CACHED]), serveHere([CACHED, NO_LIGHTHOUSE])]);
    services = [usual, faulty];
    writeFileSync(join(folder, 'early.yaml'), suiteOf('early', usual, faulty, EARLY));
    early = await retakeHere(['run', 'early.yaml', '--until-decided', '--run', 'r'], folder, usual.env);
  });

  afterAll(() => Promise.all(services.map((service) => service.close())));

  it('a variant that fails: is found at the first look, and what is left is not sent', () => {
    expect(early.code).toBe(1);
    const { samples } = journalOf(runFolder());
    const of = (phase: string) => samples.filter(({ trial }) => trial.phase === phase).length;
    expect(of('trial')).toBe(16);
    expect(of('probe')).toBeGreaterThan(0);
    expect(verdictOf(runFolder())).toMatchObject({
      verdict: 'fail',
      exitCode: 1,
      complete: true,
      rules: [{ verdict: 'fail', n: 8, look: 1 }],
      looks: { kind: 'until_decided', of: 3, made: 1, early: true, caseSeeds: 8, plannedCaseSeeds: 24 },
    });
    expect(early.stderr).toContain('look 1 of 3: the gate is decided; the rest is not sent');
    expect(early.stdout).toContain('Decided at look 1 of 3 (each at alpha 0.0167), after 8 of 24 prompts x seeds');
  });

  it.each([
    [['early.yaml', '--confirm', '--until-decided'], '--confirm and --until-decided cannot be used together'],
    [['early.yaml', '--confirm', '--shard', '1/2'], '--confirm cannot be used with --shard'],
    [
      ['early.yaml', '--until-decided', '--set', 'seeds=[1]'],
      '--until-decided needs at least 16 prompts x seeds, and this suite has 4',
    ],
    [['early.yaml', '--confirm', '--set', 'gate=[]'], '--confirm needs a gate rule that can be decided'],
    [['early.yaml', '--confirm', '--set', 'load.concurrency=[1, 2]'], 'one concurrency'],
  ])('plan %j: is refused, and why', async (args, why) => {
    const refused = await retakeHere(['plan', ...args], folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(why);
  });
});
