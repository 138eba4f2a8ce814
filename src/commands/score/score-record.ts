import { rmSync } from 'node:fs';
import { commonBox, type ImageBox } from '../../media/shown-shape.ts';
import type { StoredRun } from '../../record/kept-run.ts';
import { appendLines } from '../../record/line-files.ts';
import { isStored } from '../../record/output-files.ts';
import { targetDigest } from '../../run/declared-files.ts';
import type { EndedCall } from '../../run/events.ts';
import type { PreparedJudge } from '../../run/prepare-judges.ts';
import { withWire } from '../../run/wire.ts';
import type { Judge, JudgedOutput } from '../../score/judge-items.ts';
import { JUDGE_CONCURRENCY, type JudgeEdge, type JudgeReply } from '../../score/judge-scorer.ts';
import type { ProgramEdge, ScoringProgram } from '../../score/program-scorer.ts';
import { type RunScoringEdge, type ScoringEnd, scoreRun } from '../../score/score-run.ts';
import { SCORERS } from '../../score/scorers.ts';
import type { DeclaredScorer } from '../../suite/scorer.ts';
import { proxiesOf } from '../../targets/origins.ts';
import { renderQuestion } from '../../targets/request.ts';
import type { Secrets } from '../../targets/secrets.ts';
import type { Edge } from '../edge.ts';
import { openShower, type Shower } from './shower.ts';

interface ScoredRecord {
  readonly folder: string;
  readonly record: StoredRun;
}

interface RecordScoring extends Pick<RunScoringEdge, 'signal' | 'starting' | 'progress'> {
  /** In declared order. */
  readonly scorers: readonly DeclaredScorer[];
  readonly programs: readonly ScoringProgram[];
  readonly judges: readonly PreparedJudge[];
  readonly secrets: Secrets;
  /** The working folder of programs. */
  readonly suiteFolder: string;
}

/** Scores what has no line yet. Files for programs are in a temporary folder. */
export async function scoreRecord(
  { folder, record }: ScoredRecord,
  { scorers: declared, programs, judges, secrets, suiteFolder, ...edge }: RecordScoring,
  process: Pick<Edge, 'drain' | 'abort' | 'env' | 'idleExaminers'>,
): Promise<ScoringEnd> {
  const shower = openShower(folder, record.facts, { idle: process.idleExaminers, signal: edge.signal });
  try {
    const [filesOfQuestion, sidesOfQuestion] = [showerOfFiles(shower), showerOfSides(shower)];
    return await withJudgeCalls(judges, secrets, process, (callOf) => {
      const scorers = declared.flatMap(({ name }) => [
        ...programs
          .filter((program) => program.declared.name === name)
          .map((program) => SCORERS.command(program, { folder: suiteFolder, show: filesOfQuestion })),
        ...judges
          .filter(({ scorer }) => scorer.name === name)
          .map((judge) => SCORERS.judge(judgeOf(judge), { show: sidesOfQuestion, call: callOf(judge) })),
      ]);
      return scoreRun(record, scorers, {
        ...edge,
        append: (lines) => appendLines(folder, 'scores.jsonl', lines),
        isStored: (sha256) => isStored(folder, sha256),
      });
    });
  } finally {
    await shower.close();
  }
}

/** Makes the files of a question to a program. */
function showerOfFiles({ files }: Shower): ProgramEdge['show'] {
  /** Made once, for all outputs of a prompt; null if it does not decode. */
  const inputs = new Map<string, Promise<string | null>>();
  const inputImage = (sha256: string): Promise<string | null> => {
    const image = inputs.get(sha256) ?? files(sha256).then(({ images }) => images?.[0] ?? null);
    inputs.set(sha256, image);
    return image;
  };
  return async ({ frames, original: isAsked }, { prompt }, shown, control) => {
    const input = prompt.media[0]?.sha256 ?? null;
    const image = input === null ? null : await inputImage(input);
    if (input !== null && image === null) return { ok: false, why: { code: 'input_missing' } };
    const worsening = control === 'other_prompt' ? null : control;
    const made = await files(shown.sha256, { frames, worsening, original: isAsked });
    if (made.images === null) return { ok: false, why: { code: made.code } };
    const { images: media, original } = made;
    const remove = () => {
      for (const file of [...media, original ?? []].flat()) rmSync(file, { force: true });
    };
    return { ok: true, shown: { media, image, ...(original === null ? {} : { original }), remove } };
  };
}

export function judgeOf({ scorer, question, endpoint }: PreparedJudge): Judge {
  const { target, constants, baseUrl, price } = endpoint;
  const model = constants.model;
  return {
    declared: scorer,
    question,
    identity: {
      target: target.id,
      model: typeof model === 'string' ? model : null,
      origin: new URL(baseUrl).origin,
    },
    files: { [target.id]: targetDigest(target) },
    mostUsd: price?.usd ?? null,
  };
}

const TIMEOUT_MS = 120_000;

/** Judges are called over a wire thread, as targets are. */
async function withJudgeCalls<T>(
  judges: readonly PreparedJudge[],
  secrets: Secrets,
  edge: Pick<Edge, 'drain' | 'abort' | 'env'>,
  use: (callOf: (judge: PreparedJudge) => JudgeEdge['call']) => Promise<T>,
): Promise<T> {
  if (judges.length === 0) return use(noJudge);
  const setup = {
    // Two judges may have one target on different servers.
    targets: Object.fromEntries(judges.map(({ endpoint: { target } }) => [target.id, target])),
    connections: JUDGE_CONCURRENCY,
    proxies: proxiesOf(edge.env),
    secrets: Object.values(secrets),
  };
  return withWire(setup, { hold: edge.drain, abort: edge.abort }, (wire) =>
    use(({ endpoint, scorer }) => async (question, again) => {
      const { baseUrl, origins, target } = endpoint;
      const submit = renderQuestion(endpoint, question, { baseUrl, secrets, digest: scorer.name });
      const request = {
        target: target.id,
        baseUrl,
        origins,
        submit,
        timeoutMs: TIMEOUT_MS,
        onThrottle: 'wait',
      } as const;
      let isOverLimit = false;
      const ended = await wire.call(request, () => {
        isOverLimit = !again();
        return !isOverLimit;
      });
      return isOverLimit ? LIMIT_REACHED : replyOf(ended);
    }),
  );
}

const LIMIT_REACHED: JudgeReply = { ok: false, why: { code: 'limit_reached' }, message: '', usd: null };

function noJudge(): never {
  throw new Error('a judge that was not prepared is asked');
}

function replyOf(ended: EndedCall): JudgeReply {
  const usd = ended.reported.costUsd;
  if (ended.outcome === 'ok') {
    const text = new TextDecoder().decode(ended.assets[0].bytes);
    return { ok: true, text, usd };
  }
  const { code, message } = ended.error;
  const shown = message === '' ? code : message;
  const status = ended.httpStatus === null ? '' : `HTTP ${ended.httpStatus}, `;
  const why = { code: 'call_failed', outcome: ended.outcome, error: code } as const;
  return { ok: false, why, message: `${status}${shown}`, usd };
}

/** In pixels: models scale larger images down themselves. */
const LARGEST_SIDE = 1024;

/** Frames of a video: in the middle of each quarter of its duration. */
const FRAMES = 4;

/** Images that are kept: the second order of a pair follows soon, with other pairs between. */
const MOST_KEPT = 16;

/** Makes what a judge sees: both outputs scaled to one size. */
function showerOfSides({ bytes }: Shower): JudgeEdge['show'] {
  const made = new Map<string, ReturnType<Shower['bytes']>>();
  const imagesOf = (sha256: string, worsening: JudgedOutput['worsening'], box: ImageBox | null) => {
    const key = JSON.stringify([sha256, worsening, box]);
    const images = made.get(key) ?? bytes(sha256, { frames: FRAMES, worsening, ...(box === null ? {} : { box }) });
    made.delete(key);
    made.set(key, images);
    for (const oldest of made.keys()) if (made.size > MOST_KEPT) made.delete(oldest);
    return images;
  };
  return async ({ prompt, first, second }) => {
    const decoded = [first, second].flatMap(({ output: { fact } }) => fact ?? []);
    const box = commonBox(decoded, LARGEST_SIDE);
    const [one, other] = await Promise.all(
      [first, second].map(({ output, worsening }) => imagesOf(output.sha256, worsening, box)),
    );
    if (!one || !other) return { ok: false, why: { code: 'undecodable' } };
    const input = prompt.media[0]?.sha256 ?? null;
    const [inputImage] = input === null ? [] : ((await imagesOf(input, null, null)) ?? []);
    if (input !== null && inputImage === undefined) return { ok: false, why: { code: 'input_missing' } };
    return { ok: true, first: { images: one }, second: { images: other }, input: inputImage ?? null };
  };
}
