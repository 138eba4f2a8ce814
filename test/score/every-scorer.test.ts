import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCORERS } from '../../src/score/scorers.ts';
import type { CommandScorer, JudgeScorer } from '../../src/suite/scorer.ts';
import { type ScorerOfContract, scorerContract } from '../contracts/scorer.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { choose } from '../fixtures/scripted-judge.ts';
import { digestOf } from '../fixtures/stored-run-builder.ts';

/* Every way of asking about outputs. What is shown names the output's content and what was done to it. */

/** A real program: it keeps what it is sent. */
const command: ScorerOfContract = {
  controls: 3 * 16,
  open: ({ answers, otherwise, changed }) => {
    const folder = freshFolder();
    const most = Number.isFinite(answers) ? answers : 1000;
    // With nothing to answer it ends before its first line.
    const script = `[ ${most} -gt 0 ] || { echo broken >&2; exit 1; }
echo '{"retake":1}'
n=$(cat asked 2>/dev/null | wc -l)
while read -r line; do
  printf '%s\\n' "$line" >>asked
  n=$((n + 1))
  if [ $n -gt ${most} ]; then ${otherwise === 'silence' ? 'exec sleep 600' : 'echo broken >&2; exit 1'}; fi
  id=\${line#*'"id":"'}; id=\${id%%'"'*}
  printf '{"id":"%s","scores":{"hps":0.5}}\\n' "$id"
done`;
    const declared: CommandScorer = {
      use: 'command',
      name: 'hps',
      gives: [{ value: 'hps', better: 'higher', range: null, unit: 'score', meaning: null }],
      command: changed ? ['program', '--other'] : ['program'],
      env: [],
      timeoutMs: 60_000,
      frames: 8,
      original: false,
    };
    const env = { PATH: process.env.PATH ?? '' };
    const program = { declared, command: ['sh', '-c', script], files: {}, env, redact: (text: string) => text };
    const asked = join(folder, 'asked');
    return {
      scorer: SCORERS.command(program, {
        folder,
        show: async (_scorer, _output, shown, control) => {
          const media = [`/${control ?? 'usual'} ${shown.digest}.png`];
          return { ok: true, shown: { media, image: null, remove: () => {} } };
        },
      }),
      asked: () =>
        (existsSync(asked) ? readFileSync(asked, 'utf8') : '').split('\n').flatMap((line) => {
          if (line === '') return [];
          const { id: _id, ...question } = JSON.parse(line);
          return [JSON.stringify(question)];
        }),
    };
  },
};

const judge: ScorerOfContract = {
  // In both orders.
  controls: 2 * 3 * 16,
  open: ({ answers, otherwise, changed }, signal) => {
    const asked: string[] = [];
    const question = changed ? 'Which is sharper?' : 'Which is better?';
    const declared: JudgeScorer = {
      use: 'judge',
      name: 'better',
      target: './judge.yaml',
      const: {},
      baseUrl: null,
      question,
      priceUsd: null,
      limits: { requests: null, usd: null },
    };
    const identity = { target: 'test/judge', model: 'scripted', origin: 'http://127.0.0.1' };
    const files = { 'test/judge': digestOf('judge') };
    const failed = (message: string) =>
      ({ ok: false, why: { code: 'call_failed', outcome: 'error', error: 'http_500' }, message, usd: null }) as const;
    return {
      scorer: SCORERS.judge(
        { declared, question, identity, files, mostUsd: null },
        {
          show: async ({ first, second }) => {
            const [one, other] = [first, second].map(({ worsening, output }) => ({
              images: [new TextEncoder().encode(`${worsening ?? 'usual'} ${output.digest}`)],
            }));
            if (one === undefined || other === undefined) throw new Error('a judge is shown two outputs');
            return { ok: true, first: one, second: other, input: null };
          },
          call: async ({ content }) => {
            const number = asked.push(JSON.stringify(content));
            if (number <= answers) return { ok: true, text: choose('A'), usd: null };
            if (otherwise === 'failure') return failed('broken');
            if (!signal.aborted) await once(signal, 'abort');
            return failed('interrupted');
          },
        },
      ),
      asked: () => asked,
    };
  },
};

const EVERY: Readonly<Record<keyof typeof SCORERS, ScorerOfContract>> = { command, judge };

for (const [use, each] of Object.entries(EVERY)) scorerContract(use, each);
