import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { takeRecord } from '../../src/commands/fleet/fleet-run.ts';
import { connectToFleet } from '../../src/commands/fleet/join-options.ts';
import { MOST_MESSAGE_BYTES, workerChannel } from '../../src/fleet/channel.ts';
import type { Connection } from '../../src/fleet/engine.ts';
import {
  answerSchema,
  askSchema,
  beatReplySchema,
  beatSchema,
  type FleetShare,
  helloReplySchema,
  helloSchema,
} from '../../src/fleet/messages.ts';
import { createWorker, type WorkerEdge, type WorkerSide } from '../../src/fleet/worker.ts';
import { checked } from '../../src/kit/diagnostic.ts';
import { copyRecord, type HandedFile, listRecord, readPiece } from '../../src/record/hand-over.ts';
import { connected, helloOf, SHORT, startCoordinator } from '../fixtures/fleet-in-process.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { NO_NATS_SERVER, startNatsServer } from '../fixtures/nats-server.ts';
import { linesOf } from '../fixtures/told-faults.ts';

/** No name, path or word of a line. */
const HOSTILE = [
  '',
  ' ',
  '.',
  '..',
  '../x',
  '../../../pwned/x',
  '/etc/passwd',
  'a\nb',
  'a\rb',
  '\u001b[2Jx',
  'a\u202eb',
  'a\u0000',
  'a b',
  'a\\b',
  'x'.repeat(10_000),
];

/** Each text of a message, by where it stands. */
function textsOf(schema: z.core.$ZodType, place: string): readonly (readonly [string, z.core.$ZodType])[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return [[place, schema]];
    case 'object':
      return Object.entries(def.shape).flatMap(([key, each]) => textsOf(each, `${place}.${key}`));
    case 'union':
      return def.options.flatMap((each, at) => textsOf(each, `${place}|${at}`));
    case 'tuple':
      return def.items.flatMap((each, at) => textsOf(each, `${place}[${at}]`));
    case 'array':
      return textsOf(def.element, `${place}[]`);
    case 'nullable':
      return textsOf(def.innerType, place);
    case 'record':
      return [...textsOf(def.keyType, `${place} key`), ...textsOf(def.valueType, `${place}{}`)];
    case 'literal':
    case 'enum':
    case 'number':
    case 'boolean':
      return [];
    default:
      throw new Error(`${place} is a ${def.type}`);
  }
}

describe('a message of a fleet', () => {
  const schemas = { helloSchema, helloReplySchema, askSchema, answerSchema, beatSchema, beatReplySchema };
  const texts = Object.entries(schemas).flatMap(([name, schema]) => textsOf(schema, name));

  it('a message of a fleet has texts, and all of them are looked at', () => {
    expect(texts.length).toBeGreaterThan(25);
  });

  it.each(texts)('%s has the shape of what it becomes', async (_, schema) => {
    const passed = HOSTILE.filter((text) => (schema as z.ZodType).safeParse(text).success);
    expect(passed).toEqual([]);
  });
});

async function nats(conf?: string): Promise<string> {
  let file: string | undefined;
  if (conf !== undefined) {
    file = join(freshFolder(), 'nats.conf');
    writeFileSync(file, conf);
  }
  const server = await startNatsServer(file === undefined ? {} : { conf: file });
  onTestFinished(server.stop);
  return server.url;
}

function workerOf(connection: Connection, edge: Partial<Pick<WorkerEdge, 'refuseShare' | 'record'>>): WorkerSide {
  const side = createWorker(`session-${Math.random()}`, {
    channel: workerChannel(connection, 'w'),
    now: () => performance.now(),
    times: SHORT,
    refuseShare: () => null,
    record: { list: async () => [], read: async () => new Uint8Array() },
    ...edge,
  });
  onTestFinished(side.close);
  return side;
}

/** The coordinator of a fleet whose one worker has measured, and lists these files. */
async function measuredBy(url: string, files: readonly HandedFile[]) {
  const { coordinator } = await startCoordinator(url);
  const record = { list: async () => files, read: async () => new Uint8Array() };
  const worker = workerOf(await connected(url, 'w'), { record });
  void worker.join(helloOf('w'), new AbortController().signal).then(async () => {
    await worker.measured({ reason: 'finished' });
    await worker.handOver(0);
  });
  await coordinator.gather(1);
  await coordinator.begin(new Map([['w', { run: 'r', index: 1, of: 1 }]]));
  await coordinator.measure();
  return coordinator;
}

describe.skipIf(NO_NATS_SERVER !== null)(
  `a hostile member of a fleet${NO_NATS_SERVER ? ` (${NO_NATS_SERVER})` : ''}`,
  () => {
    it('a coordinator that names a folder or a share that cannot be is not answered, and no folder is looked at', async () => {
      const url = await nats();
      const coordinator = await connected(url, 'coordinator');
      coordinator.answer('retake.hello.*', async () => encoded({ answer: 'welcome', fleet: 'f' }));
      const heard = new Promise<void>((resolve) => {
        coordinator.answer('retake.from.*', async () => {
          resolve();
          return encoded({ fleet: 'f', stop: null });
        });
      });
      const shares: FleetShare[] = [];
      const refuseShare = (share: FleetShare) => {
        shares.push(share);
        return null;
      };
      const worker = workerOf(await connected(url, 'w'), { refuseShare });
      void worker.join(helloOf('w'), new AbortController().signal);
      await heard;
      const offer = (run: string, index = 1, of = 2) =>
        coordinator.request('retake.to.w', encoded({ ask: 'offer', fleet: 'f', run, index, of }), 150);
      const attacks = [
        ...HOSTILE.map((run) => offer(run)),
        ...['a/b/c', 'r1-1of2', 'é', '-r'].map((run) => offer(run)),
        ...[
          [5, 2],
          [0, 2],
          [1, 0],
          [1, 1e9],
          [1.5, 2],
        ].map(([index, of]) => offer('r1', index, of)),
      ];
      expect((await Promise.all(attacks)).filter((answer) => answer !== null)).toEqual([]);
      expect(JSON.parse(String(Buffer.from((await offer('r1', 2, 2)) ?? [])))).toEqual({ answer: 'done' });
      expect(shares).toEqual([{ run: 'r1', index: 2, of: 2 }]);
    });

    it.each<[string, (at: number) => HandedFile, RegExp]>([
      [
        'a journal of 9e15 bytes',
        () => ({ name: 'journal.jsonl', bytes: 9e15, sha256: 'a'.repeat(64) }),
        /^w lists 400 files of .*, more than a share of 2 requests can have; its shard was not taken; check that machine$/,
      ],
      [
        'files without end',
        (at) => {
          const sha256 = at.toString(16).padStart(64, '0');
          return { name: `media/${sha256.slice(0, 2)}/${sha256}.png`, bytes: 1, sha256 };
        },
        /^w lists 1.600 files of 1.60 kB, more than a share of 2 requests can have; /,
      ],
    ])('a worker that lists %s is refused by name, before anything is written', async (_, fileAt, sentence) => {
      const url = await nats();
      const coordinator = await measuredBy(
        url,
        Array.from({ length: 3000 }, (_each, at) => fileAt(at)),
      );
      const folder = join(freshFolder(), 'r-1of1');
      const taken = await takeRecord('w', folder, coordinator, { requests: 2, prompts: 1 }, false);
      expect(linesOf(taken)).toEqual([expect.stringMatching(sentence)]);
      expect(existsSync(folder)).toBe(false);
      await coordinator.release('leave');
    });

    it('a worker that answers with what fits no shape is refused, and not asked for ever', async () => {
      const url = await nats();
      const coordinator = await measuredBy(url, [{ name: '../x', bytes: 1, sha256: 'a'.repeat(64) }]);
      expect(await coordinator.list('w', 0, false)).toBeNull();
      await coordinator.release('leave');
    });

    it('a server that takes no list of files is refused at the start, with what to write', async () => {
      const url = await nats('max_payload: 12000');
      expect(linesOf(await checked(() => connectToFleet({ fleet: url, isLocal: true, seed: null }, 'w')))).toEqual([
        expect.stringMatching(
          /^the NATS server at nats:.* takes messages of at most 12.000 bytes; write max_payload: 1MB in its nats\.conf, and start it again$/,
        ),
      ]);
    });

    it('a server that takes smaller messages than a piece of a file gets smaller pieces, and larger answers are left out', async () => {
      const url = await nats(`max_payload: ${MOST_MESSAGE_BYTES}`);
      const connection = await connectToFleet({ fleet: url, isLocal: true, seed: null }, 'w');
      onTestFinished(connection.close);
      const { mostBytes } = connection;
      expect(mostBytes()).toBe(MOST_MESSAGE_BYTES);
      const [from, to] = [freshFolder(), join(freshFolder(), 'copy')];
      const journal = Buffer.alloc(3 * MOST_MESSAGE_BYTES + 7, 'line\n');
      writeFileSync(join(from, 'journal.jsonl'), journal);
      connection.answer('retake.to.w', async (request) =>
        request.length === 0
          ? new Uint8Array(MOST_MESSAGE_BYTES + 1)
          : readPiece(from, 'journal.jsonl', Number(Buffer.from(request)), mostBytes()),
      );
      const other = await connected(url, 'coordinator');
      expect(await other.request('retake.to.w', new Uint8Array(), 200)).toBeNull();
      const copied = await copyRecord(to, await listRecord(from, { leaveMedia: false }), async (_, at) => {
        const piece = await other.request('retake.to.w', Buffer.from(String(at)), 5000);
        return piece ?? new Uint8Array();
      });
      expect(linesOf(copied)).toEqual([]);
      expect(readFileSync(join(to, 'journal.jsonl')).equals(journal)).toBe(true);
    });
  },
);

function encoded(message: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}
