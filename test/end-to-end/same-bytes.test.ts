import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES_OF_FORMAT, REPORT_FORMATS } from '../../src/suite/report-format.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_OTHER_NODE, OTHER_NODES } from '../fixtures/other-nodes.ts';
import { retakeHere, type ServedService, serveHere, startRetake } from '../fixtures/retake-process.ts';

/* One record, reported again and again: twice by this node, and once by every other that is there. */

const suiteOf = (usual: ServedService, faulty: ServedService) => `suite: 1
name: bytes
variants:
  usual: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${usual.url}', baseline: true }
  faulty: { target: reference/text-to-image, const: { model: fast-lcm }, base_url: '${faulty.url}', price: { per: request, usd: 0.03 } }
prompts:
  - { id: fox, text: A red fox in snow, tags: [animal] }
  - { id: sea, text: '<b>&"Ein Leuchtturm im Sturm" — 灯台' }
seeds: [1, 2]
repeats: 2
load: { warmup: 0 }
limits: { requests: 100, failures: 100% }
probes: [seed]
gate:
  - { metric: latency.total, max_increase: 5% }
  - { metric: latency.total, against: history, max_increase: 10% }
  - { metric: slow_rate, over: 10s, max_rise: 20% }
  - { metric: error_rate, max: 40% }
  - { metric: determinism.pixel, none: departure }
  - { metric: stability.pixel, none: change, against: baseline }
reports: [${REPORT_FORMATS.join(', ')}]
`;

/** What a report is made from, and what it does not write. */
const RECORD = ['run.json', 'journal.jsonl', 'facts.jsonl', 'media', 'thumbs'];

describe('the reports of one record', () => {
  let usual: ServedService;
  let faulty: ServedService;
  let folder: string;
  const run = () => join(folder, 'results', 'bytes', 'one');

  beforeAll(async () => {
    [usual, faulty] = await Promise.all([
      serveHere(['{ cached: {} }']),
      serveHere([
        '{ cached: {} }',
        'error: { status: 500, code: overloaded }\n    when: { every: 3 }',
        'metadata_noise: {}',
      ]),
    ]);
    folder = freshFolder();
    writeFileSync(join(folder, 'bytes.yaml'), suiteOf(usual, faulty));
    const { code, stderr } = await retakeHere(
      ['run', 'bytes.yaml', '--run', 'one', '--quiet', '--yes'],
      folder,
      usual.env,
    );
    if (code === 2) throw new Error(stderr);
  });

  afterAll(() => Promise.all([usual.close(), faulty.close()]));

  /** The reports by their names, as they were written with the run. */
  function written(): ReadonlyMap<string, string> {
    const names = readdirSync(run()).filter((name) => !RECORD.includes(name));
    return new Map(names.toSorted().map((name) => [name, readFileSync(join(run(), name), 'latin1')]));
  }

  /** The same, made again by a node; null: in the process of the test. */
  async function reportedBy(node: string | null): Promise<ReadonlyMap<string, string>> {
    for (const name of written().keys()) rmSync(join(run(), name));
    const args = ['report', 'results/bytes/one', '--quiet'];
    const { stderr } = await (node === null
      ? retakeHere(args, folder)
      : startRetake(args, folder, {}, undefined, node).ended);
    expect(stderr).toBe('');
    return written();
  }

  const EXPECTED = [...Object.values(FILES_OF_FORMAT).flat(), 'verdict.json'].toSorted();

  it('a record reported again by this node: gives the same bytes as the run wrote', async () => {
    const first = written();
    expect([...first.keys()]).toEqual(EXPECTED);
    differencesBetween(first, await reportedBy(null));
    expect(existsSync(join(run(), 'lock'))).toBe(false);
  });

  // The reporter's short form hides the reason of a skip.
  if (NO_OTHER_NODE !== null) console.warn(`skipped: ${NO_OTHER_NODE}`);

  it.skipIf(NO_OTHER_NODE !== null)(
    `a record reported by another node (${NO_OTHER_NODE ?? OTHER_NODES.map(({ version }) => version).join(', ')}): gives the same bytes`,
    async () => {
      // A run that is named is kept, also where a busy machine had its gate fail.
      expect(await retakeHere(['baseline', 'results/bytes/one', '--quiet'], folder)).toMatchObject({ code: 0 });
      const first = await reportedBy(null);
      expect(JSON.parse(first.get('verdict.json') ?? '')).toMatchObject({ baselineRun: 'one', complete: true });
      for (const { program } of OTHER_NODES) differencesBetween(first, await reportedBy(program));
    },
    120_000,
  );
});

describe('the plan of one suite', () => {
  const SIZE = 300;
  const categories = ['animals', 'arts', 'people', 'signs', 'vehicles'];

  /** What `retake plan --json` prints with a node, for a sample of 1,632 rows; null: in the process of the test. */
  async function plannedBy(node: string | null): Promise<string> {
    const folder = freshFolder();
    const rows = Array.from({ length: 1632 }, (_, at) => `prompt ${at}\t${categories[Math.min(at % 9, 4)]}`);
    writeFileSync(join(folder, 'p.tsv'), `Prompt\tCategory\n${rows.join('\n')}\n`);
    const entry = `{ from: p.tsv, map: { text: Prompt, tags: Category }, sample: ${SIZE}, by: tags }`;
    const suite = `suite: 1\nname: s\nvariants: { a: { target: reference/text-to-image } }\nprompts: [${entry}]\nrepeats: 1\n`;
    writeFileSync(join(folder, 's.yaml'), suite);
    const args = ['plan', 's.yaml', '--json'];
    const { code, stdout } = await (node === null
      ? retakeHere(args, folder)
      : startRetake(args, folder, {}, undefined, node).ended);
    expect(code).toBe(0);
    return stdout.replaceAll(folder, '');
  }

  it.skipIf(NO_OTHER_NODE !== null)(
    `a sampled suite planned by another node (${NO_OTHER_NODE ?? OTHER_NODES.map(({ version }) => version).join(', ')}): asks for the same prompts in the same order`,
    async () => {
      const plan = await plannedBy(null);
      expect(plan.split('\n').filter((line) => line.includes('"phase":"trial"'))).toHaveLength(SIZE);
      for (const { program } of OTHER_NODES) expect(await plannedBy(program)).toBe(plan);
    },
    120_000,
  );
});

/** Fails with the name of the first file that differs, and not with all its text. */
function differencesBetween(first: ReadonlyMap<string, string>, again: ReadonlyMap<string, string>): void {
  expect([...again.keys()]).toEqual([...first.keys()]);
  expect([...first].filter(([name, bytes]) => again.get(name) !== bytes).map(([name]) => name)).toEqual([]);
}
