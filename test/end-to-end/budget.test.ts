import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { servePaid } from '../fixtures/paid-service.ts';
import { retakeHere } from '../fixtures/retake-process.ts';

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
  // It does not calibrate either.
  expect(plan.stderr).toBe('');
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
