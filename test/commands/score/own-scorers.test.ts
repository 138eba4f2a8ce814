import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { holdToSuite } from '../../../src/commands/score/program-scorers.ts';
import { withSpeech } from '../../../src/commands/speech.ts';
import { checked, formatDiagnostic } from '../../../src/kit/diagnostic.ts';
import { type PreparedSuite, prepareSuite } from '../../../src/run/prepare-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';

const judging = (more: string) => `
  fit: { use: judge, target: judge/openai-chat, question: Which?${more} }`;
const starting = (command: string) => `
  text: { use: command, command: ${command}, gives: { text: { better: lower } } }`;

async function suiteOf(scorers: string): Promise<PreparedSuite> {
  const cwd = freshFolder();
  const target = 'reference/text-to-image';
  const head = `suite: 1\nname: s\nvariants: { a: { target: ${target} }, b: { target: ${target} } }\nprompts: [A fox]\n`;
  writeFileSync(join(cwd, 's.yaml'), `${head}scorers:${scorers}\n`);
  for (const file of ['mine.mjs', 'theirs.mjs']) writeFileSync(join(cwd, file), '');
  const prepared = await prepareSuite('s.yaml', { env: {}, cwd });
  if (!prepared.ok) throw new Error(prepared.diagnostics.map(formatDiagnostic).join('\n'));
  return prepared.value;
}

/** @param answers what is typed on a terminal; absent without one */
async function held(recorded: string, own: string | null, answers?: string) {
  const record = await suiteOf(recorded);
  const input = Readable.from(answers === undefined ? [] : [answers]);
  const edge = withSpeech({ ...memoryEdge('.'), asks: answers !== undefined, input });
  const run = { id: 'r', scorers: record.suite.scorers };
  const answer = await checked(async () =>
    holdToSuite(run, record.judges, own === null ? null : await suiteOf(own), edge),
  );
  const refused = answer.ok ? [] : answer.diagnostics.map(formatDiagnostic);
  const [judge] = answer.ok ? answer.value : [];
  return { refused, said: edge.stderr(), limits: judge?.scorer.limits, price: judge?.endpoint.price?.usd };
}

const NAMED =
  'scorer text: the record of run r starts node theirs.mjs, your suite starts node mine.mjs; if you trust it, write the command of the record into the suite';

test('a program that the own suite names, or where there is no own suite, needs no further question', async () => {
  const mine = starting('[node, mine.mjs]');
  expect(await held(mine, mine)).toMatchObject({ refused: [], said: '' });
  expect(await held(mine, null)).toMatchObject({ refused: [], said: '' });
});

test('a program that a record names in place of that of the own suite is named with it, and asked about', async () => {
  const [theirs, mine] = [starting('[node, theirs.mjs]'), starting('[node, mine.mjs]')];
  expect((await held(theirs, mine)).refused).toEqual([NAMED]);
  expect((await held(theirs, judging(''))).refused[0]).toContain('your suite has no such program');
  const asked = await held(theirs, mine, 'yes\n');
  expect(asked.refused).toEqual([]);
  expect(asked.said).toContain('the record of run r starts node theirs.mjs, your suite starts node mine.mjs');
  expect((await held(theirs, mine, 'no\n')).refused).toEqual(['the run was not started; nothing was sent']);
});

test.each<[string, string, string, object]>([
  [
    'higher limits',
    ', price: { per: request, usd: 1 }, limits: { requests: 500, usd: 90 }',
    ', price: { per: request, usd: 1 }, limits: { requests: 5 }',
    { limits: { requests: 5, usd: 90 }, price: 1 },
  ],
  [
    'a lower price',
    ', price: { per: request, usd: 0.001 }, limits: { usd: 1 }',
    ', price: { per: request, usd: 0.5 }, limits: { usd: 2 }',
    { limits: { requests: null, usd: 1 }, price: 0.5 },
  ],
  ['no limits and no price', '', ', price: { per: request, usd: 0.5 }, limits: { usd: 2 }', { price: 0.5 }],
])('the judge of a record with %s keeps those of the own suite, and that is said', async (_, record, own, expected) => {
  const found = await held(judging(record), judging(own));
  expect(found).toMatchObject(expected);
  expect(found.said.replace(/\s+/g, ' ')).toContain(
    'judge fit: the record of run r has a higher limit or a lower price than your suite; the lower limits and the higher price hold',
  );
  expect(await held(judging(own), judging(own))).toMatchObject({ said: '' });
});
