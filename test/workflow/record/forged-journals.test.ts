import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../../src/kit/json.ts';
import { digestOf } from '../../../src/plan/build-trial.ts';
import type { JournalEvent, Sample } from '../../../src/record/journal.ts';
import type { Run } from '../../../src/record/run.ts';
import { findIncoherence } from '../../../src/workflow/follow/coherence.ts';
import { FollowEnd } from '../../../src/workflow/follow/follow-end.ts';
import { expandAgain, partsOf } from '../../../src/workflow/follow/follow-suite.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { journalOf, retakeHere } from '../../fixtures/retake-process.ts';
import { png } from '../../targets/call/calling.ts';
import { serveOnAndOn } from '../../targets/loopback.ts';

/* What run.json and journal may say together. A forger changes them as he likes, and makes every digest and count anew. */

interface Record {
  readonly run: Run;
  readonly events: readonly JournalEvent[];
}

/** Null: nothing is found. */
async function firstFault({ run, events }: Record): Promise<string | null> {
  try {
    const parts = partsOf(run, await expandAgain(run, null), events);
    return parts.map(findIncoherence).find((found) => found !== null) ?? null;
  } catch (error) {
    if (error instanceof FollowEnd) return `${error.is}: ${error.what}`;
    throw error;
  }
}

const SUITE = `suite: 1
name: own
variants:
  usual: { target: ./image.yaml, const: { model: usual } }
  other: { target: ./image.yaml, const: { model: other } }
prompts: [A red fox, An owl, A cat]
seeds: [1, 2]
repeats: 2
load: { concurrency: 2 }
probes: [seed]
gate: [{ metric: error_rate, max: 40% }]
`;
const OPEN = SUITE.replace('load: { concurrency: 2 }', 'load: { mode: open, rate: 60/s, concurrency: 4 }').replace(
  'probes: [seed]\n',
  '',
);

let closed: Record;
let open: Record;
let merged: Record;

function read(folder: string): Record {
  return { run: JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')), events: journalOf(folder).events };
}

beforeAll(async () => {
  const { url } = await serveOnAndOn((_seen, response) => void setTimeout(() => png(response), 10));
  const folder = freshFolder();
  const body = '{ prompt: "${case.prompt}", seed: "${case.seed}", model: "${const.model}" }';
  writeFileSync(
    join(folder, 'image.yaml'),
    `target: 1\nid: own/image\nkind: text-to-image\nbase_url: ${url}\nconst: { model: x }\ninputs: { seed: { claim: exact } }\nsubmit: { path: /g, body: ${body} }\nresult: { from: body }\n`,
  );
  writeFileSync(join(folder, 'suite.yaml'), SUITE);
  writeFileSync(join(folder, 'open.yaml'), OPEN);
  const retake = async (...args: readonly string[]) => {
    const ended = await retakeHere(args, folder);
    expect([0, 1, 3, 4], ended.stderr).toContain(ended.code);
  };
  await retake('run', 'suite.yaml', '--yes', '--quiet', '--run', 'closed');
  await retake('run', 'open.yaml', '--yes', '--quiet', '--run', 'open');
  for (const shard of ['1/2', '2/2']) {
    await retake('run', 'suite.yaml', '--yes', '--quiet', '--run', 'r', '--shard', shard);
  }
  await retake('merge', 'results/own/r-1of2', 'results/own/r-2of2', '--quiet');
  const [one, two, three] = ['closed', 'open', 'r'].map((name) => read(join(folder, 'results', 'own', name)));
  if (one === undefined || two === undefined || three === undefined) throw new Error('three records were read');
  [closed, open, merged] = [one, two, three];
});

const isOf = (event: JournalEvent, id: string) =>
  (event.event === 'intent' && event.trial.id === id) || (event.event === 'sample' && event.sample.trial.id === id);

/** The samples of measured takes, as they ended. */
const takesOf = ({ events }: Record) =>
  events.flatMap((event) => (event.event === 'sample' && event.sample.trial.phase === 'trial' ? [event.sample] : []));

const take = (record: Record, at: number): Sample => {
  const found = takesOf(record)[at];
  if (found === undefined) throw new Error(`no take ${at}`);
  return found;
};

/** With other events, made by a function of each. */
const events = (record: Record, change: (event: JournalEvent) => readonly JournalEvent[]): Record => ({
  ...record,
  events: record.events.flatMap(change),
});

/** With another sample of a take. */
const sample = (record: Record, at: number, change: (sample: Sample) => object): Record => {
  const { trial } = take(record, at);
  return events(record, (event) =>
    event.event === 'sample' && event.sample.trial.id === trial.id
      ? [{ ...event, sample: { ...event.sample, ...change(event.sample) } as Sample }]
      : [event],
  );
};

/** With another trial wherever it stands. */
const trial = (record: Record, at: number, change: object): Record => {
  const { trial: old } = take(record, at);
  return events(record, (event) => {
    if (event.event === 'intent' && event.trial.id === old.id) return [{ ...event, trial: { ...old, ...change } }];
    if (event.event !== 'sample' || event.sample.trial.id !== old.id) return [event];
    return [{ ...event, sample: { ...event.sample, trial: { ...old, ...change } } }];
  });
};

const marks = (record: Record, at: number, change: (marks: Sample['marks']) => object): Record =>
  sample(record, at, (old) => ({ marks: { ...old.marks, ...change(old.marks) } }));

const header = (record: Record, change: (run: Run) => object): Record => ({
  ...record,
  run: { ...record.run, ...change(record.run) },
});

/** With another suite, whose digest is right. */
const suite = (record: Record, change: { readonly [key: string]: Json }): Record =>
  header(record, ({ suite: { declared, ...rest } }) => {
    const other = { ...(isObject(declared) ? declared : {}), ...change };
    return { suite: { ...rest, declared: other, digest: digestOf(other) } };
  });

const without = (record: Record, at: number): Record => {
  const { trial: gone } = take(record, at);
  return events(record, (event) => (isOf(event, gone.id) ? [] : [event]));
};

const first = <T extends object>(items: readonly T[], change: (item: T) => object): readonly object[] =>
  items.map((item, at) => (at === 0 ? { ...item, ...change(item) } : item));

const FORGED: readonly (readonly [what: string, forge: () => Record, fault: RegExp])[] = [
  ['a take left out', () => without(closed, 5), /is in the plan, and the journal has others that come after it$/],
  ['the last take left out of a run that finished', () => without(closed, 23), /is in the plan, and the journal has/],
  [
    'the result of a take left out',
    () => events(closed, (event) => (event.event === 'sample' && isOf(event, take(closed, 4).trial.id) ? [] : [event])),
    /began and has no result|begins with 2 in flight|begins before the slice before it had ended/,
  ],
  ['a take added', () => trial(closed, 3, { id: 'f'.repeat(16) }), /\(trial f{16}\) is not in the plan$/],
  [
    'a take sent twice',
    () =>
      events(closed, (event) =>
        event.event === 'intent' && isOf(event, take(closed, 6).trial.id) ? [event, event] : [event],
      ),
    /begins twice in segment 1$/,
  ],
  [
    'a result without its call',
    () => events(closed, (event) => (event.event === 'intent' && isOf(event, take(closed, 6).trial.id) ? [] : [event])),
    /ends, and never began$/,
  ],
  [
    'the order of two takes',
    () => {
      const [one, other] = [take(closed, 0).trial.id, take(closed, 20).trial.id];
      const [a, b] = [one, other].map((id) => closed.events.filter((event) => isOf(event, id)));
      return events(closed, (event) => {
        if (isOf(event, one)) return event.event === 'intent' ? (b ?? []) : [];
        if (isOf(event, other)) return event.event === 'intent' ? (a ?? []) : [];
        return [event];
      });
    },
    /begins after a later slice$/,
  ],
  ['the seed of a trial', () => trial(closed, 2, { seed: 77 }), /has another seed than in the plan$/],
  ['the variant of a trial', () => trial(closed, 2, { variant: 'best' }), /has another variant than in the plan$/],
  [
    'the request of a trial',
    () => trial(closed, 2, { requestDigest: '0'.repeat(64) }),
    /has another requestDigest than/,
  ],
  ['the slice of a take', () => sample(closed, 2, () => ({ slice: 0 })), /has slice 0, in the plan \d+$/],
  [
    'a mark before the one before it',
    () => marks(closed, 1, ({ startedMs = 0 }) => ({ headersMs: startedMs - 1 })),
    /the mark headersMs is before an earlier one$/,
  ],
  [
    'a mark after the end',
    () => sample(closed, 1, ({ marks: { startedMs = 0 } }) => ({ endedMs: startedMs + 1 })),
    /a mark is after its end$/,
  ],
  ['a call before its intent', () => marks(closed, 1, () => ({ startedMs: 0 })), /its call began before its intent$/],
  [
    'the wall clock of a take',
    () =>
      sample(closed, 1, ({ scheduledAt }) => ({
        scheduledAt: new Date(Date.parse(scheduledAt) + 60_000).toISOString(),
      })),
    /scheduled_at is not of the clock of segment 1$/,
  ],
  [
    'a slower end, so that more are in flight',
    () => {
      const endedMs = Math.max(...takesOf(closed).map((take) => take.endedMs));
      const longer = ({ marks: old }: Sample) => ({ endedMs, marks: { ...old, doneMs: endedMs } });
      return sample(sample(closed, 0, longer), 1, longer);
    },
    /begins with 2 in flight, the most that the load allows$|begins before the slice before it had ended$/,
  ],
  ['an end after that of its process', () => sample(closed, 23, () => ({ endedMs: 1e9 })), /ends after its process$/],
  [
    'a run that began at another time',
    () => header(closed, () => ({ createdAt: '2026-01-01T00:00:00.000Z' })),
    /^segment 1 begins at .*, and the run at 2026-01-01/,
  ],
  [
    'a second process that never began',
    () => sample(closed, 9, () => ({ segment: 2 })),
    /^a line \(sample\) of segment 2 stands where that process does not write$/,
  ],
  [
    'the due time of a call of open load',
    () => marks(open, 3, ({ scheduledMs = 0 }) => ({ scheduledMs: scheduledMs - 4 })),
    /is due at another time than in the plan|scheduled_at is not of the clock/,
  ],
  ['a call of open load left out', () => without(open, 4), /is in the plan, and the journal has others/],
  [
    'the text of a prompt',
    () => header(closed, ({ prompts }) => ({ prompts: first(prompts, () => ({ text: 'A wolf' })) })),
    /^differs: run\.json: prompts\[0\]\.text is "A wolf", and "A red fox" follows$/,
  ],
  [
    'the text of a prompt in the suite',
    () => suite(closed, { prompts: ['A wolf', 'An owl', 'A cat'] }),
    /^differs: run\.json: prompts\[0\]\.text is "A red fox", and "A wolf" follows$/,
  ],
  [
    'the text of a prompt in both',
    () =>
      header(suite(closed, { prompts: ['A wolf', 'An owl', 'A cat'] }), ({ prompts }) => ({
        prompts: first(prompts, () => ({ text: 'A wolf' })),
      })),
    /^differs: run\.json: plan\.digest is "/,
  ],
  [
    'the gate of the suite, without its digest',
    () =>
      header(closed, ({ suite: old }) => ({
        suite: { ...old, declared: { ...(isObject(old.declared) ? old.declared : {}), gate: [] } },
      })),
    /^differs: run\.json: suite\.digest is "/,
  ],
  [
    'the gate of the suite, with its digest',
    () => suite(closed, { gate: [{ metric: 'error_rate', max: '90%' }] }),
    /^differs: run\.json: gate\[0\]\.bound\.\w+ is 0\.4, and 0\.9 follows$/,
  ],
  [
    'a rule of the gate left out',
    () => header(closed, () => ({ gate: [] })),
    /^differs: run\.json: gate\[0\] is not there, and /,
  ],
  [
    'a constant of a variant',
    () => header(closed, ({ variants }) => ({ variants: first(variants, () => ({ constants: { model: 'best' } })) })),
    /^differs: run\.json: variants\[0\]\.constants\.model is "best", and "usual" follows$/,
  ],
  [
    'the server of a variant',
    () =>
      header(closed, ({ variants }) => ({ variants: first(variants, () => ({ baseUrl: 'https://api.example.com' })) })),
    /^differs: run\.json: variants\[0\]\.baseUrl is "https:\/\/api\.example\.com", and "http:/,
  ],
  [
    'the levels of a variant',
    () =>
      header(closed, ({ variants }) => ({
        variants: first(variants, ({ levels }) => ({ levels: { ...levels, near: { ...levels.near, psnrDb: 1 } } })),
      })),
    /^differs: run\.json: variants\[0\]\.levels\.near\./,
  ],
  [
    'takes that were planned',
    () => header(closed, ({ variants }) => ({ variants: first(variants, () => ({ plannedTrials: 11 })) })),
    /^differs: run\.json: variants\[0\]\.plannedTrials is 11, and 12 follows$/,
  ],
  [
    'seeds that were planned',
    () => header(closed, ({ plan }) => ({ plan: { ...plan, seeds: [1] } })),
    /^differs: run\.json: plan\.seeds\[1\] is not there, and 2 follows$/,
  ],
  [
    'the load',
    () => header(closed, ({ plan }) => ({ plan: { ...plan, load: { ...plan.load, concurrency: 8 } } })),
    /^differs: run\.json: plan\.load\.concurrency is 8, and 2 follows$/,
  ],
  [
    'a target, with its digest',
    () =>
      header(closed, ({ targets }) => ({
        targets: first(targets, ({ declared }) => {
          const other = {
            ...(isObject(declared) ? declared : {}),
            submit: { path: '/h', body: { prompt: '${case.prompt}', seed: '${case.seed}', model: '${const.model}' } },
          };
          return { declared: other, digest: digestOf(other) };
        }),
      })),
    /^differs: run\.json: plan\.digest is "/,
  ],
  [
    'a shard left out, of fewer than there were',
    () =>
      header(
        {
          ...merged,
          events: merged.events.filter(
            (event) => (event.event === 'sample' ? event.sample.segment : event.segment) === 1,
          ),
        },
        ({ merged: old }) => ({ merged: { of: 1, shards: old?.shards.slice(0, 1) } }),
      ),
    /^differs: run\.json: shard 1 has another concurrency than its share$/,
  ],
  [
    'the events of a shard that is not named',
    () => header(merged, ({ merged: old }) => ({ merged: { of: 2, shards: old?.shards.slice(0, 1) } })),
    /^differs: journal\.jsonl: segment 2 is of no shard$/,
  ],
  [
    'a take of a shard left out',
    () => without(merged, 5),
    /is in the plan, and the journal has others that come after it$/,
  ],
];

/** What a forger may write, and nobody can tell: the text that `retake follow` ends with says so. */
const UNSEEN: readonly (readonly [what: string, forge: () => Record])[] = [
  ['nothing changed', () => closed],
  ['nothing changed in open load', () => open],
  ['nothing changed in shards', () => merged],
  [
    'a shorter latency, with an end that fits',
    () => {
      const sent = ['startedMs', 'connectedMs', 'sentMs'];
      return sample(closed, 3, ({ marks: old, endedMs }) => {
        const earlier = Object.entries(old).map(([mark, ms]) => [mark, sent.includes(mark) ? ms : ms - 1]);
        return { endedMs: endedMs - 1, marks: Object.fromEntries(earlier) };
      });
    },
  ],
  [
    'the last takes left out of a run that was killed',
    () => {
      const from = closed.events.findIndex((event) => isOf(event, take(closed, 20).trial.id));
      return { ...closed, events: closed.events.slice(0, from) };
    },
  ],
  [
    'a suite with a loose gate, and what follows from it',
    () =>
      header(suite(closed, { gate: [{ metric: 'error_rate', max: '90%' }] }), ({ gate }) => ({
        gate: first(gate, ({ bound }) => ({ bound: { ...bound, value: 0.9 } })),
      })),
  ],
];

describe('a journal and run.json that somebody changed', () => {
  it.each(FORGED)('%s: is named', async (_what, forge, fault) => {
    expect(await firstFault(forge())).toMatch(fault);
  });

  it.each(UNSEEN)('%s: cannot be seen', async (_what, forge) => {
    expect(await firstFault(forge())).toBeNull();
  });
});
