import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { NO_NATS_SERVER, startNatsServer } from '../../fixtures/nats-server.ts';
import { type Ended, journalOf, KEY, type Started, startRetake } from '../../fixtures/retake-process.ts';
import { choose, serveJudge, writeJudge } from '../../fixtures/scripted-judge.ts';

/** What a record is made with. Commands are separated by blanks; `settings` are values of `--set`. */
interface Making {
  readonly folder: string;
  readonly start: (command: string, settings?: readonly string[]) => Started;
  /** Runs a command quietly to its end. Throws if it was refused or had a defect. */
  readonly retake: (command: string, settings?: readonly string[]) => Promise<Ended>;
  /** Runs images.yaml. @param options the name of the run, and more options */
  readonly measure: (options: string, settings?: readonly string[]) => Promise<Ended>;
}

/** The rules of the services that suites name by these variables of the environment. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  USUAL_URL: [],
  OTHER_URL: ['{ latency: { constant: 40ms } }', '{ metadata_noise: {} }', '{ cached: {} }'],
  FAULTY_URL: [
    '{ when: { prompt: broken }, error: { status: 500, code: overloaded, message: Try <later> } }',
    '{ when: { prompt: dropped }, drop_connection: { at: before_headers } }',
    '{ when: { prompt: cut }, truncated_body: {} }',
    '{ when: { prompt: page }, html: {} }',
    '{ when: { prompt: refused }, moderation: { answer: refuse } }',
    '{ when: { prompt: blank }, moderation: { answer: blank } }',
    '{ when: { prompt: torn }, truncated_png: {} }',
    '{ when: { prompt: seldom, every: 3 }, rate_limit: { requests: 1, per: 60m } }',
    '{ when: { prompt: slow }, latency: { constant: 4s } }',
    '{ when: { prompt: wandering }, mismatch: {} }',
  ],
};

/** What a suite of failures, and one of videos, has in place of the keys of images.yaml. */
const FAILURES = [
  'variants.other.base_url=${env.FAULTY_URL}',
  'variants.other.const.model=fast-lcm',
  'prompts=[A fox, Broken, Dropped, Cut, A page, Refused, Torn, Seldom, A blank, Slow, A wandering boat]',
  'load={ warmup: 0, on_throttle: fail }',
  'seeds=[1, 2]',
  'limits={ timeout: 2s, failures: 100% }',
];
const VIDEOS = [
  'variants={ usual: { target: reference/text-to-video, const: { model: fast }, baseline: true },' +
    ' other: { target: reference/text-to-video, const: { model: fast-lcm }, price: { per: second, usd: 0.02 } },' +
    ' moving: { target: reference/image-to-video, const: { model: fast-lcm } } }',
  'prompts=[A fox, { id: looks-up, text: The fox looks up, image: fox.jpg }]',
  'inputs={ seconds: 1 }',
  'seeds=[1, 2]',
  'gate=[]',
];

const ERRORS = 'gate=[{ metric: error_rate, variants: [other], max: 50% }]';

/** How the record of each part is made. */
export const RECORDS: Readonly<Record<string, (making: Making) => Promise<unknown>>> = {
  demo: ({ retake }) => retake('run demo --run r', ['seeds=[1]', 'gate=[]']),
  images: ({ measure }) => measure('r --label build-7', ['load.concurrency=2', 'probes=[seed, cache, load]']),
  failures: ({ measure }) => measure('r', FAILURES),
  sweep: ({ measure }) =>
    measure('r', ['load={ concurrency: [1, 3], warmup: 0 }', 'seeds=[1, 2]', 'repeats=4', 'gate=[]']),
  open: ({ measure }) => measure('r', ['load={ mode: open, rate: 8/s, concurrency: 3 }', ERRORS]),
  killed: async ({ start, retake }) => {
    for (const run of ['resumed', 'unfinished']) {
      const started = start(`run images.yaml --run ${run} --json`);
      await started.prints(/(?:"event":"ended"[\s\S]*){8}/);
      started.kill('SIGKILL');
      await started.ended;
    }
    await retake('run --resume results/images/resumed');
  },
  shards: async ({ measure, retake }) => {
    for (const shard of [1, 2]) await measure(`r --shard ${shard}/2 --vantage eu`, ['load.concurrency=2']);
    await retake('merge results/images/r-1of2 results/images/r-2of2');
  },
  against: async ({ measure, retake }) => {
    await measure('first');
    await retake('baseline results/images');
    await measure('second', ['variants.other.const.model=fast-lcm']);
    await measure('third --against results/images/baseline.json');
  },
  decided: async ({ measure }) => {
    await measure('early --until-decided', [ERRORS]);
    // Half of its takes fail: as many as the limit, so that no number of them decides.
    const half = ['prompts=[A fox, Broken]', 'variants.other.base_url=${env.FAULTY_URL}', 'seeds=[1, 2, 3]'];
    await measure('confirmed --confirm', [...half, ERRORS]);
  },
  nights: async ({ measure }) => {
    const rule = 'gate=[{ metric: latency.total, against: history, max_increase: 10% }]';
    for (let night = 10; night < 22; night += 1) await measure(`night-${night}`, ['seeds=[1]', 'load.warmup=0', rule]);
  },
  scores: async ({ folder, start, retake }) => {
    const judge = await serveJudge(({ images: { a, b } }) => choose(sizeOf(a) > sizeOf(b) ? 'A' : 'B'));
    writeJudge(folder, judge.url);
    await retake('run scored.yaml --run r --allow-commands');
    await judge.close();
    const { samples } = journalOf(join(folder, 'results/scored/r'));
    const values = samples.map(
      ({ trial: { id } }, at) => `rated.rated,${0.5 + (at % 7) / 20},${id}\nrated.cer,${(at % 5) / 50},${id}\n`,
    );
    writeFileSync(join(folder, 'values.csv'), `metric,value,trial\n${values.join('')}`);
    await retake('score results/scored --from values.csv');
    const server = start('vote results/scored --port 0');
    await server.prints(/^http:\S+/);
    server.kill('SIGINT');
    await server.ended;
    const path = join(folder, 'results/scored/r/votes.jsonl');
    const votes = [...readFileSync(path, 'utf8').matchAll(/"ballot":"(\w+)"/g)].map(([, ballot], at) =>
      JSON.stringify({ line: 'vote', ballot, choice: ['left', 'right', 'neither'][at % 3], voter: 'c'.repeat(32) }),
    );
    appendFileSync(path, votes.map((line) => `${line}\n`).join(''));
    await retake('report results/scored');
  },
  fleet: async ({ start, retake }) => {
    const { url, stop } = await startNatsServer();
    const fleet = `images.yaml --fleet ${url}`;
    const settings = ['load.concurrency=2'];
    const workers = ['one', 'two'].map((name) => start(`work ${fleet} --name ${name} --out ${name}`, settings));
    await retake(`run ${fleet} --workers 2 --run r`, settings);
    await Promise.all(workers.map(({ ended }) => ended));
    await stop();
  },
  videos: ({ measure }) => measure('r', VIDEOS),
};

const sizeOf = (images: readonly Buffer[]): number => images[0]?.length ?? 0;

/** Why the record of a part cannot be made here; null if it can. */
export function reasonToSkip(part: string): string | null {
  return part === 'fleet' ? NO_NATS_SERVER : null;
}

/** Makes the records that are not there yet, by the program of a build. A record appears whole or not at all. */
export async function makeRecords(parts: readonly string[], folder: string, checkout: string): Promise<void> {
  const missing = parts.filter((part) => part in RECORDS && !existsSync(join(folder, part)));
  if (missing.length === 0) return;
  const program = join(checkout, 'dist/main.js');
  const draft = mkdtempSync(join(folder, 'draft-'));
  const services = Object.entries(SERVICES).map(([name, rules]): readonly [string, Started] => {
    writeFileSync(join(draft, `${name}.yaml`), `behaviour: 1\nrules: [${rules.join(', ')}]\n`);
    const args = ['serve', '--port', '0', '--behaviour', `${name}.yaml`];
    return [name, startRetake(args, draft, { RETAKE_API_KEY: KEY }, program)];
  });
  const scorer = resolve('test/fixtures/sharpness-scorer.mjs');
  const env: Record<string, string> = { RETAKE_API_KEY: KEY, JUDGE_KEY: KEY, SCORER: scorer };
  for (const [name, service] of services) env[name] = await service.prints(/http:\S+/);
  try {
    for (const part of missing) {
      const beganAt = performance.now();
      await RECORDS[part]?.(makingIn(join(draft, part), checkout, env));
      renameSync(join(draft, part), join(folder, part));
      console.log(`made the record ${part} in ${((performance.now() - beganAt) / 1000).toFixed(0)} s`);
    }
  } finally {
    for (const [, service] of services) service.kill('SIGINT');
    await Promise.all(services.map(([, { ended }]) => ended));
    rmSync(draft, { recursive: true, force: true });
  }
}

function makingIn(folder: string, checkout: string, env: Readonly<Record<string, string>>): Making {
  mkdirSync(folder);
  for (const name of ['images.yaml', 'scored.yaml']) copyFileSync(join('test/tools/golden', name), join(folder, name));
  copyFileSync(join(checkout, 'suites/inputs/fox.jpg'), join(folder, 'fox.jpg'));
  const start: Making['start'] = (command, settings = []) => {
    const args = [...command.split(' '), ...settings.flatMap((setting) => ['--set', setting])];
    return startRetake(args, folder, env, join(checkout, 'dist/main.js'));
  };
  const retake: Making['retake'] = async (command, settings) => {
    const ended = await start(`${command} --quiet`, settings).ended;
    if (ended.code !== 2 && ended.code !== 5) return ended;
    throw new Error(`retake ${command} ended with ${ended.code}: ${ended.stderr}`);
  };
  const measure: Making['measure'] = (options, settings) => retake(`run images.yaml --yes --run ${options}`, settings);
  return { folder, start, retake, measure };
}
