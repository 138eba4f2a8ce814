import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Conversation, type Result, type ScorerItem } from '../../src/score/conversation.ts';
import type { CommandScorer } from '../../src/suite/scorer.ts';
import { knowSecrets } from '../../src/targets/secrets.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';

/** Answers each question; `BODY` may do something else for the prompt `bad`. */
const program = (body: string, first = `echo '{"retake":1,"name":"hps","version":"2.1","weights":"sha256:1"}'`) =>
  `answer() { printf '{"id":"%s","scores":{"hps":%s}}\\n' "$id" "$1"; }
${first}
while read -r line; do
  id=\${line#*'"id":"'}; id=\${id%%'"'*}
  case "$line" in *'"prompt":"bad"'*) ${body};; *) answer 0.5;; esac
done`;

interface Spoken {
  readonly results: readonly (readonly [prompt: string, Result])[];
  readonly failure: string | null;
  readonly folder: string;
}

/** What a shell program says of these prompts. */
async function speak(
  script: string,
  prompts: readonly string[],
  {
    timeoutMs = 20_000,
    env = {},
    command = ['sh', '-c', script],
    signal = new AbortController().signal,
  } = {} as Partial<{
    timeoutMs: number;
    env: Readonly<Record<string, string>>;
    command: readonly string[];
    signal: AbortSignal;
  }>,
): Promise<Spoken> {
  const folder = freshFolder();
  const scorer: CommandScorer = {
    use: 'command',
    name: 'hps',
    gives: [{ value: 'hps', better: 'higher', range: [0, 1], unit: 'score', meaning: null }],
    command: [...command],
    env: [],
    timeoutMs,
    frames: 8,
    original: false,
  };
  const conversation = new Conversation<ScorerItem>(scorer, {
    folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    redact: knowSecrets(Object.values(env)).redact,
    signal,
  });
  const results: (readonly [string, Result])[] = [];
  const items = prompts.map((prompt) => ({
    question: { prompt, expect: null, kind: 'text-to-image' },
    show: async () => ({ ok: true, shown: { media: ['/1.png'], image: null, remove: () => {} } }) as const,
  }));
  try {
    await conversation.begin();
    for await (const [item, result] of conversation.answers(items)) results.push([item.question.prompt, result]);
  } finally {
    await conversation.close();
  }
  return { results, failure: conversation.failure, folder };
}

const value = { ok: true, values: { hps: 0.5 } } as const;

function byPrompt({ results }: Spoken): Readonly<Record<string, Result>> {
  return Object.fromEntries(results);
}

/** Processes that work in a folder, as all that a program of a test starts does. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

const big = (bytes: number, what: string) => `head -c ${bytes} /dev/zero | tr '\\0' '${what}'`;

/** Of the prompts `one`, `bad`, `two`, the second meets the fault. */
const FAULTS: readonly (readonly [name: string, body: string, code: string])[] = [
  ['dies in an item', 'exit 1', 'died'],
  ['ends in an item without a fault', 'exit 0', 'died'],
  ['is killed in an item', 'kill -9 $$', 'died'],
  ['closes its output', 'exec >&-; sleep 600', 'died'],
  ['leaves half a line', `printf '{"id":"'; exit 0`, 'died'],
  ['writes NaN', 'answer NaN', 'not_a_number'],
  ['writes Infinity', 'answer -Infinity', 'not_a_number'],
  ['writes a number that is too large', 'answer 1e999', 'not_a_number'],
  ['writes a string', `answer '"0.5"'`, 'not_a_number'],
  ['writes null', 'answer null', 'not_a_number'],
  ['writes a list', 'answer [0.5]', 'not_a_number'],
  ['writes a value above its range', 'answer 1.1', 'out_of_range'],
  ['writes a value below its range', 'answer -0.1', 'out_of_range'],
  ['says why it has no score', `printf '{"id":"%s","unscored":"no_face"}\\n' "$id"`, 'refused'],
  ['says that nothing is expected', `printf '{"id":"%s","unscored":"nothing_expected"}\\n' "$id"`, 'nothing_expected'],
];

/** What it says of a program that does not follow the protocol. */
const WRONG: readonly (readonly [name: string, body: string, how: string])[] = [
  ['writes no value', `printf '{"id":"%s","scores":{}}\\n' "$id"`, 'it wrote an answer without the value "hps"'],
  [
    'writes one value more',
    `printf '{"id":"%s","scores":{"hps":1,"x":1}}\\n' "$id"`,
    'it wrote the value "x", which the suite does not declare',
  ],
  ['writes scores that are a number', `printf '{"id":"%s","scores":0.5}\\n' "$id"`, 'has neither scores nor a reason'],
  ['writes no scores', `printf '{"id":"%s"}\\n' "$id"`, 'has neither scores nor a reason'],
  [
    'writes scores and a reason',
    `printf '{"id":"%s","scores":{"hps":1},"unscored":"x"}\\n' "$id"`,
    'has neither scores nor a reason',
  ],
  ['writes a reason that is a number', `printf '{"id":"%s","unscored":1}\\n' "$id"`, 'has neither scores nor a reason'],
  [
    'writes a reason that is a text',
    `printf '{"id":"%s","unscored":"${'x'.repeat(65)}"}\\n' "$id"`,
    'has neither scores nor a reason',
  ],
  ['writes its id as a number', `echo '{"id":7,"scores":{"hps":1}}'`, 'without the id of its question: {"id":7,'],
  ['writes no object', 'echo 1', 'not a JSON object: 1'],
  ['writes an empty line', 'echo', 'not a JSON object:'],
  ['writes what is no JSON', 'echo loading; answer 0.5', 'not a JSON object: loading'],
  ['writes bytes that are no UTF-8', `printf '"\\377"\\n'`, 'not a JSON object: "\ufffd"'],
  ['writes a wrong id', 'id=99; answer 0.5', 'without the id of its question: {"id":"99",'],
  ['writes a line of 2 MB', `${big(2_000_000, 'x')}; echo`, 'a line longer than 1 MiB'],
  ['writes a line of 100 MB', `${big(100_000_000, ' ')}; echo`, 'a line longer than 1 MiB'],
  ['answers twice', 'answer 0.5; answer 0.5', 'without the id of its question'],
];

/** They wait for the limit, so they wait together. */
const HANGS: typeof FAULTS = [
  ['hangs', 'sleep 600', 'timed_out'],
  ['hangs and ignores SIGTERM', `trap '' TERM; sleep 600; sleep 600`, 'timed_out'],
  ['leaves half a line and hangs', `printf '{"id'; sleep 600`, 'timed_out'],
  ['stops itself', 'kill -STOP $$', 'timed_out'],
];

describe('a program that a suite declares', () => {
  it.each(FAULTS)('a program that %s leaves exactly one output unscored', async (_name, body, code) => {
    const spoken = await speak(program(body), ['one', 'bad', 'two']);
    expect(byPrompt(spoken)).toMatchObject({ one: value, bad: { ok: false, why: { code } }, two: value });
    expect(spoken.failure).toBe(null);
    await expect.poll(() => processesIn(spoken.folder)).toEqual([]);
  });

  it('a program that hangs is ended at its limit with all that it started, and leaves one output unscored', async () => {
    const spoken = await Promise.all(
      HANGS.map(([, body]) => speak(program(body), ['one', 'bad', 'two'], { timeoutMs: 1500 })),
    );
    for (const [at, [, , code]] of HANGS.entries()) {
      const one = spoken[at] as Spoken;
      expect(byPrompt(one)).toMatchObject({ one: value, bad: { ok: false, why: { code } }, two: value });
      await expect.poll(() => processesIn(one.folder)).toEqual([]);
    }
  });

  it.each(WRONG)('a program that %s is given up, and what it did is said', async (name, body, how) => {
    const spoken = await speak(program(`echo log >&2; ${body}`), ['one', 'bad', 'two', 'three']);
    const codes = spoken.results.map(([, result]) => (result.ok ? 'value' : result.why.code));
    const isLate = name === 'answers twice';
    expect(codes).toEqual(['value', isLate ? 'value' : 'command_failed', 'command_failed', 'command_failed']);
    expect(spoken.failure).toContain('log; ');
    expect(spoken.failure).toContain(how);
    await expect.poll(() => processesIn(spoken.folder)).toEqual([]);
  });

  it.each<readonly [name: string, script: string, how: string]>([
    ['dies at once', 'echo "no such model" >&2; exit 1', 'no such model; its first line must be {"retake": 1}'],
    ['says another protocol', program('answer 1', `echo '{"retake":2}'`), '{"retake": 1}: {"retake":2}'],
    ['begins with a text', program('answer 1', 'echo loading'), '{"retake": 1}: loading'],
    ['has a version that is a number', program('answer 1', `echo '{"retake":1,"version":2}'`), '"version":2}'],
    ['begins with a line of 2 MB', program('answer 1', `${big(2_000_000, 'x')}; echo`), '{"retake": 1}'],
    ['begins with the end of its output', 'exec >&-; sleep 600', '{"retake": 1}'],
    ['says nothing', 'sleep 600', 'it did not write its first line in time'],
  ])('a program that %s scores nothing, and is not started again', async (_name, script, how) => {
    const spoken = await speak(`echo >>starts; ${script}`, ['one', 'two'], { timeoutMs: 1500 });
    expect(spoken.results).toEqual([
      ['one', { ok: false, why: { code: 'command_failed', stderr: spoken.failure } }],
      ['two', { ok: false, why: { code: 'command_failed' } }],
    ]);
    expect(spoken.failure).toContain(how);
    expect(readFileSync(join(spoken.folder, 'starts'), 'utf8')).toBe('\n');
    await expect.poll(() => processesIn(spoken.folder)).toEqual([]);
  });

  it('a secret in a line that is no answer is not kept', async () => {
    const body = 'echo "$KEY and more"';
    const spoken = await speak(program(body), ['bad'], { env: { KEY: 'canary-4f8a2c' } });
    expect(spoken.failure).toBe('it wrote a line that is not a JSON object: [redacted] and more');
  });

  it('a program that is not there scores nothing, and why is said once', async () => {
    const spoken = await speak('', ['one', 'two'], { command: ['./not-there'] });
    expect(spoken.results.map(([, result]) => result)).toEqual([
      { ok: false, why: { code: 'command_failed', stderr: 'spawn ./not-there ENOENT' } },
      { ok: false, why: { code: 'command_failed' } },
    ]);
  });

  it('a program that always ends is given up, with the end of what it wrote and without secrets', async () => {
    const secret = 'canary-4f8a2c';
    const dying = `${big(3_000_000, 'e')} >&2; echo "no key in $KEY" >&2; exit 1`;
    const spoken = await speak(program(dying), ['one', 'bad', 'bad', 'two', 'three'], { env: { KEY: secret } });
    expect(spoken.results.map(([, result]) => (result.ok ? result.values.hps : result.why.code))).toEqual([
      0.5,
      'died',
      'command_failed',
      'command_failed',
      'command_failed',
    ]);
    expect(spoken.failure).toMatch(/^e+no key in \[redacted\]$/);
    expect(spoken.failure).toHaveLength(2048);
    const told = spoken.results.flatMap(([, result]) =>
      !result.ok && result.why.code === 'command_failed' ? [result.why.stderr] : [],
    );
    expect(told).toEqual([spoken.failure, undefined, undefined]);
  });

  it('a program that always ends says why once, not as often as it was started', async () => {
    const spoken = await speak(program('echo "no GPU" >&2; exit 1'), ['bad', 'bad', 'bad']);
    expect(spoken.failure?.trim()).toBe('no GPU');
  });

  it('a program that fails once is asked once more', async () => {
    const once = 'if [ -e been ]; then answer 0.25; else touch been; exit 1; fi';
    const spoken = await speak(program(once), ['one', 'bad', 'two']);
    expect(byPrompt(spoken)).toEqual({ one: value, bad: { ok: true, values: { hps: 0.25 } }, two: value });
  });

  it.each<readonly [name: string, body: string]>([
    ['closes its input after an answer', 'answer 0.5; exec <&-; sleep 600'],
    ['closes its output after an answer', 'answer 0.5; exec >&-; sleep 600'],
    ['ends after an answer', 'answer 0.5; exit 0'],
    ['writes 30 MB to standard error', `${big(30_000_000, 'e')} >&2; answer 0.5`],
    ['leaves a process behind', 'sleep 600 & answer 0.5'],
    [
      'has spaces and further fields in its answer',
      `printf ' { "id" : "%s", "scores":{"hps":0.5}, "ms": 3 } \r\n' "$id"`,
    ],
  ])('a program that %s loses no score', async (_name, body) => {
    const spoken = await speak(program(body), ['one', 'bad', 'two']);
    expect(byPrompt(spoken)).toEqual({ one: value, bad: value, two: value });
    await expect.poll(() => processesIn(spoken.folder)).toEqual([]);
  });

  it('a program that answers before it is asked cannot know what it is asked', async () => {
    const first = `echo '{"retake":1}'; echo '{"id":"1","scores":{"hps":1}}'`;
    const spoken = await speak(program('answer 0.5', first), ['one', 'two', 'three', 'four']);
    const codes = spoken.results.map(([, result]) => (result.ok ? 'value' : result.why.code));
    expect(codes).toEqual(['command_failed', 'command_failed', 'command_failed', 'command_failed']);
  });

  it('a program that says another version when it is started again is not believed', async () => {
    const first = `if [ -e been ]; then v=2; else v=1; touch been; fi; printf '{"retake":1,"version":"%s"}\\n' $v`;
    const spoken = await speak(program('exit 1', first), ['one', 'bad', 'two']);
    const codes = spoken.results.map(([, result]) => (result.ok ? 'value' : result.why.code));
    expect(codes).toEqual(['value', 'command_failed', 'command_failed']);
    expect(spoken.failure).toBe('it has another version or weights after it was started again');
  });

  it('a question that is too long is not asked', async () => {
    const spoken = await speak(program('answer 1'), ['one', 'x'.repeat(1 << 20), 'two']);
    expect(spoken.results.map(([, result]) => result)).toEqual([
      value,
      { ok: false, why: { code: 'line_too_long' } },
      value,
    ]);
  });

  it('a program gets the variables that are named and no others', async () => {
    const before = process.env.PATH ?? '';
    const spoken = await speak(`env >seen; ${program('answer 1')}`, ['one'], { env: { NAMED: 'yes' } });
    const seen = readFileSync(join(spoken.folder, 'seen'), 'utf8').trim().split('\n').sort();
    // The shell adds its own working folder.
    expect(seen.filter((each) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(each))).toEqual(['NAMED=yes', `PATH=${before}`]);
  });

  it('a program ends with an interrupt, and nothing more is said of its outputs', async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 300);
    const spoken = await speak(program('sleep 600'), ['one', 'bad', 'two'], { signal: interrupt.signal });
    expect(spoken.results.map(([prompt]) => prompt)).not.toContain('bad');
    expect(spoken.failure).toBe(null);
    await expect.poll(() => processesIn(spoken.folder)).toEqual([]);
  });
});
