import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { askedOf } from '../arguments.ts';
import { differencesOf } from './differences.ts';
import { digestOf, installBuild, type Outputs, outputsOf } from './outputs.ts';
import { makeRecords, RECORDS, reasonToSkip } from './records.ts';
import { type Step, stepsOfRecord, stepsWithoutRecord } from './steps.ts';

/*
 * npm run golden: whether this build gives the same bytes as another one in all that a user can read. Records are made
 * once, by the other build. Ends with 1 where an output differs, and expected.txt does not name it.
 *
 *   npm run golden -- ../before                       this checkout beside another one that was built
 *   npm run golden -- ../before images help           some parts only
 *   npm run golden -- ../before --records FOLDER      where records are kept; by default in the folder of temporary files
 */

const FOLDER = 'test/tools/golden';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string', default: join(tmpdir(), 'retake-golden') } },
});
const [named, ...asked] = positionals;
if (named === undefined) throw new Error('name the checkout to compare with: npm run golden -- ../before');
const other = resolve(named);
const records = resolve(values.records);

const mistakes = readFileSync(join(FOLDER, 'mistakes.txt'), 'utf8').split(/^=== /m).slice(1);
mkdirSync(join(records, 'mistakes'), { recursive: true });
const wrong = mistakes.map((text) => {
  const [name = '', ...lines] = text.split('\n');
  writeFileSync(join(records, 'mistakes', name), lines.join('\n'));
  return name;
});
const withoutRecord = stepsWithoutRecord(other, wrong);
const all = [...Object.keys(RECORDS), ...Object.keys(withoutRecord)];
const chosen = askedOf(all, asked);
const parts = all.filter((part) => {
  const reason = reasonToSkip(part);
  if (reason !== null) console.log(`skipped ${part}: ${reason}`);
  return reason === null && chosen.includes(part);
});

await makeRecords(parts, records, other);
const place = mkdtempSync(join(records, 'place-'));
try {
  const before = await outputsOfBuild(other, true);
  const after = await outputsOfBuild(resolve('.'), false);
  const expected = readFileSync(join(FOLDER, 'expected.txt'), 'utf8').match(/^[^#\n].*/gm) ?? [];
  const { lines, unexpected } = differencesOf(before, after, expected);
  console.log(lines.join('\n'));
  process.exitCode = unexpected === 0 ? 0 : 1;
} finally {
  rmSync(place, { recursive: true });
}

/** Of all parts, two at a time. @param keeps whether they are kept for the next time */
async function outputsOfBuild(checkout: string, keeps: boolean): Promise<Outputs> {
  installBuild(checkout, place);
  const waiting = [...parts];
  const outputs = new Map<string, Outputs>();
  const takeNext = async (): Promise<void> => {
    const part = waiting.shift();
    if (part === undefined) return;
    outputs.set(part, await (keeps ? keptOutputs : newOutputs)(part));
    return takeNext();
  };
  await Promise.all([takeNext(), takeNext()]);
  return new Map(parts.flatMap((part) => [...(outputs.get(part) ?? [])]));
}

function stepsOf(part: string): readonly Step[] {
  return withoutRecord[part] ?? stepsOfRecord(join(records, part));
}

async function newOutputs(part: string): Promise<Outputs> {
  return outputsOf(stepsOf(part), join(records, part), place, part);
}

/** Those of the other build, made once for its files and the record. */
async function keptOutputs(part: string): Promise<Outputs> {
  const madeAt = part in RECORDS ? statSync(join(records, part)).mtimeMs : 0;
  const digest = digestOf(join(place, 'retake'), JSON.stringify([stepsOf(part), madeAt]));
  const file = join(records, 'outputs', `${part}-${digest}.json`);
  if (existsSync(file)) return new Map(JSON.parse(readFileSync(file, 'utf8')));
  const outputs = await newOutputs(part);
  mkdirSync(join(records, 'outputs'), { recursive: true });
  // Another comparison may read it meanwhile.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify([...outputs]));
  renameSync(`${file}.${process.pid}`, file);
  return outputs;
}
