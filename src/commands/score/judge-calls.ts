import { startClock } from '../../run/clock.ts';
import type { EndedCall } from '../../run/events.ts';
import { targetDigest } from '../../run/load-target.ts';
import type { PreparedJudge } from '../../run/prepare-judges.ts';
import { startWire } from '../../run/wire.ts';
import type { Judge } from '../../score/judge-items.ts';
import { JUDGE_CONCURRENCY, type JudgeEdge, type JudgeReply } from '../../score/judge-scorer.ts';
import { proxiesOf } from '../../targets/origins.ts';
import { renderQuestion } from '../../targets/request.ts';
import type { Secrets } from '../../targets/secrets.ts';
import type { Edge } from '../../workflow/edge.ts';

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

/** The longest that one question may take. */
const TIMEOUT_MS = 120_000;

/** A judge sends no seed, so this decides nothing. */
const JITTER = 1;

/** How each judge is asked: over a wire thread, as every target is. Closed however `use` ends. */
export async function withJudgeCalls<T>(
  judges: readonly PreparedJudge[],
  secrets: Secrets,
  edge: Pick<Edge, 'drain' | 'abort' | 'env'>,
  use: (callOf: (judge: PreparedJudge) => JudgeEdge['call']) => Promise<T>,
): Promise<T> {
  if (judges.length === 0) return use(noJudge);
  const wire = await startWire({
    origin: startClock().origin,
    // Two judges may have one target, and another server each.
    targets: Object.fromEntries(judges.map(({ endpoint: { target } }) => [target.id, target])),
    connections: JUDGE_CONCURRENCY,
    proxies: proxiesOf(edge.env),
    secrets: Object.values(secrets),
    jitter: JITTER,
  });
  edge.drain.addEventListener('abort', wire.hold);
  edge.abort.addEventListener('abort', wire.abort);
  try {
    return await use(({ endpoint, scorer }) => async (question, again) => {
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
    });
  } finally {
    edge.drain.removeEventListener('abort', wire.hold);
    edge.abort.removeEventListener('abort', wire.abort);
    await wire.close();
  }
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
