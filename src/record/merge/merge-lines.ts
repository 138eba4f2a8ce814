import { canonicalJson } from '../../kit/json.ts';
import type { Fact } from '../fact.ts';
import type { JournalEvent } from '../journal.ts';
import type { Run } from '../run.ts';
import type { OutputScore, RequestLine, ScoreLine, ScorerLine } from '../score.ts';
import { byOf, isRequest, placeOf, scoreKey, writtenScores } from '../score-key.ts';

export interface MergedEvents {
  readonly events: readonly JournalEvent[];
  /** New numbers. */
  readonly segments: readonly number[];
  /** Number of requests. */
  readonly warmupsLeftOut: number;
  readonly leftOut: readonly JournalEvent[];
}

/**
 * Renumbers a shard's segments after the `segmentsBefore` of earlier shards; clocks stay. `keepWarmups` false: the
 * merged run has the warm-ups of another shard.
 */
export function mergeEvents(
  events: readonly JournalEvent[],
  segmentsBefore: number,
  keepWarmups: boolean,
): MergedEvents {
  const leftOut = new Set(keepWarmups ? [] : events.flatMap(warmupOf));
  const isLeftOut = (event: JournalEvent) => leftOut.has(trialOf(event) ?? '');
  const kept = events.filter((event) => !isLeftOut(event));
  const segments = [...new Set(events.map(segmentOf))].sort((a, b) => a - b);
  const numbers = new Map(segments.map((segment, at) => [segment, segmentsBefore + at + 1]));
  return {
    events: kept.map((event) => {
      const segment = numbers.get(segmentOf(event)) ?? 0;
      return event.event === 'sample' ? { ...event, sample: { ...event.sample, segment } } : { ...event, segment };
    }),
    segments: [...numbers.values()],
    warmupsLeftOut: requestsOf(events, leftOut),
    leftOut: events.filter(isLeftOut),
  };
}

function segmentOf(event: JournalEvent): number {
  return event.event === 'sample' ? event.sample.segment : event.segment;
}

function warmupOf(event: JournalEvent): readonly string[] {
  const trial = event.event === 'intent' ? event.trial : event.event === 'sample' ? event.sample.trial : null;
  return trial?.phase === 'warmup' ? [trial.id] : [];
}

function trialOf(event: JournalEvent): string | null {
  switch (event.event) {
    case 'intent':
      return event.trial.id;
    case 'sample':
      return event.sample.trial.id;
    case 'accepted':
    case 'attempt':
    case 'cancel':
      return event.trial;
    case 'segment':
    case 'abandoned':
    case 'load_ended':
    case 'look':
      return null;
  }
}

/** A sample counts its requests. A trial without one was sent once, and once per refusal. */
function requestsOf(events: readonly JournalEvent[], trials: ReadonlySet<string>): number {
  const sent = new Map<string, number>();
  for (const event of events) {
    const id = trialOf(event);
    if (id === null || !trials.has(id)) continue;
    if (event.event === 'sample') sent.set(id, event.sample.attempts);
    else if (event.event === 'intent') sent.set(id, 1);
    else if (event.event === 'attempt') sent.set(id, (sent.get(id) ?? 1) + 1);
  }
  return [...sent.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Each output, pair and edit once, in the order of their facts. A fact from a shard with the decoder replaces one
 * without. `kept`: digests of the merged run's outputs.
 */
export function mergeFacts(shards: readonly (readonly Fact[])[], kept: ReadonlySet<string>): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const fact of shards.flat()) {
    if (!digestsOf(fact).every((sha256) => kept.has(sha256))) continue;
    const key = digestsOf(fact).join(' ');
    const known = facts.get(key);
    if (known === undefined || (!isFound(known) && isFound(fact))) facts.set(key, fact);
  }
  return [...facts.values()];
}

function digestsOf(fact: Fact): readonly string[] {
  if (fact.fact === 'outside') return [fact.input, fact.mask, fact.output];
  return fact.fact === 'output' ? [fact.sha256] : [fact.a, fact.b];
}

function isFound(fact: Fact): boolean {
  if (fact.fact === 'outside') return true;
  return fact.fact === 'output' ? fact.decodes !== null : fact.compared;
}

export interface ShardScores {
  readonly shard: string;
  readonly scores: readonly ScoreLine[];
}

/** Without scorers that a merge made of the files of several shards: the next merge makes them again. */
export function withoutUnited(scores: readonly ScoreLine[]): readonly ScoreLine[] {
  const united = new Set(
    scores.flatMap((line) =>
      line.line === 'scorer' && Object.keys(line.files).some((name) => /^\d+of\d+\//.test(name)) ? [line.by] : [],
    ),
  );
  return scores.filter((line) => isRequest(line) || !united.has(line.by));
}

interface MergedScores {
  readonly scores: readonly ScoreLine[];
  /** Scorers whose files differ between shards: only the values of the last file count. */
  readonly differing: readonly string[];
}

/**
 * The distinct lines of all shards, in their order. Of two lines about one output, one with values counts, else the
 * last. Values from files become those of one scorer with all these files.
 */
export function mergeScores(shards: readonly ShardScores[], prompts: Run['prompts']): MergedScores {
  const lines = shards.flatMap(({ scores }) => scores);
  // All requests count for a judge's limits.
  const requests = lines.filter(isRequest);
  // The last of equal lines counts: it may have been written again.
  const equal = new Map<string, ScoreLine>();
  for (const line of lines) {
    if (isRequest(line)) continue;
    const text = canonicalJson(line);
    equal.delete(text);
    equal.set(text, line);
  }
  const joined = [...equal.values()];
  const counting = new Map<string, ScoreLine>();
  for (const line of shards.flatMap(({ scores }) => countingLines(scores))) {
    const place = placeOf(line);
    if (line.line !== 'unscored' || counting.get(place)?.line !== 'value') counting.set(place, line);
  }
  // Moved to the end, where they count.
  const moved = writtenScores(joined).missing([...counting.values()]);
  for (const line of moved) equal.delete(canonicalJson(line));
  const scores = [...equal.values(), ...moved];
  const files = filesByScorer(shards);
  const united = files.flatMap((group) => (sameDeclared(group) ? unite(group, prompts) : []));
  return {
    scores: [...requests, ...scores, ...united],
    differing: files.filter((group) => !sameDeclared(group)).map(([first]) => first.scorer.scorer),
  };
}

/** The last line of each place, in order. Requests have no place. */
function countingLines(scores: readonly ScoreLine[]): readonly Exclude<ScoreLine, RequestLine>[] {
  const placed = scores.flatMap((line) => (isRequest(line) ? [] : [line]));
  const last = new Map(placed.map((line) => [placeOf(line), line]));
  return placed.filter((line) => last.get(placeOf(line)) === line);
}

interface ShardFile {
  readonly shard: string;
  readonly scorer: ScorerLine;
  readonly lines: readonly OutputScore[];
}

type ShardFiles = readonly [ShardFile, ...ShardFile[]];

function filesByScorer(shards: readonly ShardScores[]): readonly ShardFiles[] {
  const groups = new Map<string, ShardFiles>();
  for (const { shard, scores } of shards) {
    const counting = countingLines(scores);
    for (const scorer of counting) {
      if (scorer.line !== 'scorer' || scorer.declared.use !== 'file') continue;
      const lines = counting.flatMap((line) => (line.line !== 'scorer' && line.by === scorer.by ? [line] : []));
      const file = { shard, scorer, lines };
      const known = groups.get(scorer.scorer);
      groups.set(scorer.scorer, known === undefined ? [file] : [...known, file]);
    }
  }
  return [...groups.values()].filter((group) => new Set(group.map(({ scorer }) => scorer.by)).size > 1);
}

function sameDeclared([first, ...rest]: ShardFiles): boolean {
  const declared = canonicalJson(first.scorer.declared);
  return rest.every(({ scorer }) => canonicalJson(scorer.declared) === declared);
}

function unite(files: ShardFiles, prompts: Run['prompts']): readonly ScoreLine[] {
  const [first] = files;
  const digests = Object.fromEntries(
    files.flatMap(({ shard, scorer }) =>
      Object.entries(scorer.files).map(([name, sha256]) => [`${shard}/${name}`, sha256]),
    ),
  );
  const scorer: ScorerLine = { ...first.scorer, files: digests, by: byOf({ ...first.scorer, files: digests }) };
  const promptOf = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const lines = new Map(
    files.flatMap((file) =>
      file.lines.flatMap((line): readonly [string, OutputScore][] => {
        const prompt = promptOf.get(line.prompt);
        if (prompt === undefined) return [];
        const { by } = scorer;
        const key = scoreKey({ by, prompt, media: line.media, control: line.line === 'control' ? line.control : null });
        const merged = { ...line, by, key };
        return [[placeOf(merged), merged]];
      }),
    ),
  );
  return [...lines.values(), scorer];
}
