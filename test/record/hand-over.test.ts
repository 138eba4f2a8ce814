import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyRecord, type HandedFile, listRecord, PIECE_BYTES, readPiece } from '../../src/record/hand-over.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { draws } from '../test-options.ts';

function digest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** Bytes that differ in every piece. */
function content(length: number, salt: number): Uint8Array {
  return Buffer.alloc(length, `${salt} repeats after an odd number of bytes.`);
}

/** A record with media of these sizes, beside files that are not handed over. */
function writeRecord(sizes: readonly number[] = [10, 0, PIECE_BYTES, PIECE_BYTES + 1]): string {
  const folder = freshFolder();
  const write = (name: string, bytes: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  };
  write('run.json', '{"format":1}\n');
  write('journal.jsonl', '{"event":"segment"}\n'.repeat(100));
  write('facts.jsonl', '{"fact":"output"}\n');
  write('votes.jsonl', '{}\n');
  for (const [at, size] of sizes.entries()) {
    const bytes = content(size, at);
    const sha256 = digest(bytes);
    write(`media/${sha256.slice(0, 2)}/${sha256}.png`, bytes);
    write(`thumbs/${sha256}.webp`, `small ${at}`);
    write(`thumbs/${sha256}.${sha256}.heat.webp`, `heat ${at}`);
  }
  const unfinished = digest(content(5, 99));
  write(`media/${unfinished.slice(0, 2)}/${unfinished}.png`, 'half');
  for (const name of ['lock', 'report.html', 'analysis.json', 'journal.jsonl.reserve', 'media/notes.txt']) {
    write(name, 'not of the hand-over');
  }
  write(`thumbs/${unfinished}.webp.0123456789ab.part`, 'half');
  return folder;
}

/** All files by name. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)])).sort();
  return new Map(names.map((path) => [path.slice(folder.length + 1), digest(readFileSync(path))]));
}

function byName(listed: readonly HandedFile[]): ReadonlyMap<string, string> {
  return new Map(listed.map(({ name, sha256 }) => [name, sha256] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const never = async (name: string): Promise<never> => {
  throw new Error(`${name} was read`);
};

async function causesOf(...args: Parameters<typeof copyRecord>): Promise<readonly string[]> {
  const copied = await copyRecord(...args);
  return copied.ok ? [] : copied.diagnostics.map(({ cause }) => cause);
}

describe('listRecord', () => {
  it('a list has the files of the record with size and digest, and run.json last', async () => {
    const folder = writeRecord();
    const listed = await listRecord(folder, { leaveMedia: false });
    expect(listed.map(({ name }) => name.replaceAll(/[0-9a-f]{64}/g, '#').replace(/\/\w\w\//, '/aa/'))).toEqual([
      'journal.jsonl',
      'facts.jsonl',
      'votes.jsonl',
      ...Array.from({ length: 4 }, () => 'media/aa/#.png'),
      ...Array.from({ length: 4 }, () => ['thumbs/#.#.heat.webp', 'thumbs/#.webp']).flat(),
      'run.json',
    ]);
    for (const { name, bytes, sha256 } of listed) {
      const found = readFileSync(join(folder, name));
      expect([found.length, digest(found)]).toEqual([bytes, sha256]);
    }
  });

  it('a list without media has thumbnails', async () => {
    const names = (await listRecord(writeRecord(), { leaveMedia: true })).map(({ name }) => name);
    expect(names.some((name) => name.startsWith('media/'))).toBe(false);
    expect(names.filter((name) => name.startsWith('thumbs/')).length).toBe(8);
  });

  it('a list has no links, also where a folder is one', async () => {
    const [folder, elsewhere] = [writeRecord([]), writeRecord([3])];
    for (const name of ['media', 'thumbs', 'facts.jsonl', 'votes.jsonl']) {
      rmSync(join(folder, name), { recursive: true });
      symlinkSync(join(elsewhere, name), join(folder, name));
    }
    const names = (await listRecord(folder, { leaveMedia: false })).map(({ name }) => name);
    expect(names).toEqual(['journal.jsonl', 'run.json']);
    const thumb = readdirSync(join(elsewhere, 'thumbs')).find((name) => name.endsWith('.webp'));
    for (const name of [`thumbs/${thumb}`, 'facts.jsonl']) {
      await expect(readPiece(folder, name, 0)).rejects.toThrow('is not a regular file');
    }
  });
});

describe('readPiece', () => {
  it('a piece has at most 512 KiB, and is empty at the end', async () => {
    const folder = writeRecord([PIECE_BYTES + 1]);
    const media = (await listRecord(folder, { leaveMedia: false })).find(({ name }) => name.startsWith('media/'));
    const name = media?.name ?? '';
    const lengths = [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 1e12].map(
      async (from) => (await readPiece(folder, name, from)).length,
    );
    expect(await Promise.all(lengths)).toEqual([PIECE_BYTES, PIECE_BYTES, 1, 0, 0]);
    for (const from of [-1, 0.5, Number.NaN, 2 ** 60]) {
      await expect(readPiece(folder, name, from)).rejects.toThrow('is not an offset');
    }
  });

  it.each(['lock', 'report.html', '../run.json', '/etc/passwd', 'media/notes.txt', ''])(
    'a piece of another file is refused: %j',
    async (name) => {
      await expect(readPiece(writeRecord([]), name, 0)).rejects.toThrow('is not the name of a file of a record');
    },
  );
});

describe('copyRecord', () => {
  it('a copy equals the record byte for byte, and its journal is secret', async () => {
    const from = writeRecord();
    const to = join(freshFolder(), 'suite', 'run-1of2');
    const listed = await listRecord(from, { leaveMedia: false });
    const copied = await copyRecord(to, listed, (name, at) => readPiece(from, name, at));
    expect(copied).toEqual({ ok: true, value: null });
    expect(filesIn(to)).toEqual(byName(listed));
    expect(statSync(join(to, 'journal.jsonl')).mode & 0o777).toBe(0o600);
    expect(await copyRecord(to, listed, never)).toEqual({ ok: true, value: null });
  });

  it('a record that is there already is not read', async () => {
    const from = writeRecord();
    const before = filesIn(from);
    expect((await copyRecord(from, await listRecord(from, { leaveMedia: false }), never)).ok).toBe(true);
    expect(filesIn(from)).toEqual(before);
  });

  it('run.json is written last, in whatever order it is listed', async () => {
    const from = writeRecord([3, 4]);
    const to = freshFolder();
    const listed = (await listRecord(from, { leaveMedia: false })).toReversed();
    expect(listed[0]?.name).toBe('run.json');
    const order: string[] = [];
    await copyRecord(to, listed, (name, at) => {
      order.push(name);
      expect(existsSync(join(to, 'run.json'))).toBe(false);
      return readPiece(from, name, at);
    });
    expect(order.at(-1)).toBe('run.json');
  });

  it('a copy that is broken off goes on, and reads nothing twice but the piece in flight', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 1500 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 3 }),
        async (sizes, pieceBytes, lives) => {
          const from = writeRecord(sizes);
          const to = freshFolder();
          const listed = await listRecord(from, { leaveMedia: false });
          const arrived = new Map<string, number>();
          let inFlight = 0;
          for (const life of [...lives, Number.POSITIVE_INFINITY]) {
            let left = life;
            const copied = copyRecord(to, listed, async (name, at) => {
              inFlight += 1;
              expect(inFlight).toBe(1);
              const piece = (await readPiece(from, name, at)).subarray(0, pieceBytes);
              inFlight -= 1;
              if (left === 0) throw new Error('away');
              left -= 1;
              expect(at).toBe(arrived.get(name) ?? 0);
              arrived.set(name, at + piece.length);
              return piece;
            });
            const ended = await copied.catch((error: Error) => error.message);
            if (ended === 'away') {
              expect(existsSync(join(to, 'run.json'))).toBe(false);
              continue;
            }
            expect(ended).toEqual({ ok: true, value: null });
          }
          expect(filesIn(to)).toEqual(byName(listed));
          expect(
            [...arrived].every(([name, bytes]) => listed.find((each) => each.name === name)?.bytes === bytes),
          ).toBe(true);
        },
      ),
      { numRuns: draws(20) },
    );
  });

  it('an error of the other side passes through, also one that looks like one of a file', async () => {
    const from = writeRecord([]);
    const error = Object.assign(new Error('gone'), { code: 'EACCES', syscall: 'write' });
    const copied = copyRecord(freshFolder(), await listRecord(from, { leaveMedia: false }), () =>
      Promise.reject(error),
    );
    await expect(copied).rejects.toBe(error);
  });

  it('a file with a wrong digest is read once more, and then refused', async () => {
    const from = writeRecord([]);
    const listed = (await listRecord(from, { leaveMedia: false })).filter(({ name }) => name === 'facts.jsonl');
    const read = (wrongTimes: number) => {
      let reads = 0;
      const piece = async (name: string, at: number) => {
        reads += 1;
        const bytes = await readPiece(from, name, at);
        return reads <= wrongTimes ? bytes.map((byte) => byte ^ 1) : bytes;
      };
      return { piece, reads: () => reads };
    };
    const [once, twice] = [read(1), read(2)];
    const to = freshFolder();
    expect(await copyRecord(to, listed, once.piece)).toEqual({ ok: true, value: null });
    expect(once.reads()).toBe(2);
    expect(filesIn(to)).toEqual(byName(listed));
    const refusing = freshFolder();
    expect(await causesOf(refusing, listed, twice.piece)).toEqual(['facts.jsonl arrived with a wrong digest, twice']);
    expect(twice.reads()).toBe(2);
    expect(existsSync(join(refusing, 'facts.jsonl'))).toBe(false);
    expect(statSync(join(refusing, 'facts.jsonl.part')).size).toBe(0);
  });

  it('a part with wrong bytes, or too many, is thrown away', async () => {
    const from = writeRecord([]);
    const listed = (await listRecord(from, { leaveMedia: false })).filter(({ name }) => name === 'facts.jsonl');
    for (const part of ['wrong', 'too long '.repeat(100)]) {
      const to = freshFolder();
      writeFileSync(join(to, 'facts.jsonl.part'), part);
      expect((await copyRecord(to, listed, (name, at) => readPiece(from, name, at))).ok).toBe(true);
      expect(filesIn(to)).toEqual(byName(listed));
    }
  });

  it('a file that is there in an older form is replaced', async () => {
    const from = writeRecord([]);
    const to = freshFolder();
    cpSync(from, to, { recursive: true });
    writeFileSync(join(to, 'journal.jsonl'), 'older');
    const read: string[] = [];
    await copyRecord(to, await listRecord(from, { leaveMedia: false }), (name, at) => {
      read.push(name);
      return readPiece(from, name, at);
    });
    expect(read).toEqual(['journal.jsonl']);
    expect(filesIn(to)).toEqual(filesIn(from));
  });

  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  it.each([
    '../x',
    '/etc/passwd',
    'media/aa/../../x',
    `media/aa/../${a}.png`,
    `media/bb/${a}.png`,
    `media/aa/${a}`,
    `media/aa/${a}.png/x`,
    `media/aa/${a}.png.part`,
    `media/aa/${a}.png\n`,
    `media/aa/${a}.p/g`,
    `media\\aa\\${a}.png`,
    `media//${a}.png`,
    `media/aa/${'A'.repeat(64)}.png`,
    'thumbs/x.webp',
    `thumbs/${a}.svg`,
    `thumbs/../${a}.webp`,
    'lock',
    'report.html',
    'run.json.part',
    'RUN.JSON',
    './run.json',
    'run.json\0',
    'constructor',
    '',
    '.',
  ])('the name %j is refused, and nothing written', async (name) => {
    const to = join(freshFolder(), 'copy');
    const cause = `${JSON.stringify(name)} is not the name of a file of a record`;
    expect(await causesOf(to, [{ name, bytes: 1, sha256: a }], never)).toEqual([cause]);
    expect(existsSync(to)).toBe(false);
  });

  it.each([
    [{ bytes: -1 }, 'facts.jsonl has no valid size'],
    [{ bytes: 0.5 }, 'facts.jsonl has no valid size'],
    [{ bytes: Number.NaN }, 'facts.jsonl has no valid size'],
    [{ sha256: 'x' }, 'facts.jsonl has no valid digest'],
    [{ name: `media/aa/${a}.png`, sha256: b }, `media/aa/${a}.png has no valid digest`],
  ])('the entry %j of a list is refused', async (wrong, cause) => {
    expect(await causesOf(freshFolder(), [{ name: 'facts.jsonl', bytes: 1, sha256: a, ...wrong }], never)).toEqual([
      cause,
    ]);
  });

  it('a name that is listed twice is refused', async () => {
    const file = { name: 'run.json', bytes: 1, sha256: a };
    expect(await causesOf(freshFolder(), [file, file], never)).toEqual(['run.json is listed twice']);
  });

  it.each([
    [0, 'facts.jsonl ended before its size'],
    [11, 'a piece of facts.jsonl is longer than asked'],
    [PIECE_BYTES + 1, 'a piece of facts.jsonl is longer than asked'],
  ])('a piece of %d bytes is refused', async (length, cause) => {
    const to = freshFolder();
    const listed = [{ name: 'facts.jsonl', bytes: 10, sha256: a }];
    expect(await causesOf(to, listed, async () => new Uint8Array(length))).toEqual([cause]);
    expect(existsSync(join(to, 'facts.jsonl'))).toBe(false);
  });

  it('a piece of more than 512 KiB is refused, even if the file is larger', async () => {
    const listed = [{ name: 'facts.jsonl', bytes: PIECE_BYTES * 4, sha256: a }];
    const read = async () => new Uint8Array(PIECE_BYTES + 1);
    expect(await causesOf(freshFolder(), listed, read)).toEqual(['a piece of facts.jsonl is longer than asked']);
  });

  it.each([
    ['facts.jsonl', 'facts.jsonl'],
    ['facts.jsonl.part', 'facts.jsonl'],
    ['media', `media/aa/${a}.png`],
    ['media/aa', `media/aa/${a}.png`],
    ['thumbs', `thumbs/${a}.webp`],
  ])('a link in place of %s is refused, and what it leads to stays', async (link, name) => {
    const [to, elsewhere] = [freshFolder(), freshFolder()];
    writeFileSync(join(elsewhere, 'file'), 'mine');
    mkdirSync(dirname(join(to, link)), { recursive: true });
    symlinkSync(link.startsWith('facts') ? join(elsewhere, 'file') : elsewhere, join(to, link));
    expect(await causesOf(to, [{ name, bytes: 4, sha256: a }], never)).toEqual([`${join(to, link)} is a link`]);
    expect(filesIn(elsewhere)).toEqual(new Map([['file', digest(Buffer.from('mine'))]]));
  });

  it('a folder that is a link is refused', async () => {
    const [parent, elsewhere] = [freshFolder(), freshFolder()];
    symlinkSync(elsewhere, join(parent, 'copy'));
    const listed = [{ name: 'run.json', bytes: 4, sha256: a }];
    expect(await causesOf(join(parent, 'copy'), listed, never)).toEqual([`${join(parent, 'copy')} is not a folder`]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('a part with a second name keeps what stands under the other, and one that others read is made again', async () => {
    const from = writeRecord([]);
    const to = freshFolder();
    const other = join(freshFolder(), 'other');
    writeFileSync(other, 'mine');
    linkSync(other, join(to, 'facts.jsonl.part'));
    writeFileSync(join(to, 'journal.jsonl.part'), '');
    chmodSync(join(to, 'journal.jsonl.part'), 0o644);
    const listed = await listRecord(from, { leaveMedia: false });
    expect((await copyRecord(to, listed, (name, at) => readPiece(from, name, at))).ok).toBe(true);
    expect(filesIn(to)).toEqual(byName(listed));
    expect(readFileSync(other, 'utf8')).toBe('mine');
    expect(statSync(join(to, 'journal.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('a folder that cannot be made is refused with its remedy', async () => {
    const parent = freshFolder();
    writeFileSync(join(parent, 'file'), '');
    const copied = await copyRecord(join(parent, 'file', 'copy'), [], never);
    expect(copied).toMatchObject({ ok: false, diagnostics: [{ cause: expect.stringContaining('ENOTDIR') }] });
  });
});
