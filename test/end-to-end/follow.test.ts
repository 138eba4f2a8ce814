import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../src/record/run.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NODE_AV } from '../fixtures/no-node-av.ts';
import { onceForText } from '../fixtures/once-for.ts';
import { filesBelow, journalOf, retakeHere, startHere } from '../fixtures/retake-process.ts';
import { voteOnAll } from '../fixtures/voter.ts';
import { serveOnAndOn } from '../targets/loopback.ts';

/* Records of all designs follow; what somebody changed in one, and made all reports of again, is named. */

const VIDEO = readFileSync(fileURLToPath(new URL('../golden/video/plain.mp4', import.meta.url)));
const SCORER = fileURLToPath(new URL('../fixtures/sharpness-scorer.mjs', import.meta.url));

/** 16 by 16 pixels that a text decides. */
function picture(text: string): Promise<Buffer> {
  const noise = createHash('sha512').update(text).digest();
  const pixels = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => ((noise[at % 64] ?? 0) * (1 + (at >> 6))) % 256);
  return sharp(pixels, { raw: { width: 16, height: 16, channels: 3 } })
    .png()
    .toBuffer();
}

const target = (url: string, kind: string, more = '', body = '') => `target: 1
id: own/${kind}
kind: ${kind}
base_url: ${url}
const: { model: fast }
inputs: { seed: { claim: similar } }
${more}submit: { path: /${kind}, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", model: "\${const.model}"${body} } }
result: { from: body }
fail: [{ when: { status: 5xx }, is: error }]
meta: { inference: { at: "header:x-took", unit: ms } }
`;

const PAIR = `variants:
  usual: { target: ./image.yaml, const: { model: usual } }
  other: { target: ./image.yaml, const: { model: other } }
`;
/** All that `retake follow` compares. */
const ALL = 'reports: [csv, json, junit, markdown, table]\n';

interface Design {
  /** Or the name of the design that it goes on from. */
  readonly suite: string;
  readonly run?: readonly (readonly string[])[];
  /** The record, where it is not that of the first command. */
  readonly record?: string;
  readonly follow?: readonly string[];
  readonly says?: string;
  readonly after?: (folder: string, run: string) => Promise<unknown>;
}

const RUN = ['run', 'suite.yaml', '--yes', '--quiet', '--run', 'r'];
const again = (folder: string, ...args: readonly string[]) =>
  retakeHere(args, folder, { PATH: process.env.PATH ?? '', OWN_URL: servedAt });
let servedAt = '';

const DESIGNS: Readonly<Record<string, Design>> = {
  'closed load with probes and a gate': {
    suite: `${PAIR}prompts: [A red fox, { id: owl, text: An owl, tags: [bird] }]
repeats: 3
load: { concurrency: 2 }
probes: [seed, cache, load]
gate: [{ metric: error_rate, max: 60% }]
`,
  },
  'a sweep that asks which load holds': {
    suite: `${PAIR}prompts: [A red fox, An owl]
repeats: 4
load: { concurrency: [1, 2], hold: { p95: 5s, errors: 50% } }
`,
  },
  'a gate that is decided early': {
    suite: `${PAIR}prompts: [A red fox, A white lighthouse, A red lighthouse, An old lighthouse]
seeds: { first: 1, count: 6 }
repeats: 1
limits: { failures: 99% }
gate: [{ metric: error_rate, variants: [other], max: 20% }]
`,
    run: [[...RUN, '--until-decided']],
  },
  'shards that were merged': {
    suite: `${PAIR}prompts: [A red fox, An owl, A cat]
seeds: [1, 2]
repeats: 2
load: { concurrency: 3 }
probes: [seed]
gate: [{ metric: error_rate, max: 60% }]
`,
    run: [
      [...RUN, '--shard', '1/2'],
      [...RUN, '--shard', '2/2'],
      ['merge', 'results/own/r-1of2', 'results/own/r-2of2', '--quiet'],
    ],
  },
  'a shard': { suite: 'shards that were merged', run: [], record: 'r-2of2' },
  'a run that ended early and was resumed, with prompts of files and a server that a variable names': {
    suite: `${PAIR.replace('usual } }', 'usual }, base_url: "${env.OWN_URL}" }')}prompts: [A red fox, { from: prompts.csv }, An owl]
repeats: 3
load: { concurrency: 2 }
gate: [{ metric: error_rate, max: 60% }]
`,
    run: [
      [...RUN, '--set', 'limits.requests=5'],
      ['run', 'suite.yaml', '--resume', 'results/own/r', '--yes', '--quiet', '--set', 'limits.requests=50'],
    ],
  },
  'the variants of a stored baseline beside those of today': {
    suite: `${PAIR}prompts: [A red fox]
seeds: { first: 1, count: 5 }
gate: [{ metric: stability.near, against: baseline, min: 50% }]
`,
    run: [
      [...RUN.slice(0, -1), 'before'],
      ['baseline', 'results/own', '--quiet', '--force'],
      [...RUN, '--against', 'results/own/baseline.json', '--set', 'variants.other.const.model=new', '--set', 'gate=[]'],
    ],
    follow: ['--baseline', 'results/own/baseline.json'],
  },
  'rules on outputs that a stored baseline keeps': {
    suite: 'the variants of a stored baseline beside those of today',
    run: [[...RUN.slice(0, -1), 'rules', '--set', 'variants.other.const.model=other']],
    record: 'rules',
    follow: ['--baseline', 'results/own/baseline.json'],
  },
  'edits with a mask': {
    suite: `variants: { a: { target: ./edit.yaml, const: { model: a } }, b: { target: ./edit.yaml, const: { model: b } } }
prompts: [{ id: fox, text: A fox at night, image: fox.png, mask: mask.png }, { id: owl, text: An owl, image: owl.png }]
seeds: [1, 2]
repeats: 2
gate: [{ metric: edit.unchanged, max: 50% }]
`,
  },
  'programs that score, and votes': {
    suite: `${PAIR}prompts: [A red fox, An owl]
scorers: { sharp: { use: command, command: [node, ${SCORER}, log], gives: { sharp: { better: higher } } } }
`,
    run: [[...RUN, '--allow-commands']],
    says: 'the values of sharp and',
    after: async (folder, run) => {
      const voting = startHere(['vote', run, '--port', '0'], folder);
      const url = await voting.prints(/http:\S+/);
      await voteOnAll(url.replace(/\/$/, ''), 'a'.repeat(32), () => 'left');
      voting.kill('SIGINT');
      await voting.ended;
      await again(folder, 'report', run, '--quiet');
    },
  },
  ...(NO_NODE_AV
    ? {}
    : {
        videos: {
          suite: 'variants: { a: { target: ./video.yaml }, b: { target: ./video.yaml } }\nprompts: [A red fox]\n',
        },
      }),
};

const folders = new Map<string, string>();

/** The folder of the record of a design. */
const record = onceForText(async (name: string): Promise<string> => {
  const design = DESIGNS[name];
  if (design === undefined) throw new Error(`no design ${name}`);
  const folder = freshFolder();
  folders.set(name, folder);
  if (DESIGNS[design.suite] === undefined) await prepare(folder, design);
  else {
    await record(design.suite);
    cpSync(folders.get(design.suite) ?? '', folder, { recursive: true });
  }
  for (const args of design.run ?? [RUN]) {
    const ended = await again(folder, ...args);
    expect([0, 1, 3, 4], ended.stderr).toContain(ended.code);
  }
  const run = join(folder, 'results', 'own', design.record ?? 'r');
  await design.after?.(folder, run);
  return run;
});

async function prepare(folder: string, design: Design): Promise<void> {
  writeFileSync(join(folder, 'suite.yaml'), `suite: 1\nname: own\n${design.suite}${ALL}`);
  writeFileSync(join(folder, 'image.yaml'), target(servedAt, 'text-to-image'));
  writeFileSync(join(folder, 'video.yaml'), target(servedAt, 'text-to-video'));
  const images = ', image: "${case.image | data_uri}", mask: "${case.mask | data_uri}"';
  const media = 'media: { mask: { changes: white } }\n';
  writeFileSync(join(folder, 'edit.yaml'), target(servedAt, 'image-edit', media, images));
  writeFileSync(join(folder, 'prompts.csv'), 'id,text\nbee,A bee\nant,An ant\n');
  for (const image of ['fox', 'owl']) writeFileSync(join(folder, `${image}.png`), await picture(image));
  const half = Uint8Array.from({ length: 16 * 16 }, (_, at) => (at % 16 < 4 ? 255 : 0));
  const mask = sharp(half, { raw: { width: 16, height: 16, channels: 1 } }).png();
  writeFileSync(join(folder, 'mask.png'), await mask.toBuffer());
}

beforeAll(async () => {
  const { url } = await serveOnAndOn((seen, response, count) => {
    void (async () => {
      const asked = JSON.parse(seen.body);
      const bytes = seen.url.includes('video')
        ? VIDEO
        : await picture(`${asked.prompt} ${asked.seed} ${asked.model} ${count % 3 === 0}`);
      setTimeout(() => {
        const fails = asked.model === 'other' && /lighthouse/.test(asked.prompt);
        if (fails || count % 11 === 10) response.writeHead(500).end('{}');
        else
          response
            .writeHead(200, { 'content-type': seen.url.includes('video') ? 'video/mp4' : 'image/png', 'x-took': '1' })
            .end(bytes);
      }, 5);
    })();
  });
  servedAt = url;
});

/** What `retake report` writes. */
const REPORT = /\.(csv|xml|md|tex)$|^(analysis|verdict)\.json$/;

const bytesOf = (folder: string) => new Map(filesBelow(folder).map((path) => [path, readFileSync(path, 'base64')]));

describe('retake follow', () => {
  it.each(Object.keys(DESIGNS))('a record of %s: follows, on its own, and is not written to', async (name) => {
    const { follow = [], says = '' } = DESIGNS[name] ?? {};
    const run = await record(name);
    const elsewhere = join(freshFolder(), 'got');
    cpSync(run, elsewhere, { recursive: true });
    const before = bytesOf(elsewhere);
    const ended = await retakeHere(['follow', elsewhere, ...follow], folders.get(name) ?? '');
    expect(ended.stdout).toContain('Follows from the record.');
    expect(ended.stdout).toMatch(/^facts +\d+ files? and \d+ pairs? examined here: facts\.jsonl says the same$/m);
    const [, same = ''] = /^reports +(.*): the same bytes$/m.exec(ended.stdout) ?? [];
    const reports = readdirSync(elsewhere).filter((file) => REPORT.test(file));
    expect(reports.length).toBeGreaterThan(6);
    expect(same.split(/, | and /).sort()).toEqual(reports.sort());
    expect(ended.stdout).toContain('This cannot show:');
    expect(ended.stdout).toContain(says);
    expect(ended).toMatchObject({ code: 0 });
    expect(bytesOf(elsewhere)).toEqual(before);
  });
});

/** Changes a JSON file. */
function edit<T>(path: string, change: (value: T) => unknown): void {
  writeFileSync(path, `${JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8'))), null, 2)}\n`);
}

const replaceIn = (path: string, from: string | RegExp, to: string) => {
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
};

const mediaIn = (run: string) => filesBelow(join(run, 'media')).sort();

/** What a forger changes, and what is said of it. */
const FORGED: readonly (readonly [what: string, forge: (run: string) => unknown, says: RegExp])[] = [
  [
    'a latency in samples.csv',
    (run) => replaceIn(join(run, 'samples.csv'), /(,\d+\.\d+)(,\d+\.\d+,,)/, ',1.5$2'),
    /^Does not follow: samples\.csv: line 2, \w+ is /m,
  ],
  [
    'the verdict',
    (run) => edit<object>(join(run, 'verdict.json'), (verdict) => ({ ...verdict, verdict: 'fail', exitCode: 1 })),
    /^Does not follow: verdict\.json: verdict is "fail", and "/m,
  ],
  [
    'a row of a summary',
    (run) => replaceIn(join(run, 'summary.md'), /fox|usual/, 'unusual'),
    /^Does not follow: summary\.md: line \d+ is /m,
  ],
  [
    'a fact of an output',
    (run) => replaceIn(join(run, 'facts.jsonl'), /"sharpness":[\d.]+/, '"sharpness":1'),
    /^Does not follow: facts\.jsonl, output [0-9a-f]{12}: shown\.first\.sharpness is 1, and [\d.]+ follows/m,
  ],
  [
    'how two outputs differ, in facts and reports',
    async (run) => {
      replaceIn(join(run, 'facts.jsonl'), /"maxDifference":[\d.]+/, '"maxDifference":0.001');
      await reportAgain(run);
    },
    /^Does not follow: facts\.jsonl, pair .*: difference\.samples\.maxDifference is 0\.001, and /m,
  ],
  [
    'the bytes of a medium',
    async (run) => writeFileSync(mediaIn(run)[0] ?? '', await picture('another')),
    /^Does not follow: media [0-9a-f]{12}: its bytes have another digest\.$/m,
  ],
  [
    'the size of an output in the journal',
    (run) => replaceIn(join(run, 'journal.jsonl'), /"bytes":\d+/, '"bytes":5'),
    /^Does not follow: journal\.jsonl, trial [0-9a-f]{16}: bytes is 5, and \d+ follows\.$/m,
  ],
  [
    'the rules of a stranger that no suite may declare',
    (run) =>
      edit<Run>(join(run, 'run.json'), (header) => ({
        ...header,
        gate: header.gate.map((rule) => ({ ...rule, metric: 'error_rat' })),
      })),
    /^Does not follow: run\.json: gate\[0\]\.metric is "error_rat", and "error_rate" follows\.$/m,
  ],
  [
    'the version of Retake',
    (run) => replaceIn(join(run, 'run.json'), /"retake": "[\d.]+"/, '"retake": "0.0.1"'),
    /^Cannot be checked: it was measured by Retake 0\.0\.1, and this is /m,
  ],
  [
    'media that are not there',
    (run) => rmSync(mediaIn(run)[0] ?? ''),
    /^Cannot be checked: 1 of \d+ files of media\/ are not there/m,
  ],
];

const reportAgain = async (run: string) =>
  expect([0, 3]).toContain((await retakeHere(['report', run, '--quiet'], dirname(run))).code);

/** All times of a journal by one factor. */
function halveTimes(run: string): void {
  const origin = Date.parse(JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')).createdAt);
  const halved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(halved);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => {
      if (key === 'scheduledAt') {
        const ms = (Date.parse(String(item)) - origin) / 2;
        return [key, new Date(origin + ms).toISOString()];
      }
      return [key, /Ms$/.test(key) && typeof item === 'number' ? item / 2 : halved(item)];
    });
    return Object.fromEntries(entries);
  };
  const lines = journalOf(run).events.map((event) => `${JSON.stringify(halved(event))}\n`);
  writeFileSync(join(run, 'journal.jsonl'), lines.join(''));
}

describe('a record that somebody changed', () => {
  let source = '';
  beforeAll(async () => {
    source = await record('closed load with probes and a gate');
  });

  /** A copy of the record, in a folder of its suite. */
  const copied = (): string => {
    const run = join(freshFolder(), 'results', 'own', basename(source));
    cpSync(source, run, { recursive: true });
    return run;
  };

  it.each(FORGED)('%s: is named', async (_what, forge, says) => {
    const run = copied();
    await forge(run);
    const { code, stdout, stderr } = await retakeHere(['follow', run], dirname(run));
    expect(stdout, stderr).toMatch(says);
    expect(code).toBe(stdout.includes('Does not follow') ? 1 : 4);
    expect(stdout).toContain('This cannot show:');
  });

  it('what no check can tell from the truth, in all reports too: is said, and follows', async () => {
    const run = copied();
    replaceIn(join(run, 'journal.jsonl'), /"serverMs":1,/, '"serverMs":99999,');
    halveTimes(run);
    const path = join(run, 'facts.jsonl');
    const [, sharpness] = /"sharpness":([\d.]+)/.exec(readFileSync(path, 'utf8')) ?? [];
    replaceIn(path, /"sharpness":[\d.]+/, `"sharpness":${Number(sharpness) * (1 + 1e-9)}`);
    await reportAgain(run);
    const { code, stdout } = await retakeHere(['follow', run], dirname(run));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^note +in 1 request the server reports more time than the call took \(first trial [0-9a-f]{16} of \w+\)$/m,
    );
    expect(stdout).toMatch(/^facts .*; 1 differ in their last digits, as of another processor$/m);
    expect(stdout).toMatch(
      /^Follows from the record\.$[\s\S]*times that are all scaled, or a whole record that was made up, follow too/m,
    );
  });

  it('a record without facts, reports and a lock: follows, and stays as it was', async () => {
    const run = copied();
    for (const name of readdirSync(run)) {
      if (!['run.json', 'journal.jsonl', 'media'].includes(name)) rmSync(join(run, name), { recursive: true });
    }
    const { code, stdout } = await retakeHere(['follow', run], dirname(run));
    expect(stdout).toContain('the record has no facts.jsonl');
    expect(code).toBe(0);
    expect(readdirSync(run).sort()).toEqual(['journal.jsonl', 'media', 'run.json']);
    expect(existsSync(join(run, 'lock'))).toBe(false);
  });
});
