import { describe, expect, it, test } from 'vitest';
import { datedFindings } from '../../src/commands/measuring/check-targets.ts';
import { listTargets, loadTargetFile } from '../../src/run/declared-files.ts';
import { readModels } from '../../src/targets/models.ts';
import { targetWith } from './target-fixture.ts';

const modelsOf = (models: Readonly<Record<string, string>>) => {
  const target = targetWith({
    const: { model: 'a' },
    submit: { path: '/g', body: { prompt: '${case.prompt}', model: '${const.model}' } },
    models: { path: '/models', ...models },
  });
  if (target.models === undefined) throw new Error('no models');
  return target.models;
};

test.each<[Readonly<Record<string, string>>, unknown, Readonly<Record<string, string | null>>]>([
  [{ list: '$.data[*]' }, { data: [{ id: 'a' }, { id: 'b' }] }, { a: null, b: null }],
  [{ list: '$.data' }, { data: [{ id: 'a' }] }, { a: null }],
  [{ list: '$[*].id' }, [{ id: 'a' }, { id: 'b' }], { a: null, b: null }],
  [
    { list: '$.data', ends: 'end' },
    { data: [{ id: 'a', end: '2026-12-01' }, { id: 'b', end: null }, { id: 7 }, { id: 'c', end: 'soon' }, null] },
    { a: '2026-12-01', b: null, c: null },
  ],
  [
    { list: '$.models', id: 'name', prefix: 'models/' },
    { models: [{ name: 'models/a' }, { name: 'b' }] },
    { a: null, b: null },
  ],
  [{ list: '$.data' }, { error: 'no' }, {}],
])('a list of models by %j of %j', (keys, reply, expected) => {
  const found = readModels(modelsOf(keys), Buffer.from(JSON.stringify(reply)));
  expect(Object.fromEntries(found)).toEqual(expected);
});

describe('defaults of target files', () => {
  const dated = (id: string, seenOn: string, model: string) =>
    targetWith({
      id,
      const: { model },
      const_types: {
        model: { known: ['new', 'old'], retires: { old: { on: '2026-12-20', to: 'new' }, undated: { to: 'new' } } },
      },
      submit: { path: '/g', body: { prompt: '${case.prompt}', model: '${const.model}' } },
      seen: { on: seenOn, at: 'https://h.test/models' },
    });
  const files = [
    dated('test/old', '2026-11-20', 'old'),
    dated('test/new', '2026-09-01', 'new'),
    dated('test/undated', '2026-11-20', 'undated'),
  ];
  const UNDATED = 'test/undated: its default model undated is deprecated; use new';
  const AGED = 'test/new: its defaults were last found on 2026-09-01, in https://h.test/models';

  it.each<[string, readonly string[], readonly string[]]>([
    ['2026-11-19', [], [UNDATED]],
    ['2026-11-28', [], ['test/old: its default model old ends on 2026-12-20; use new', UNDATED]],
    ['2026-12-01', [], ['test/old: its default model old ends on 2026-12-20; use new', UNDATED, AGED]],
    ['2026-12-06', ['test/old: its default model old ends on 2026-12-20; use new'], [UNDATED, AGED]],
    ['2026-12-21', ['test/old: its default model old ended on 2026-12-20; use new'], [UNDATED, AGED]],
  ])('defaults fail from 14 days before they end: on %s', (today, ended, notes) => {
    expect(datedFindings(files, today)).toEqual({ ended, notes });
  });

  it('defaults of all presets had not ended when they were last read', async () => {
    const presets = await Promise.all(
      listTargets('/').map(({ path }) => loadTargetFile(path, { env: {}, cwd: '/', suiteFolder: '/' })),
    );
    const targets = presets.flatMap((preset) => (preset.ok ? [preset.value] : []));
    expect(targets).toHaveLength(presets.length);
    // A clone stays green however old it gets: the scheduled check has the day of today.
    const newest =
      targets
        .map(({ seen }) => seen?.on ?? '')
        .sort()
        .at(-1) ?? '';
    expect(datedFindings(targets, newest).ended).toEqual([]);
  });
});
