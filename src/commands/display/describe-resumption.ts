import type { PreparedSuite } from '../../prepare/prepare-suite.ts';
import type { Run } from '../../record/model/run.ts';
import { isLeft, type Resumption } from '../../run/resume/resumption.ts';
import { count, plural } from '../../text/quantity.ts';

/** What is done with a run that is taken up again: what is left of it, jobs that go on, and what nobody knows the end of. */
export function resumptionSentences({ id }: Run, { plan }: PreparedSuite, resumption: Resumption): readonly string[] {
  const { jobs, unanswered, resent } = resumption;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const left = trials.filter((trial) => isLeft(resumption, trial)).length;
  const answered = trials.length - left - jobs.size - unanswered.length;
  return [
    `resumes run ${id}: ${count(answered)} of ${plural(trials.length, 'request')} have ended, ${count(left)} are left`,
    ...(jobs.size === 0 ? [] : [`asks after ${plural(jobs.size, 'job')} that the service took on before`]),
    ...(unanswered.length === 0
      ? []
      : [
          `${plural(unanswered.length, 'request')} had no answer and may have been charged: not sent again; --resend-unknown sends them`,
        ]),
    ...(resent.size === 0 ? [] : [`sends ${plural(resent.size, 'request')} again that may have been charged`]),
  ];
}

/** The command that goes on with a run that ended early. */
export function resumeLine(
  {
    suite,
    set,
    against,
  }: { readonly suite: string; readonly set: readonly string[]; readonly against?: string | undefined },
  folder: string,
): string {
  const sets = set.flatMap((override) => ['--set', override]);
  const stored = against === undefined ? [] : ['--against', against];
  const words = ['retake', 'run', suite, ...sets, ...stored, '--resume', folder];
  return `to go on with this run: ${words.map(shellWord).join(' ')}`;
}

/** A word of a POSIX shell's command line. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
