import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateCommand } from '../../../src/commands/measuring/validate.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

const GATED = `suite: 1
name: gated
variants: { a: { target: reference/text-to-image }, b: { target: reference/text-to-image } }
prompts: [A red fox, A cat]
seeds: [1, 2, 3]
repeats: 5
gate:
  - { metric: error_rate, max_rise: 5%, against: history }
  - { metric: latency, max: 20s }
  - { metric: latency.total, max: 500 }
  - { metric: latency.queue, max_increase: 20 }
  - { metric: error_rate, max: 20s }
  - { metric: cost.per_output, max: 5% }
  - { metric: wherever, max: 1 }
  - { metric: latency.total, statistic: p50, max: 20s }
`;

test('retake validate asks for the unit of a limit, and offers the metrics that a word begins', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 's.yaml'), GATED);
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  const said = edge.stderr().trim().split('\n');
  expect(said).toHaveLength(7);
  expect(said[0]).toMatch(
    /^s\.yaml:8:27: rates of earlier runs are mostly 0, .*; use max, such as max: 5%, or against: baseline with --against/,
  );
  expect(said[1]).toMatch(
    /there is no metric "latency"; did you mean latency\.total, latency\.response, .* or latency\.cold\?$/,
  );
  expect(said[2]).toMatch(
    /:10:30: latency\.total is a time, and the limit has no unit of time; write 500ms, 20s or 10m$/,
  );
  expect(said[3]).toMatch(/latency\.queue is a time/);
  expect(said[4]).toMatch(/error_rate is a share; write a percentage/);
  expect(said[5]).toMatch(/cost\.per_output is a plain number; write it without a unit/);
  expect(said[6]).toMatch(/"wherever"; known are [^;]* and 4\d more$/);
});

test('retake validate checks rules on scores by the scorers of the suite, and lists what these would start', async () => {
  const cwd = freshFolder();
  const scorers = `scorers:
  hps: { use: command, gives: { hps: { better: higher } }, command: [python3, -c, pass] }
  text: { use: file, gives: { cer: { better: lower }, words: { better: null } } }
gate:
`;
  const edge = memoryEdge(cwd);
  const validate = (...rules: readonly string[]) => {
    const gated = GATED.replace(/gate:[\s\S]*/, scorers) + rules.map((rule) => `  - { ${rule} }\n`).join('');
    writeFileSync(join(cwd, 's.yaml'), gated);
    return validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge);
  };
  const wrong = [
    'score.hsp, max_decrease: 0.1',
    'score.text, max: 1',
    'score.hps, max_increase: 0.1',
    'score.hps, max: 5s',
  ];
  expect(await validate(...wrong.map((rule) => `metric: ${rule}`))).toBe(2);
  expect(edge.stderr().trim().split('\n')).toEqual([
    's.yaml:11:7: there is no metric "score.hsp"; did you mean "score.hps"?',
    's.yaml:12:7: there is no metric "score.text"; did you mean score.text.cer or score.text.words?',
    's.yaml:13:26: a higher score.hps is better; use max_decrease',
    's.yaml:14:26: score.hps is a plain number; write it without a unit, such as 0.05',
  ]);
  expect(await validate('metric: score.hps, max_decrease: 0.1', 'metric: score.text.cer, max: 0.2')).toBe(0);
  expect(edge.stdout()).toBe(`s.yaml: suite gated is valid (2 variants, 62 requests)
  scorer hps starts python3 -c pass, for at most 60 outputs; a run needs --allow-commands
  scorer text takes values from a file, for at most 60 outputs: retake score RUN --from FILE.csv
`);
});

const UNDECIDABLE = `suite: 1
name: undecidable
variants: { a: { target: reference/text-to-image }, b: { target: reference/text-to-image } }
prompts: [{ id: fox, text: A red fox }, { id: cat, text: A cat }]
seeds: [1]
repeats: 1
gate:
  - { metric: latency.cold, max: 60s }
  - { metric: start_lag, max: 20ms }
  - { metric: latency.response, max: 20s }
  - { metric: capacity, min: 2 }
  - { metric: seed.effect, min: 50% }
  - { metric: determinism.pixel, none: departure }
  - { metric: throughput, statistic: p50, min: 2 }
  - { metric: latency.total, none: error }
  - { metric: error_rate, over: 2s, max: 10% }
  - { metric: spend, max: 5, prompts: [fox] }
`;

test('retake validate refuses rules that no run could decide, each with its place, its cause and what to do', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 's.yaml'), UNDECIDABLE);
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  expect(edge.stderr().trim().split('\n')).toEqual([
    's.yaml:8:7: latency.cold is one value without an interval, so no rule can be decided by it; remove the rule',
    's.yaml:9:7: start_lag is measured under open load only; declare open load (load.rate), or use latency.total',
    's.yaml:10:7: latency.response is measured under open load only; declare open load (load.rate), or use latency.total',
    's.yaml:11:7: capacity is what load.hold asks for, and the suite has none, so no rule can be decided by it; remove the rule',
    's.yaml:12:7: the metric seed.effect was removed: a rule cannot use what a probe finds; use determinism.pixel, or read it in the report (probes of analysis.json)',
    's.yaml:13:7: determinism.pixel compares takes of one prompt and seed, and each has one take only; set repeats to 2 or more',
    's.yaml:14:27: throughput has no bound for the statistic p50; use rate',
    's.yaml:15:30: error is an event of other metrics; use error_rate',
    's.yaml:16:27: over has no meaning for error_rate; remove it, or use slow_rate or goodput',
    's.yaml:17:30: spend is of all requests of a variant, so a rule cannot narrow it to prompts or tags; remove prompts and tags',
  ]);
});

test('retake validate shows every fault with its line, file by file from the first line on', async () => {
  const cwd = freshFolder();
  const prompts = Array.from({ length: 7 }, (_, at) => `  - { id: p${at}, txt: A fox }\n`).join('');
  const suite = `suite: 1\nname: "no name"\nprompts:\n${prompts}seeds: wrong\nvariants: { a: { target: nowhere/at-all } }\n`;
  writeFileSync(join(cwd, 's.yaml'), suite);
  const edge = { ...memoryEdge(cwd), showsExcerpts: true };
  expect(await validateCommand({ files: ['s.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  const lines = [...edge.stderr().matchAll(/^s\.yaml:(\d+):/gm)].map(([, line]) => Number(line));
  expect(lines.length).toBeGreaterThan(7);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  expect(edge.stderr().match(/^ +\| +\^$/gm)).toHaveLength(lines.length);
});

test('retake validate tells what is wrong with a target once, however many suites name it', async () => {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'targets', 'own'), { recursive: true });
  writeFileSync(
    join(cwd, 'targets', 'own', 'images.yaml'),
    'target: 1\nid: own/images\nkind: text-to-image\nbase_url: http://127.0.0.1:9\nsubmit: { pth: /g }\nresult: { from: body }\n',
  );
  for (const name of ['one', 'two']) {
    const suite = `suite: 1\nname: ${name}\nvariants: { a: { target: own/images } }\nprompts: [A red fox]\n`;
    writeFileSync(join(cwd, `${name}.yaml`), suite);
  }
  const edge = memoryEdge(cwd);
  expect(await validateCommand({ files: ['one.yaml', 'two.yaml'], quiet: false, allowOutside: false }, edge)).toBe(2);
  expect(edge.stdout()).toBe('');
  expect(edge.stderr().match(/unknown key "pth"/g)).toHaveLength(1);
});
