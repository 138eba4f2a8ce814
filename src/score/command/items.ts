import type { Control } from '../../record/codes.ts';
import type { OutputScore } from '../../record/score.ts';
import { scoreKey, type WrittenScores } from '../../record/score-key.ts';
import type { CommandScorer } from '../../suite/scorer.ts';
import type { Result, ScorerItem, Showing } from '../conversation.ts';
import { controlCopies } from '../outputs/controls.ts';
import { isFinal, type OutputToScore, whyNotShown } from '../outputs-to-score.ts';
import type { Values } from './protocol.ts';

/** What a program is asked about, and the lines of scores.jsonl that its answer makes. */
export interface Item extends ScorerItem {
  readonly linesOf: (result: Result) => readonly OutputScore[];
}

/** What questions are made from. */
export interface Questioned {
  readonly scorer: CommandScorer;
  readonly by: string;
  readonly outputs: readonly OutputToScore[];
  readonly written: WrittenScores;
  /** Whether the record has the media with this digest. */
  readonly isStored: (sha256: string) => boolean;
  /** Makes the files of a question about `output`, in whose place `shown` may stand. */
  readonly show: (output: OutputToScore, shown: OutputToScore, control: Control | null) => Promise<Showing>;
}

interface Items {
  /** What needs no program: what was said before, and of what there is nothing to ask. */
  readonly known: readonly OutputScore[];
  /** In the order of their keys, which is random to the program. */
  readonly open: readonly Item[];
}

/** Equal outputs of prompts that ask for the same are one question. */
export function outputItems({ scorer, by, outputs, written, isStored, show }: Questioned): Items {
  const known: OutputScore[] = [];
  const open = new Map<string, Item>();
  const lines = new Map<string, AnswerPlace[]>();
  for (const output of outputs) {
    const { prompt, digest } = output;
    const line: AnswerPlace = {
      scorer: scorer.name,
      by,
      key: scoreKey({ by, prompt, media: [digest], control: null }),
      prompt: prompt.id,
      media: [digest],
    };
    const before = written.find(line.key);
    const why = whyNotShown([output], prompt, isStored);
    const equal = lines.get(line.key);
    if (before !== null && isFinal(before)) known.push({ ...before, prompt: prompt.id });
    else if (why !== null) known.push({ line: 'unscored', ...line, why });
    else if (equal !== undefined) equal.push(line);
    else {
      const own = [line];
      lines.set(line.key, own);
      open.set(line.key, {
        question: questionOf(output),
        show: () => show(output, output, null),
        linesOf: (result) => own.map((each) => answerLine(each, result)),
      });
    }
  }
  return { known, open: inOrder(open) };
}

/** The copies of outputs that have no line yet. */
export function controlItems(questioned: Questioned): readonly Item[] {
  const { scorer, by, outputs, written, show } = questioned;
  const open = controlCopies(scorer, by, outputs, written).filter(({ key }) => written.find(key) === null);
  return inOrder(
    new Map(
      open.map(({ key, control, output, shown }): [string, Item] => {
        const { prompt, digest } = output;
        const media = shown === output ? [digest] : [digest, shown.digest];
        const line = { scorer: scorer.name, by, key, prompt: prompt.id, media };
        return [
          key,
          {
            question: questionOf(output),
            show: () => show(output, shown, control),
            linesOf: (result) => {
              if (!result.ok && result.why.code === 'command_failed') return [];
              const usual = written.find(scoreKey({ by, prompt, media: [digest], control: null }));
              const values = usual?.line === 'value' && result.ok ? ([result.values, usual.values] as const) : null;
              return [
                { line: 'control', ...line, control, found: values === null ? null : worseIn(scorer, ...values) },
              ];
            },
          },
        ];
      }),
    ),
  );
}

type AnswerPlace = Pick<OutputScore, 'scorer' | 'by' | 'key' | 'prompt' | 'media'>;

function answerLine(line: AnswerPlace, result: Result): OutputScore {
  return result.ok ? { line: 'value', ...line, values: result.values } : { line: 'unscored', ...line, why: result.why };
}

/** Of each value with a direction, whether the copy is worse. */
function worseIn({ gives }: CommandScorer, copy: Values, usual: Values): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    gives.flatMap(({ value, better }) => {
      const [worse, best] = [copy[value], usual[value]];
      if (better === null || worse === undefined || best === undefined) return [];
      return [[value, better === 'higher' ? worse < best : worse > best]];
    }),
  );
}

function questionOf({ prompt, kind }: OutputToScore): Item['question'] {
  return { prompt: prompt.text, expect: prompt.expect?.values ?? null, kind };
}

function inOrder(items: ReadonlyMap<string, Item>): readonly Item[] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
