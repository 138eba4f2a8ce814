import type { CsvCell } from '../kit/csv-reader.ts';
import type { Checked, Diagnostic } from '../kit/diagnostic.ts';
import { suggest } from '../kit/nearest.ts';
import { VOTE_CHOICES } from '../record/codes.ts';
import type { Ballot, Vote, VoteLine } from '../record/score.ts';
import { columnRows, MOST_FAULTS } from './from-file/named-values.ts';

const COLUMNS = ['ballot', 'choice', 'voter'] as const;

/** So many votes are held at once. */
const MOST_ROWS = 100_000;

const VOTER = /^[0-9a-f]{32}$/;

/** What a file of votes adds to a run. */
export interface FileVotes {
  readonly votes: readonly Vote[];
  /** How many votes of the file the run has already. */
  readonly known: number;
}

/**
 * Reads a file of votes whole, or gives its faults with line and column: `ballot`, `choice`, `voter`. A voter has one
 * vote on a ballot.
 *
 * @param file the name that diagnostics print
 * @param ballots that voters see
 * @param written what the run has
 */
export function readVotes(
  { file, text }: { readonly file: string; readonly text: string },
  ballots: readonly Ballot[],
  written: readonly VoteLine[],
): Checked<FileVotes> {
  const rows = columnRows(file, text, { columns: COLUMNS, needed: COLUMNS, most: MOST_ROWS });
  if (!rows.ok) return rows;
  const ids = new Set(ballots.map(({ ballot }) => ballot));
  const known = new Map(
    written.flatMap((line) => (line.line === 'vote' ? [[placeOf(line), line.choice] as const] : [])),
  );
  const found = new Map<string, Vote>();
  const faults: Diagnostic[] = [];
  let repeated = 0;
  const refuse = ({ line, column }: CsvCell, cause: string, remedy: string): void => {
    faults.push({ place: { file, line, column }, cause, remedy });
  };
  for (const row of rows.value) {
    if (faults.length >= MOST_FAULTS) break;
    const [ballot, chosen, voter] = [row('ballot'), row('choice'), row('voter')];
    const choice = VOTE_CHOICES.find((each) => each === chosen.text);
    if (!ids.has(ballot.text)) {
      refuse(ballot, `the run has no ballot "${ballot.text}"`, 'name the run that the file was made for');
    } else if (choice === undefined) {
      refuse(chosen, `"${chosen.text}" is not a choice`, suggest(chosen.text, VOTE_CHOICES));
    } else if (!VOTER.test(voter.text)) {
      refuse(voter, `"${voter.text}" is not the id of a voter`, 'use 32 random digits of 0-9 and a-f for each voter');
    } else {
      const vote: Vote = { line: 'vote', ballot: ballot.text, choice, voter: voter.text };
      const place = placeOf(vote);
      const before = known.get(place) ?? found.get(place)?.choice;
      if (before === undefined) found.set(place, vote);
      else if (before === choice) repeated += 1;
      else refuse(chosen, `this voter has chosen "${before}" on this ballot before`, 'keep the first choice');
    }
  }
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  return { ok: true, value: { votes: [...found.values()], known: repeated } };
}

function placeOf({ ballot, voter }: Vote): string {
  return `${ballot} ${voter}`;
}
