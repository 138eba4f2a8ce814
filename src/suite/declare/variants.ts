import { type Checked, type Diagnostic, formatPlace, type Source } from '../../kit/diagnostic.ts';
import { type Document, diagnoseAt, type Path, sourceAt } from '../../kit/document.ts';
import { isList, type Json, type JsonObject } from '../../kit/json.ts';
import type { LevelLimits } from '../../media/difference.ts';
import { DEFAULT_LIMITS } from '../../media/level.ts';
import type { SuiteFile } from '../format/schema.ts';
import type { DeclaredOrigins, DeclaredVariant } from '../suite.ts';
import { sourcesOf } from './prompts.ts';

type DeclaredLevels = SuiteFile['levels'];

/** Limits of levels. `over` has those that are not declared: the suite's for a variant, the defaults for a suite. */
export function declareLevels(declared: DeclaredLevels, over: LevelLimits = DEFAULT_LIMITS): LevelLimits {
  const { near = {}, similar = {}, related = {} } = declared ?? {};
  return {
    near: { maxDifference: near.max_difference ?? over.near.maxDifference, psnrDb: near.psnr ?? over.near.psnrDb },
    similar: {
      ssim: similar.ssim ?? over.similar.ssim,
      chroma: similar.chroma ?? over.similar.chroma,
      pdqDistance: similar.pdq ?? over.similar.pdqDistance,
    },
    related: { pdqDistance: related.pdq ?? over.related.pdqDistance },
  };
}

/** Refuses limits that contradict each other: similar outputs could then differ more than related ones. */
export function refuseLevels(
  document: Document,
  { levels, variants }: Pick<SuiteFile, 'levels' | 'variants'>,
): readonly Diagnostic[] {
  const ofSuite = declareLevels(levels);
  return [
    ...refuseAt(document, ['levels'], levels, ofSuite),
    ...Object.entries(variants).flatMap(([name, variant]) =>
      refuseAt(document, ['variants', name, 'levels'], variant.levels, declareLevels(variant.levels, ofSuite)),
    ),
  ];
}

function refuseAt(
  document: Document,
  path: Path,
  declared: DeclaredLevels,
  { similar: { pdqDistance: similar }, related: { pdqDistance: related } }: LevelLimits,
): readonly Diagnostic[] {
  if (similar <= related) return [];
  const cause = `similar.pdq (${similar}) is above related.pdq (${related})`;
  if (declared?.similar?.pdq !== undefined) {
    const remedy = `write similar.pdq of at most ${related}, or raise related.pdq`;
    return [diagnoseAt(document, [...path, 'similar', 'pdq'], { cause, remedy })];
  }
  if (declared?.related?.pdq === undefined) return [];
  const remedy = `write related.pdq of at least ${similar}, or lower similar.pdq`;
  return [diagnoseAt(document, [...path, 'related', 'pdq'], { cause, remedy })];
}

type DeclaredEntry = SuiteFile['variants'][string];

/** As in the schema for names that are written out. */
const NAME_LENGTH = 100;
/** Longer texts are named by their place in the list. */
const LONGEST_WORD = 40;
const MOST_COMBINATIONS = 1000;

/**
 * The variants of a suite in declared order. A `matrix` gives one for each combination, the last list varying fastest,
 * named as `flux-steps-4`, or `flux-size-no2` for a value that cannot be in a name. The first one of a baseline entry
 * is the baseline. `levels` are the suite's.
 */
export function declareVariants(
  document: Document,
  variants: SuiteFile['variants'],
  levels: LevelLimits,
): Checked<readonly DeclaredVariant[]> {
  const diagnostics: Diagnostic[] = [];
  const taken = new Map<string, DeclaredVariant>();
  const declared = Object.entries(variants).flatMap(([entry, one]) => {
    const refused = refuseMatrix(document, entry, one);
    diagnostics.push(...refused);
    return refused.length > 0 ? [] : combinations(one.matrix ?? {}).map(nameCombination(document, entry, one, levels));
  });
  for (const variant of declared) {
    const { name, place } = variant;
    const other = taken.get(name);
    taken.set(name, variant);
    if (name.length > NAME_LENGTH) {
      const cause = `the variant name "${name}" is longer than ${NAME_LENGTH} characters`;
      diagnostics.push({ place, cause, remedy: 'shorten its name' });
    } else if (other !== undefined) {
      const cause = `the variant name "${name}" is already used at ${formatPlace(other.place)}`;
      diagnostics.push({ place, cause, remedy: 'rename the entry, or write its variants out' });
    }
  }
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, value: declared };
}

interface Setting {
  readonly key: string;
  readonly value: Json;
  readonly at: number;
}

function refuseMatrix(
  document: Document,
  entry: string,
  { const: constants, matrix = {} }: DeclaredEntry,
): Diagnostic[] {
  const at = ['variants', entry, 'matrix'];
  const count = Object.values(matrix).reduce((product, values) => product * values.length, 1);
  if (count > MOST_COMBINATIONS) {
    const cause = `the matrix has ${count} combinations, more than ${MOST_COMBINATIONS}`;
    return [diagnoseAt(document, at, { cause, remedy: 'use fewer values' }, 'key')];
  }
  return Object.keys(matrix).flatMap((key) => {
    if (!Object.hasOwn(constants, key)) return [];
    const cause = `"${key}" is both in const and in matrix`;
    return [diagnoseAt(document, [...at, key], { cause, remedy: 'remove one of them' }, 'key')];
  });
}

function combinations(matrix: Readonly<Record<string, readonly Json[]>>): readonly (readonly Setting[])[] {
  return Object.entries(matrix).reduce<readonly (readonly Setting[])[]>(
    (sets, [key, values]) =>
      sets.flatMap((set) => values.map((value, index) => [...set, { key, value, at: index + 1 }])),
    [[]],
  );
}

function nameCombination(document: Document, entry: string, one: DeclaredEntry, levels: LevelLimits) {
  const sourceOf = (...path: Path): Source => sourceAt(document, ['variants', entry, ...path]);
  const place = document.placeOf(['variants', entry], 'key');
  const { target, const: constants, baseline, optional, price = null, base_url: baseUrl, origins } = one;
  const variable = document.filledAt(['variants', entry, 'base_url'])?.first ?? null;
  const written = sourcesOf(constants, (key) => sourceOf('const', key));
  return (settings: readonly Setting[], index: number): DeclaredVariant => {
    const chosen: JsonObject = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
    const ofChosen = settings.map(({ key, at }) => [key, sourceOf('matrix', key, at - 1)] as const);
    return {
      name: [entry, ...settings.map(({ key, value, at }) => `${word(key)}-${valueWord(value) ?? `no${at}`}`)].join('-'),
      target,
      targetSource: sourceOf('target'),
      place,
      constants: { ...constants, ...chosen },
      constantSources: { ...written, ...Object.fromEntries(ofChosen) },
      baseline: baseline && index === 0,
      optional,
      price,
      baseUrl: baseUrl === undefined ? null : { text: baseUrl, source: sourceOf('base_url'), variable },
      ...(origins === undefined ? {} : { origins: declareOrigins(origins, sourceOf) }),
      levels: declareLevels(one.levels, levels),
    };
  };
}

function declareOrigins(
  { download = [], allow_private: allowPrivate = false }: NonNullable<DeclaredEntry['origins']>,
  sourceOf: (...path: Path) => Source,
): DeclaredOrigins {
  return {
    download: download.map((text, at) => ({ text, source: sourceOf('origins', 'download', at) })),
    allowPrivate,
  };
}

/** Part of a name; null if empty or too long. A null value gives none, a list of one its item. */
function valueWord(value: Json): string | null {
  if (value === null) return 'none';
  if (isList(value) && value.length === 1) return valueWord(value[0] ?? null);
  if (typeof value === 'object') return null;
  const text = word(String(value));
  return text === '' || text.length > LONGEST_WORD ? null : text;
}

/** Letters, digits, dots, underscores and hyphens; "-" replaces all others. */
function word(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-(?=\D|$)|-$/g, '');
}
