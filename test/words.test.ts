import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/*
 * Data holds codes, reports hold words: no type and no comparison rests on a sentence, and words that were replaced
 * stay away. src/README.md explains the layers.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  readonly file: string;
  readonly text: string;
}

function sourcesIn(folder: string, ending: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(root, path).split('\\').join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

const sources = sourcesIn('src', '.ts');

/** Two words with a blank between them, in quotes. */
const PHRASE = String.raw`(?:'[^'\n]*\w \w[^'\n]*'|\`[^\`\n]*\w \w[^\`\n]*\`)`;

/** Where a phrase decides something: compared with, looked for, or a member of a union of literals. */
const DECIDING: readonly { readonly how: string; readonly pattern: RegExp }[] = [
  { how: 'compared', pattern: new RegExp(String.raw`(?:[!=]==|\bcase)\s*${PHRASE}`, 'g') },
  {
    how: 'looked for',
    pattern: new RegExp(String.raw`\.(?:includes|startsWith|endsWith|indexOf|has|get)\(\s*${PHRASE}`, 'g'),
  },
  { how: 'a type', pattern: new RegExp(String.raw`(?<!\|)\|\s*${PHRASE}|${PHRASE}\s*\|(?!\|)`, 'g') },
  { how: 'a key', pattern: new RegExp(String.raw`(?:^|[{,])\s*${PHRASE}\s*:`, 'gm') },
];

/** Files that look into texts that others wrote. */
const OTHERS_TEXTS: Readonly<Record<string, string>> = {
  'src/targets/transport/wire.ts': 'the HTTP client tells some of its errors apart by their message alone',
};

function phrasesIn({ text }: Source): readonly string[] {
  const code = withoutComments(text);
  return DECIDING.flatMap(({ how, pattern }) =>
    [...code.matchAll(pattern)].map(([found]) => `${how}: ${found.trim()}`),
  );
}

describe('codes', () => {
  test('no comparison, no type and no key of the sources is a phrase', () => {
    const checked = sources.filter(({ file }) => !(file in OTHERS_TEXTS));
    expect(checked.length).toBeGreaterThan(200);
    expect(checked.flatMap((source) => phrasesIn(source).map((found) => `${source.file}: ${found}`))).toEqual([]);
  });

  test('every file that looks into texts of others does so', () => {
    const looking = sources.filter((source) => phrasesIn(source).length > 0).map(({ file }) => file);
    expect(Object.keys(OTHERS_TEXTS).filter((file) => !looking.includes(file))).toEqual([]);
  });
});

/** Sentences in quotes: three words or more with blanks between them, whatever is filled in. */
const SENTENCE = /'(?=[^'\n]*[A-Za-z]+ [A-Za-z]+ [A-Za-z]+)[^'\n]*'|`(?=[^`\n]*[A-Za-z]+ [A-Za-z]+ [A-Za-z]+)[^`\n]*`/g;

/**
 * Layers of data: plans, records, what examination finds, what analysis makes of it. What media says of bytes is a
 * decoder's own text.
 */
const DATA = ['src/plan/', 'src/record/', 'src/examine/', 'src/analysis/'];

/** The meaning of a metric is written beside it, for the page and the README. */
const MEANINGS = 'src/analysis/metrics/';

/** Files of these layers that speak to whoever names a folder, as diagnostics: nothing of it is kept. */
const SPEAKING: Readonly<Record<string, string>> = {
  'src/record/baseline-file.ts': 'a stored baseline is missing or damaged',
  'src/record/find/find-run.ts': 'there is no run in the folder that was named',
  'src/record/find/find-suite-folder.ts': 'there are no runs in the folder that was named',
  'src/record/journal/follow-journal.ts': 'a journal that is followed was cut or is damaged',
  'src/record/lock.ts': 'another process holds the record',
  'src/record/merge/check-shards.ts': 'records are not shards of one run',
  'src/record/merge-record.ts': 'the run is there already, or shards overlap',
  'src/record/read-record.ts': 'a file of the record is missing or damaged',
  'src/record/journal/read-lines.ts': 'a line of a record is damaged',
  'src/record/files/read-text.ts': 'a file of a record is not a regular file',
  'src/record/files/shape.ts': 'a field of a record is wrong',
  'src/record/model/fields.ts': 'what a field must be',
};

/** Without what schemas say of their fields: documentation for readers, as a comment is. */
function withoutDescriptions(text: string): string {
  const literal = /(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*")/.source;
  return text.replace(
    new RegExp(
      `(?:\\.describe\\(|description:|\\bpart\\(|\\b(?:shape|choice)\\(\\s*'\\w+',)\\s*${literal}(?:\\s*\\+\\s*${literal})*`,
      'g',
    ),
    '',
  );
}

describe('sentences', () => {
  test('plans, records, examination and analysis hold no sentence, but diagnostics and errors that are thrown', () => {
    const found = sources
      .filter(
        ({ file }) =>
          DATA.some((folder) => file.startsWith(folder)) && !(file in SPEAKING) && !file.startsWith(MEANINGS),
      )
      .flatMap(({ file, text }) =>
        withoutDescriptions(withoutComments(text))
          .split('\n')
          .filter((line) => !/new \w*Error\(|from '/.test(line))
          .flatMap((line) => [...line.matchAll(SENTENCE)].map(([sentence]) => `${file}: ${sentence}`)),
      );
    expect(found).toEqual([]);
  });
});

/**
 * Wordings that were replaced, each with what is said instead. They occur nowhere: no code, no test, no page for users.
 */
const REPLACED: Readonly<Record<string, string>> = {
  company: 'concurrency, concurrent',
  'depart(?:s|ed)? in at most': 'at most 11.8 % of further takes would differ',
  'to the byte': 'byte-identical',
  'for no eye|no eye sees|the same in nothing': 'visually identical, different',
  'beyond doubt|surely': 'significantly',
  'ground under': 'test the assumptions behind the numbers',
  'installing aside': 'excluding install',
  'tells latencies apart': 'noise floor of this machine',
  'stood still': 'stalled',
  'of a sweep every number': 'a sweep reports every number per concurrency',
  'again to break them off': 'press Ctrl-C again to abort them',
  'is not asked: no variant': 'prompt x is unused: no variant has one of its kinds',
  '(?<!there )is no (?:header name|locator|ratio|origin|text|label|path|URL|JSON pointer|JSONPath|argument|duration)':
    'is not a valid ...',
  'must say where to ask': 'needs exactly one of `path` and `url`',
  'is captured nowhere': 'is not captured by an earlier request',
  'know where the (?:URL|text) stands': 'needs `at`, the location of the URL',
  'cannot stand in JSON': 'cannot be put into JSON directly',
  'ends beyond the time limit': 'past the time limit of the call',
  'take fewer': 'use fewer',
  'leave the machine to the run': 'run nothing else on this machine',
  'send less at once': 'lower the load',
  'make the report again': 'run retake report again',
  'number in flight': 'concurrency',
  'mend(?:s|ed)?': 'fix',
  befell: 'occur more often in long calls',
  'tell of this machine': 'reflect this machine',
  'a defect of Retake': 'internal error in Retake; please report it',
  'every request and mark shown': 'make one call; show every request and timestamp',
  'a whole one is described': 'filter by name; an exact name shows its details',
  'faults and habits': 'faults to inject',
  'takes a free one': 'picks a free port',
  'gi(?:ve|ves|ven|ving) up(?! to \\d)|gave up': 'abandon',
  '(?:break|breaks|broke|broken|breaking) off': 'abort, fail',
  'in passing|may pass(?:es)? by': 'transient',
  'getPatiently|patience|patiently': 'retries',
  'pictures?': 'image',
  'clips?': 'video',
  'judgement|judging|judged|judges|judge': 'decide, classify, compare',
  anew: 'again',
  whichever: 'any',
  'none of': 'no, not one of',
  'of which': 'a clause of its own',
  'as it is': 'unchanged, as sent',
};

/** Names in code that were replaced, as parts of identifiers. */
const REPLACED_NAMES: Readonly<Record<string, string>> = {
  '[gG]ivenUp|[gG]iveUp': 'abandoned, abandon',
  '[bB]rokenOff|[bB]reakOff': 'aborted, abort',
  'mayPass|[pP]assing(?=[A-Z])': 'isTransient',
  '[jJ]udge[A-Z]|[jJ]udged[A-Z]|[a-z]Judge': 'decide, classify, effective',
  '[a-z]Clips?(?![a-z])|[cC]lip[A-Z]|CLIP_|_CLIP': 'video',
  '[pP]icture[A-Z]|[a-z]Picture|PICTURE_|_PICTURE': 'image',
  '[a-z]Modes|modesOf|cellModes': 'output groups',
  'LedMedia|Workplace|partByMachine|spokenWait|stepBack|getVerdict|unprobed|Unprobed|laterRequest|LaterRequest':
    'RedirectMedia, HandlerContext, splitByMachine, retryHint, threadPriority, classifyReply, skippedProbes, followUps',
  'Loaded<|WireRequest|OutgoingRequest|WireCall': 'Checked<, RenderedRequest, HttpRequest, CallRequest',
};

/** What others named, or where a word means something else: each is checked to be needed. */
const EXCEPTIONS: readonly { readonly file: RegExp; readonly text: RegExp; readonly why: string }[] = [
  { file: /^test\/words\.test\.ts$/, text: /./, why: 'the lists themselves' },
  { file: /(forms\/uploaded-image|video-handler\.test)\.ts$/, text: /picture/, why: 'codes of a public service API' },
  { file: /graphs\/.*\.json$/, text: /clip|picture/i, why: 'nodes and file names of ComfyUI' },
  { file: /^test\/.*\.ts$/, text: /CLIPTextEncode|CLIPLoader|clip_/, why: 'nodes and file names of ComfyUI' },
  { file: /golden-(images|video|signals)\.ts$/, text: /clips?|pictures?/, why: 'folders and keys of stored vectors' },
  { file: /style\.ts$/, text: /clip-path/, why: 'a property of CSS' },
  { file: /bench\.ts$|^src\/README\.md$/, text: /RETAKE_BENCH_PICTURES/, why: 'a published variable' },
];

function isException(file: string, line: string): boolean {
  return EXCEPTIONS.some((exception) => exception.file.test(file) && exception.text.test(line));
}

/** The READMEs, the formats and what comes with Retake: what users read, beside the sources and their tests. */
const READ: readonly Source[] = [
  ...['README.md', 'results/README.md'].map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
  ...sourcesIn('.github', '.md'),
  ...sourcesIn('src', '.md'),
  ...sourcesIn('suites', '.md'),
  ...sourcesIn('suites', '.yaml'),
  ...sourcesIn('suites', '.json'),
];

const tests = sourcesIn('test', '.ts').filter(({ file }) => !file.startsWith('test/golden/'));

/** Every line of these files that holds one of the patterns and is no exception. */
function findingsIn(
  files: readonly Source[],
  patterns: Readonly<Record<string, string>>,
  around: (pattern: string) => RegExp,
): readonly string[] {
  const searched = Object.entries(patterns).map(([pattern, instead]) => ({ regex: around(pattern), instead }));
  return files.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) =>
      searched.flatMap(({ regex, instead }) => {
        const found = regex.exec(line)?.[0];
        if (found === undefined || isException(file, line)) return [];
        return [`${file}:${index + 1}: "${found}", say ${instead}`];
      }),
    ),
  );
}

describe('wordings', () => {
  test('replaced wordings are in no source, test, suite, preset, schema or README', () => {
    const found = findingsIn(
      [...sources, ...tests, ...READ],
      REPLACED,
      (words) => new RegExp(String.raw`\b(?:${words})\b`, 'i'),
    );
    expect(found).toEqual([]);
  });

  test('replaced names are in no identifier and no file name', () => {
    const named = [...sources, ...tests].map(({ file, text }) => ({ file, text: `${text}\n${file}` }));
    expect(findingsIn(named, REPLACED_NAMES, (names) => new RegExp(names))).toEqual([]);
    const files =
      /(?:^|\/|-)(?:house|given-up|give-up|clips?|pictures?|told|judge|led-media|later-request|spoken|passing)[-.]/;
    expect(named.map(({ file }) => file).filter((file) => files.test(file))).toEqual([]);
  });

  test('every exception to them is needed', () => {
    const all = [...sources, ...tests, ...READ];
    const unused = EXCEPTIONS.filter(
      ({ file, text }) => !all.some((source) => file.test(source.file) && text.test(source.text)),
    );
    expect(unused.map(({ why }) => why)).toEqual([]);
  });
});

/** The output groups of a cell were its modes; a mode is the load's, a file's, or a word of a provider's interface. */
describe('modes', () => {
  test('only loads and files have a mode in the sources', () => {
    const found = sources.flatMap(({ file, text }) =>
      withoutComments(text)
        .split('\n')
        .filter((line) => /\bmodes\b|\bMode\b/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});

/**
 * A verb in the third person, or a word that goes on with another sentence: the name of a test begins with its subject.
 */
const NO_SUBJECT =
  /^(?:accepts?|accuses|adds|agrees?|allows|answers|appears?|applies|are|asks|at|be|becomes?|begins?|believes|blames|bounds|brings|builds|calls|can|cannot|carries|changes|checks|chooses|comes?|compares|contains|could|counts|covers|decides|declares|decodes|derives|differs|do|does|draws|drops|ends|equals|escapes|examines|explains|fails|falls|fills|finds|fits|follows|for|from|gets|gives?|goes|had|has|have|hides|holds?|ignores|imports|in|is|it|its|joins|keeps?|kills|knows?|leaves|lets|lies|lists|loses|makes?|marks|matches|may|measures|mirrors|must|needs|never|not|of|offers|on|opens|orders|overwrites|passes|picks|places|plays|prices|prints|puts|ranks|reads|redacts|refuses|rejects|repeats|reports|resolves|returns|reaches|rises|rounds|runs|says?|sees|sends|serves|sets|shares|shows|shuffles|skips|sorts|speaks?|splits|spreads?|starts|stays|stops|stores|suspects|takes?|tells|that|throws|to|treats|turns|twice|uses|waits|warns|was|when|where|whose|with|without|works|wraps|writes|yields) /;

/** The text of every `it` and `test`, also behind a table of cases. */
function testNames(text: string): readonly string[] {
  const quoted = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|\x60((?:[^\x60\\]|\\.)*)\x60)`;
  const direct = new RegExp(String.raw`^[ \t]*(?:it|test)(?:\.\w+)*(?:\([^'"\x60\n]*\))?\(\s*${quoted},`, 'gm');
  const tabled = new RegExp(String.raw`^[ \t]*\](?: as const)?\)\(\s*${quoted},`, 'gm');
  return [...text.matchAll(direct), ...text.matchAll(tabled)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

describe('names of tests', () => {
  test('every name begins with its subject, so that it can be read alone in a list of failures', () => {
    const named = tests.flatMap(({ file, text }) => testNames(text).map((name) => ({ file, name })));
    expect(named.length).toBeGreaterThan(1200);
    expect(named.filter(({ name }) => NO_SUBJECT.test(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
    expect(named.filter(({ name }) => /^%[sdijoO#]$/.test(name)).map(({ file }) => file)).toEqual([]);
  });
});
