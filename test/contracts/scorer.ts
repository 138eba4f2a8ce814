import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTROLS } from '../../src/record/codes.ts';
import type { StoredRun } from '../../src/record/kept-run.ts';
import type { RunPrompt } from '../../src/record/run.ts';
import type { OutputScore, ScoreLine } from '../../src/record/score.ts';
import { isRequest, placeOf } from '../../src/record/score-key.ts';
import type { Scorer } from '../../src/score/score-run.ts';
import { buildOk, buildStoredRun, digestOf } from '../fixtures/stored-run-builder.ts';

/** How what is asked answers. */
export interface Answering {
  /** So many questions are answered. */
  readonly answers: number;
  /** What becomes of the others: no answer, or a failure that says "broken". */
  readonly otherwise: 'silence' | 'failure';
  /** Whether it is declared otherwise than usual. */
  readonly changed: boolean;
}

/** A scorer that asks something real. */
export interface OpenedScorer {
  readonly scorer: Scorer;
  /** What was asked so far: equal questions are equal texts. */
  readonly asked: () => readonly string[];
}

export interface ScorerOfContract {
  /** A new one each time. @param signal aborted: what is asked does not answer any more */
  readonly open: (answering: Answering, signal: AbortSignal) => OpenedScorer;
  /** How many questions bring the copies of 16 outputs. */
  readonly controls: number;
}

interface Setting extends Answering {
  readonly pruned: readonly string[];
  /** Interrupted once it has so many answers. */
  readonly most: number;
}

const USUAL: Setting = { answers: Infinity, otherwise: 'silence', changed: false, pruned: [], most: Infinity };

interface Scored {
  readonly reason: string | null;
  /** The record with the lines that were appended. */
  readonly record: StoredRun;
  readonly lines: readonly ScoreLine[];
  readonly asked: readonly string[];
  /** How many questions had been asked each time that it said it starts. */
  readonly starts: readonly number[];
  /** With how many answers the record had at each. */
  readonly progress: readonly (readonly [done: number, total: number, written: number])[];
}

/** What every scorer that is asked about outputs keeps, whatever is asked. */
export function scorerContract(name: string, { open, controls }: ScorerOfContract): void {
  const score = async (record: StoredRun, setting: Partial<Setting> = {}): Promise<Scored> => {
    const { pruned, most, ...answering } = { ...USUAL, ...setting };
    const interrupt = new AbortController();
    const { scorer, asked } = open(answering, interrupt.signal);
    const lines: ScoreLine[] = [];
    const starts: number[] = [];
    const progress: [number, number, number][] = [];
    const reason = await scorer.score(record, {
      signal: interrupt.signal,
      append: (more) => {
        lines.push(...more);
        if (answersIn(lines).length >= most) interrupt.abort();
      },
      isStored: (sha256) => !pruned.includes(sha256),
      starting: () => starts.push(asked().length),
      progress: (done, total) => progress.push([done, total, answersIn(lines).length]),
    });
    const scores = [...record.scores, ...lines];
    return { reason, record: { ...record, scores }, lines, asked: asked(), starts, progress };
  };

  describe(`the contract of scorers: ${name}`, () => {
    it(`${name} with nothing to ask is not started, and writes nothing`, async () => {
      const empty = await score(pairsOf(0));
      expect(empty).toMatchObject({ reason: null, lines: [], asked: [], starts: [] });
    });

    it(`${name} says that it starts, writes who is asked, then each answer once and before it counts as done`, async () => {
      const { reason, lines, asked, starts, progress } = await score(pairsOf(4));
      expect(reason).toBe(null);
      expect(starts).toEqual([0]);
      expect(lines.map(({ line }) => line).indexOf('scorer')).toBe(0);
      expect(asked).toHaveLength(8);
      expect(new Set(asked).size).toBe(8);
      expect(answersIn(lines)).toHaveLength(8);
      expect(new Set(answersIn(lines).map(placeOf)).size).toBe(8);
      expect(progress.map(([done]) => done)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      for (const [done, , written] of progress) expect(written).toBeGreaterThanOrEqual(done);
    });

    it(`${name} is asked nothing a second time`, async () => {
      const { record } = await score(pairsOf(8));
      expect(await score(record)).toMatchObject({ reason: null, lines: [], asked: [], starts: [] });
    });

    it(`${name} that is declared otherwise is asked everything again`, async () => {
      const { record } = await score(pairsOf(4));
      const changed = await score(record, { changed: true });
      expect(changed.asked).toHaveLength(8);
      expect(answersIn(changed.lines)).toHaveLength(8);
      // Back again: what was said before counts again, and nothing is asked.
      const back = await score(changed.record);
      expect(back).toMatchObject({ asked: [], starts: [] });
      expect(back.lines[0]).toMatchObject({ line: 'scorer' });
    });

    it(`${name} is not asked about media that are gone until they are back, and keeps what it said of them`, async () => {
      const all = Array.from({ length: 4 }, (_, at) =>
        ['standard', 'fast'].map((of) => digestOf(`${of} ${at}`)),
      ).flat();
      const gone = await score(pairsOf(4), { pruned: all });
      expect(gone).toMatchObject({ reason: null, asked: [], starts: [] });
      expect(gone.lines[0]).toMatchObject({ line: 'scorer' });
      expect(codesOf(gone.lines)).toEqual(Array(8).fill('media_missing'));
      expect((await score(gone.record, { pruned: all })).lines).toEqual([]);
      const back = await score(gone.record);
      expect(back.asked).toHaveLength(8);
      expect(answersIn(back.lines)).toHaveLength(8);
      expect(await score(back.record, { pruned: all })).toMatchObject({ lines: [], asked: [] });
    });

    it(`${name} is asked about one pair where two prompts ask for the same and got the same, and both have lines`, async () => {
      const { asked, lines } = await score(twoPrompts('equal', 'equal'));
      expect(asked).toHaveLength(2);
      const prompts = answersIn(lines).map(({ prompt }) => prompt);
      expect(prompts.sort()).toEqual(['fox', 'fox', 'sign', 'sign']);
      expect((await score(twoPrompts('one', 'other'))).asked).toHaveLength(4);
    });

    it(`${name} is asked about copies that are worse, and what it says of them has lines of their own`, async () => {
      const { asked, lines, progress } = await score(pairsOf(8));
      expect(asked).toHaveLength(16 + controls);
      const copies = answersIn(lines).filter(isControl);
      expect(new Set(copies.map(placeOf)).size).toBe(controls);
      expect(copies).toHaveLength(controls);
      const done = new Set(copies.map((line) => 'control' in line && line.control));
      expect(done).toEqual(new Set(CONTROLS));
      for (const [done, total] of progress) expect(done).toBeLessThanOrEqual(total);
      expect(progress.at(-1)?.slice(0, 2)).toEqual([16 + controls, 16 + controls]);
      // There are no 16 outputs.
      expect((await score(pairsOf(7))).asked).toHaveLength(14);
    });

    it(`${name} is asked about no further copies where there are more outputs than before`, async () => {
      const { record } = await score(pairsOf(8));
      const more = await score({ ...pairsOf(12), scores: record.scores });
      expect(more.asked).toHaveLength(8);
      expect(answersIn(more.lines).filter(isControl)).toEqual([]);
    });

    it(`${name} that answers no more has what it said in the record, and ends when it is interrupted`, async () => {
      const silent = await score(pairsOf(4), { answers: 3, most: 3 });
      expect(silent.reason).toBe(null);
      expect(answersIn(silent.lines)).toHaveLength(3);
      expect(codesOf(silent.lines)).toEqual([]);
      const rest = await score(silent.record);
      expect(rest.asked).toHaveLength(5);
      expect(answersIn(rest.lines)).toHaveLength(5);
    });

    it(`${name} that is interrupted anywhere has in the end the lines of one that was not`, async () => {
      const keysOf = (record: StoredRun) => answersIn(record.scores).map(({ key }) => key);
      const whole = keysOf((await score(pairsOf(8))).record);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }), async (mosts) => {
          let record = pairsOf(8);
          for (const most of mosts) ({ record } = await score(record, { most }));
          ({ record } = await score(record));
          expect(keysOf(record).sort()).toEqual(whole.toSorted());
        }),
        { numRuns: 5 },
      );
    });

    it(`${name} that fails says why, and goes on the next time`, async () => {
      const failed = await score(pairsOf(4), { answers: 2, otherwise: 'failure' });
      expect(failed.reason).toContain('broken');
      expect(answersIn(failed.lines)).toHaveLength(2);
      // What it failed at itself may be left as it is.
      const final = codesOf(failed.lines).filter((code) => !['command_failed', 'call_failed'].includes(code));
      expect(final.length).toBeLessThanOrEqual(1);
      for (const [done, total] of failed.progress) expect(done).toBeLessThanOrEqual(total);
      const again = await score(failed.record);
      expect(again.reason).toBe(null);
      expect(again.asked).toHaveLength(6 - final.length);
      expect(answersIn(again.lines)).toHaveLength(6 - final.length);
    });

    it(`${name} that fails from the beginning is asked everything the next time`, async () => {
      const failed = await score(pairsOf(4), { answers: 0, otherwise: 'failure' });
      expect(failed.reason).toContain('broken');
      expect(answersIn(failed.lines)).toEqual([]);
      expect((await score(failed.record)).asked).toHaveLength(8);
    });
  });
}

/** So many cell pairs of two variants, in turn of two prompts; all outputs differ. */
function pairsOf(pairs: number): StoredRun {
  const samples = Array.from({ length: pairs }, (_, at) =>
    ['standard', 'fast'].map((variant) =>
      buildOk(100, `${variant} ${at}`, { trial: { variant, prompt: at % 2 === 0 ? 'fox' : 'sign', seed: at } }),
    ),
  ).flat();
  return buildStoredRun({ prompts: ['fox', 'sign'], variants: [{ name: 'standard' }, { name: 'fast' }], samples });
}

/** One cell pair of each of two prompts with one text. */
function twoPrompts(...contents: readonly [fox: string, sign: string]): StoredRun {
  const samples = ['fox', 'sign'].flatMap((prompt, at) =>
    ['standard', 'fast'].map((variant) => buildOk(100, `${variant} ${contents[at]}`, { trial: { variant, prompt } })),
  );
  const record = buildStoredRun({
    prompts: ['fox', 'sign'],
    variants: [{ name: 'standard' }, { name: 'fast' }],
    samples,
  });
  const prompts = record.run.prompts.map((prompt): RunPrompt => ({ ...prompt, text: 'A fox' }));
  return { ...record, run: { ...record.run, prompts } };
}

type Answer = Exclude<OutputScore, { readonly line: 'unscored' }>;

function answersIn(lines: readonly ScoreLine[]): readonly Answer[] {
  return lines.flatMap((line) => (line.line === 'scorer' || isRequest(line) || line.line === 'unscored' ? [] : [line]));
}

function isControl(line: Answer): boolean {
  return 'control' in line && line.control !== null;
}

function codesOf(lines: readonly ScoreLine[]): readonly string[] {
  return lines.flatMap((line) => (line.line === 'unscored' ? [line.why.code] : []));
}
