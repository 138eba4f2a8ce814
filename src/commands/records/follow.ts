import { resolve } from 'node:path';
import { accepted } from '../../kit/diagnostic.ts';
import { listed } from '../../kit/wording.ts';
import { readBaseline, readHistory } from '../../record/read-record.ts';
import { onlyRead } from '../../record/store.ts';
import { type FollowedRecord, followRecord } from '../../workflow/follow-record.ts';
import { countedLines } from '../../workflow/history.ts';
import { withRun } from '../../workflow/with-run.ts';
import type { follow } from '../declared/record-commands.ts';
import { textsOf } from '../display/publish.ts';
import { type Edge, EXIT, type ExitCode, printSentence } from '../edge.ts';
import type { ArgumentsOf } from '../line/command.ts';

/** `retake follow`: whether the numbers of a record follow from it. Writes nothing. */
export async function followCommand(
  { run, baseline, history, published, quiet }: ArgumentsOf<typeof follow>,
  edge: Edge,
): Promise<ExitCode> {
  const beside = {
    baseline: baseline === undefined ? null : accepted(await readBaseline(resolve(edge.cwd, baseline))),
    history: history === undefined ? null : await linesIn(resolve(edge.cwd, history)),
    published: published ?? null,
  };
  const followed = await withRun(run, { saysLatest: !quiet, lock: onlyRead }, edge, (folder) =>
    followRecord(folder, beside, {
      ...edge,
      quiet,
      passed: (check, found) => (quiet ? undefined : printSentence(edge.out, `${check.padEnd(LONGEST)}  ${found}`)),
      filesOf: textsOf,
    }),
  );
  printSentence(edge.out, END[followed.is](followed.what ?? ''));
  for (const sentence of cannotShow(followed, published !== undefined)) printSentence(edge.out, sentence);
  return CODES[followed.is];
}

async function linesIn(folder: string) {
  return accepted(await countedLines(folder, accepted(await readHistory(folder))));
}

/** Of the names of checks. */
const LONGEST = 'journal'.length;

const END = {
  follows: () => 'Follows from the record.',
  differs: (what) => `Does not follow: ${what}.`,
  unchecked: (what) => `Cannot be checked: ${what}.`,
} as const satisfies Readonly<Record<FollowedRecord['is'], (what: string) => string>>;

const CODES: Readonly<Record<FollowedRecord['is'], ExitCode>> = {
  follows: EXIT.ok,
  differs: EXIT.failed,
  unchecked: EXIT.inconclusive,
};

/** What no record shows, whatever it holds. */
function cannotShow({ taken }: FollowedRecord, isPublished: boolean): readonly string[] {
  const others = ['outcomes, costs and flags of takes', 'what servers report', 'what it says of its machine', ...taken];
  return [
    'This cannot show:',
    '- that times were measured, and not written by hand: times that are all scaled, or a whole record that was made up, follow too;',
    '- that the server was the one named;',
    `- that no earlier run was thrown away, ${isPublished ? 'or' : 'that its suite, rules and claims are older than the run (--published), or'} that a run that ended early had no further takes.`,
    `Taken as the record says: ${listed(others)}. Not compared: report.html, which "retake report" makes again.`,
  ];
}
