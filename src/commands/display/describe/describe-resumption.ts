import type { PreparedSuite } from '../../../prepare/prepare-suite.ts';
import type { Run } from '../../../record/model/run.ts';
import { isLeft, type Resumption } from '../../../run/resume/resumption.ts';
import { count, plural } from '../../../text/quantity.ts';

/** What is done with a run that is taken up again: what is left of it, jobs that go on, and what nobody knows the end of. */
export function resumptionSentences({ id }: Run, { plan }: PreparedSuite, resumption: Resumption): readonly string[] {
  const { jobs, unanswered, resent } = resumption;
  const trials = plan.slices.flatMap((slice) => slice.trials);
  const left = trials.filter((trial) => isLeft(resumption, trial)).length;
  const answered = trials.length - left - jobs.size - unanswered.length;
  return [
    `resumes run ${id}: ${count(answered)} of ${plural(trials.length, 'request')} have a result, ${count(left)} left to send`,
    ...(jobs.size === 0 ? [] : [`polls ${plural(jobs.size, 'job')} that the service has accepted`]),
    ...(unanswered.length === 0
      ? []
      : [
          `does not send again ${plural(unanswered.length, 'request')} without an answer, which may have been charged; --resend-unknown sends them`,
        ]),
    ...(resent.size === 0
      ? []
      : [`sends again ${plural(resent.size, 'request')} without an answer, which may be charged twice`]),
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
  return `to resume this run: ${words.map(shellWord).join(' ')}`;
}

/** The command that writes the reports of a run from its record. */
export function reportCommand(folder: string): string {
  return ['retake', 'report', folder].map(shellWord).join(' ');
}

/** A word of a POSIX shell's command line. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
