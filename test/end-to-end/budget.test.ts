import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../src/statistics/random.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { servePaid } from '../fixtures/paid-service.ts';
import { retakeHere, startRetake } from '../fixtures/retake-process.ts';

const TARGET = (url: string, price: string) => `target: 1
id: test/image
kind: text-to-image
base_url: ${url}
submit: { path: /image, encoding: json, body: { prompt: "\${case.prompt}", seed: "\${case.seed}", seconds: "\${case.seconds}" } }
result: { from: body, expect: image/* }
${price}
`;

const SUITE = (more: string) => `suite: 1
name: paid
variants: { image: { target: ./image.yaml } }
prompts: [a fox, a cat, a house, a boat]
seeds: { first: 1, count: 10 }
repeats: 1
load: { concurrency: 4, warmup: 1 }
reports: [csv]
${more}
`;

const submitsOf = (submits: ReadonlyMap<string, number>) => [...submits.values()].reduce((sum, each) => sum + each, 0);

test('limits.usd over processes that are killed: the server is never sent more than the limit pays for', async () => {
  const random = createRandom(11);
  const service = await servePaid(random.uniform);
  onTestFinished(service.close);
  const folder = freshFolder();
  writeFileSync(join(folder, 'image.yaml'), TARGET(service.url, 'price: { per: request, usd: 0.1 }'));
  writeFileSync(join(folder, 'suite.yaml'), SUITE('limits: { usd: 2 }'));
  const results = join(folder, 'results', 'paid');
  const begin = () => {
    const [run] = existsSync(results)
      ? readdirSync(results).filter((name) => existsSync(join(results, name, 'run.json')))
      : [];
    return startRetake(
      ['run', 'suite.yaml', '--quiet', '--yes', ...(run === undefined ? [] : ['--resume', join(results, run)])],
      folder,
    );
  };
  for (const more of [1, 4, 3]) {
    const before = submitsOf(service.submits);
    const process = begin();
    while (submitsOf(service.submits) < before + more) await sleep(1);
    process.kill('SIGKILL');
    expect((await process.ended).code).toBeNull();
  }
  const last = await begin().ended;
  expect(last.code).toBe(3);
  expect(last.stderr).toContain('the limit of 2 USD was reached');
  expect(submitsOf(service.submits)).toBeLessThanOrEqual(20);
  // A process that was killed may have counted up to 4 requests that it did not send.
  expect(submitsOf(service.submits)).toBeGreaterThanOrEqual(20 - 3 * 4);
});

test('limits.usd with a cost that has no upper bound: is refused at the variant before anything is sent', async () => {
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const folder = freshFolder();
  writeFileSync(join(folder, 'suite.yaml'), SUITE('limits: { usd: 2 }'));
  const planned = async (price: string) => {
    writeFileSync(join(folder, 'image.yaml'), TARGET(service.url, price));
    const { code, stderr } = await retakeHere(['plan', 'suite.yaml'], folder);
    return { code, stderr };
  };
  expect(await planned('')).toEqual({
    code: 2,
    stderr:
      'suite.yaml:3:13: limits.usd needs the highest cost of a request of "image", and its price is unknown; give the variant a price such as { per: request, usd: 0.05 }, or limit the requests instead\n',
  });
  expect(await planned('price: { per: second, usd: 0.02 }')).toEqual({
    code: 2,
    stderr:
      'suite.yaml:3:13: limits.usd needs the highest cost of a request of "image", and nothing limits the seconds of prompt "a-fox"; give the input seconds, or add most to its price, the most seconds of a request: { per: second, usd: 0.02, most: 4 }\n',
  });
  expect((await planned('price: { per: second, usd: 0.02, most: 4 }')).code).toBe(0);
  expect(service.submits.size).toBe(0);
});

test('a run that may cost more than 1 USD: is not started without a terminal, and is with --yes', async () => {
  const service = await servePaid(() => 0);
  onTestFinished(service.close);
  const folder = freshFolder();
  writeFileSync(join(folder, 'image.yaml'), TARGET(service.url, 'price: { per: request, usd: 0.1 }'));
  writeFileSync(join(folder, 'suite.yaml'), SUITE(''));
  const plan = await retakeHere(['plan', 'suite.yaml'], folder);
  expect(plan.stdout).toContain('Cost: $4.10 by the declared prices, if each request is sent once\n');
  const lines = await retakeHere(['plan', 'suite.yaml', '--json'], folder);
  expect(JSON.parse(lines.stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    cost: {
      variants: [{ variant: 'image', requests: 41, leastUsd: 4.1, mostUsd: 4.1 }],
      leastUsd: 4.1,
      mostUsd: 4.1,
      limitUsd: null,
    },
  });
  expect(await retakeHere(['run', 'suite.yaml'], folder)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'the run may cost up to $4.10; add --yes to start it without a terminal; retake plan shows the cost of each variant\n',
  });
  expect(existsSync(join(folder, 'results'))).toBe(false);
  const started = await retakeHere(['run', 'suite.yaml', '--yes'], folder);
  expect(started.code).toBe(0);
  expect(started.stderr).toContain('$4.10 spent');
});
