import type { Random } from '../../../src/statistics/random.ts';
import { gateRule } from '../../fixtures/scripted-run.ts';
import type { Design } from './experiment.ts';
import { JUDGED, type JudgeAnswer, type Question } from './judged-outputs.ts';
import { PLAIN } from './service.ts';
import type { Bar, Setting } from './settings.ts';

/** Where the better output stands; neither: there is none. */
type Better = 'first' | 'second' | 'neither';

/** How often a judge says `first` and `second`; else it says that neither is better. */
type Answering = (better: Better) => readonly [first: number, second: number];

/** A scripted judge. */
export interface JudgeLaw {
  readonly code: string;
  readonly name: string;
  readonly ofPairs: Answering;
  /** Of an output beside its worse copy. */
  readonly ofCopies: Answering;
  /** The share of pairs of which it sees in both orders what chance says, and not what is true. */
  readonly noise: number;
  /** The share of questions without an answer, and why. */
  readonly refuses: number;
  readonly why: 'bad_reply' | 'call_failed';
}

/**
 * Says what is true so often where the place of an output does not count. Each question is answered by itself.
 *
 * @param accuracy of the better output where there is one; of `neither` where there is none
 * @param bias towards the output that is shown first, in logits
 * @param neither the share of questions to which it says that neither is better, whatever it sees
 */
function scripted(accuracy: number, bias: number, neither: number): Answering {
  const certainty = Math.log(accuracy / (1 - accuracy));
  return (better) => {
    const chooses = (1 - neither) * (better === 'neither' ? 1 - accuracy : 1);
    const first = logistic(bias + { first: certainty, second: -certainty, neither: 0 }[better]);
    return [chooses * first, chooses * (1 - first)];
  };
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Of all pairs, truly. */
const TIES = 0.2;

/** How many more pairs a candidate loses than wins by this judge, for each that it truly does. */
function seenOf({ ofPairs, noise }: JudgeLaw): number {
  const [first, second] = [ofPairs('first'), ofPairs('second')];
  return (1 - noise) * (first[0] * second[1] - first[1] * second[0]);
}

/**
 * Draws what a judge says to each question.
 *
 * @param netLoss how many more pairs the candidate loses than wins by this judge in both orders, in shares: what a
 * comparison estimates
 */
export function drawAnswers(
  questions: readonly Question[],
  law: JudgeLaw,
  netLoss: number,
  random: Random,
): readonly JudgeAnswer[] {
  const lost = netLoss === 0 ? 0 : netLoss / seenOf(law);
  if (lost > 1 - TIES) throw new Error('a judge cannot see so large a loss');
  const seen = new Map<string, 'candidate' | 'baseline' | 'neither'>();
  const draw = () => {
    if (random.uniform() < law.noise) return random.uniform() < 0.5 ? 'candidate' : 'baseline';
    const at = random.uniform();
    return at < TIES ? 'neither' : at < TIES + (1 - TIES + lost) / 2 ? 'baseline' : 'candidate';
  };
  const betterOf = (question: Question): Better => {
    if (question.of === 'copy') return question.first === 'output' ? 'first' : 'second';
    const better = seen.get(question.caseSeed) ?? draw();
    seen.set(question.caseSeed, better);
    return better === 'neither' ? 'neither' : better === question.first ? 'first' : 'second';
  };
  return questions.map((question): JudgeAnswer => {
    const better = betterOf(question);
    if (random.uniform() < law.refuses) return { ok: false, why: REFUSALS[law.why] };
    const [first, second] = (question.of === 'copy' ? law.ofCopies : law.ofPairs)(better);
    const at = random.uniform();
    return { ok: true, chosen: at < first ? 'first' : at < first + second ? 'second' : 'neither' };
  });
}

const REFUSALS = {
  bad_reply: { code: 'bad_reply' },
  call_failed: { code: 'call_failed', outcome: 'error', error: '' },
} as const;

const LIMIT = 0.2;

const RULE = [gateRule(JUDGED, { is: 'max_rise', share: LIMIT })];

const SIZES: Readonly<Record<20 | 30 | 40 | 100, Pick<Design, 'prompts' | 'seeds'>>> = {
  20: { prompts: 4, seeds: 5 },
  30: { prompts: 6, seeds: 5 },
  40: { prompts: 8, seeds: 5 },
  100: { prompts: 20, seeds: 5 },
};

type Pairs = keyof typeof SIZES;

const COVERED: Bar = { atLeast: 0.94, atMost: 0.97 };

interface JudgedCase {
  readonly pairs: Pairs;
  readonly law: JudgeLaw;
  readonly netLoss: number;
  /** What a gate decides, or whether a comparison tells the variants apart. */
  readonly asks?: 'gate' | 'told';
  readonly bars: Setting['bars'];
}

function settingOf({ pairs, law, netLoss, asks = 'gate', bars }: JudgedCase): Setting {
  const points = Math.round(100 * netLoss);
  return {
    id: `judges_${pairs}.${law.code}.${asks}.${points}`,
    part: 'judges',
    what: `${pairs} pairs, ${law.name}, ${asks === 'gate' ? 'max_rise 20 points' : 'told apart'}`,
    change: netLoss === 0 ? 'none' : `net loss of ${points} points`,
    design: { ...SIZES[pairs], repeats: 1, candidates: 1, concurrency: 4, order: 'paired', judged: true },
    service: PLAIN,
    judge: { law, netLoss },
    ratio: 1,
    rules: asks === 'gate' ? RULE : [],
    truth: netLoss,
    bars,
  };
}

/** It errs on no copy: a control that fails would hide what its pairs decide. */
function judge(accuracy: number, bias: number, refused: number, why: JudgeLaw['why'] = 'bad_reply'): JudgeLaw {
  const percent = Math.round(100 * accuracy);
  const unanswered = why === 'bad_reply' ? 'no answer' : 'the call fails';
  return {
    code: `right_${percent}.bias_${bias}.${why === 'bad_reply' ? 'refuses' : 'fails'}_${Math.round(100 * refused)}`,
    name: `right in ${percent} %, bias ${bias}${refused === 0 ? '' : `, ${unanswered} in ${Math.round(100 * refused)} %`}`,
    ofPairs: scripted(accuracy, bias, 0.05),
    ofCopies: scripted(1, 0, 0),
    noise: 0.2,
    refuses: refused,
    why,
  };
}

/** Decides every pair, by a coin that falls alike in both orders: the most that a gate without a change can vary by. */
const DECIDES_ALL: JudgeLaw = {
  ...judge(1, 0, 0),
  code: 'decides_all',
  name: 'sees a better one in every pair',
  ofPairs: scripted(1, 0, 0),
  noise: 1,
};

const EQUAL: Setting['bars'] = { fail: { atMost: 0.005 }, covered: COVERED };

const ALL_PAIRS: readonly Pairs[] = [20, 30, 40, 100];

/** Fewer pairs fail more often: of 20 every accuracy with every bias. */
const OF_EQUAL: readonly (readonly [accuracy: number, bias: number, refused: number, pairs: readonly Pairs[]])[] = [
  [0.6, 0, 0, [20]],
  [0.6, 1, 0, [20]],
  [0.6, 2, 0, [20]],
  [0.6, 2, 0.05, [20, 40]],
  [0.8, 0, 0, [20]],
  [0.8, 1, 0, ALL_PAIRS],
  [0.8, 2, 0, [20]],
  [0.8, 1, 0.05, [20, 40]],
  [0.95, 0, 0, ALL_PAIRS],
  [0.95, 1, 0, [20]],
  [0.95, 2, 0, [20, 40]],
  [0.95, 0, 0.05, ALL_PAIRS],
];

/** No true difference. */
const equal: readonly Setting[] = [
  ...OF_EQUAL.map(([accuracy, bias, refused, sizes]) => ({ law: judge(accuracy, bias, refused), sizes })),
  { law: DECIDES_ALL, sizes: [20, 30, 40] as const },
].flatMap(({ law, sizes }) => sizes.map((pairs) => settingOf({ pairs, law, netLoss: 0, bars: EQUAL })));

/** A judge whose calls fail is asked again by the next `retake score`: until then nothing is decided. */
const failing = settingOf({
  pairs: 40,
  law: judge(0.95, 0, 0.05, 'call_failed'),
  netLoss: 2 * LIMIT,
  bars: { fail: { atMost: 0.03 }, pass: { atMost: 0.005 } },
});

/** Net losses as a judge sees them. */
const OF_LOSING: readonly (readonly [accuracy: number, bias: number, refused: number, pairs: readonly Pairs[]])[] = [
  [0.95, 0, 0, [20]],
  [0.95, 1, 0.05, ALL_PAIRS],
  [0.95, 2, 0, [20]],
];

const losing: readonly Setting[] = OF_LOSING.flatMap(([accuracy, bias, refused, sizes]) =>
  sizes.flatMap((pairs) => [
    settingOf({
      pairs,
      law: judge(accuracy, bias, refused),
      netLoss: LIMIT,
      bars: { fail: { atMost: 0.055 }, covered: COVERED },
    }),
    settingOf({ pairs, law: judge(accuracy, bias, refused), netLoss: 2 * LIMIT, bars: { covered: COVERED } }),
  ]),
);

const told: readonly Setting[] = ([20, 40, 100] as const).flatMap((pairs) =>
  [0, LIMIT, 2 * LIMIT].map((netLoss) =>
    settingOf({
      pairs,
      law: judge(0.95, 1, 0),
      netLoss,
      asks: 'told',
      bars: { covered: COVERED, ...(netLoss === 0 ? { fail: { atMost: 0.055 } } : {}) },
    }),
  ),
);

/** As good at copies as at pairs. */
function alike(code: string, name: string, answering: Answering, refuses = 0): JudgeLaw {
  return { code, name, ofPairs: answering, ofCopies: answering, noise: 0, refuses, why: 'bad_reply' };
}

const FOUND_OUT: Setting['bars'] = { controlFailed: { atLeast: 0.99 }, inconclusive: { atLeast: 0.99 } };

/** Judges who cannot judge, who are good, and who are good but for their bias or for what they do not answer. */
const OF_CONTROLS: readonly (readonly [law: JudgeLaw, netLoss: number, bars: Setting['bars']])[] = [
  [alike('always_first', 'always says the first', () => [1, 0]), 0, FOUND_OUT],
  [alike('coin', 'a coin', () => [0.5, 0.5]), 0, FOUND_OUT],
  [alike('always_neither', 'always says neither', () => [0, 0]), 0, FOUND_OUT],
  [alike('good', 'right in 95 % of copies', scripted(0.95, 0, 0)), 3 * LIMIT, { controlFailed: { atMost: 0.01 } }],
  [alike('good.bias_1', 'right in 95 % of copies, bias 1', scripted(0.95, 1, 0)), 3 * LIMIT, {}],
  [alike('good.refuses_5', 'right in 95 % of copies, no answer in 5 %', scripted(0.95, 0, 0), 0.05), 3 * LIMIT, {}],
];

const controls = OF_CONTROLS.map(([law, netLoss, bars]) => settingOf({ pairs: 20, law, netLoss, bars }));

/** Four calls at once, as where votes are simulated. */
export const judgeSettings: readonly Setting[] = [...equal, ...controls, ...losing, ...told, failing];
