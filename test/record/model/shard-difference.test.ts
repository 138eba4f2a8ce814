import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/kit/json.ts';
import { type Run, type ShardIdentity, shardDifferenceSchema, shardIdentitySchema } from '../../../src/record/run.ts';
import { describeDifference, differenceOf, identityOf } from '../../../src/record/shard-identity.ts';
import { buildStoredRun } from '../../fixtures/stored-run-builder.ts';

const { run: RUN } = buildStoredRun({ samples: [] });
const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];

function identityWith(run: Partial<Run>): ShardIdentity {
  return identityOf({ ...RUN, ...run });
}

const digest = fc.constantFrom(A, B);
const named = (kind: string, names: readonly string[], value: fc.Arbitrary<string>) =>
  fc
    .dictionary(fc.constantFrom(...names), value)
    .map((each) => Object.fromEntries(Object.entries(each).map(([name, of]) => [`${kind}:${name}`, of])));
const identity = fc
  .tuple(
    fc.record({
      version: fc.constantFrom('0.1.0', '0.2.0'),
      suite: digest,
      against: fc.option(digest),
      plan: digest,
      vantage: fc.option(fc.constantFrom('eu', 'us')),
    }),
    named('target', ['t', 'u', 'toString'], digest),
    named('variable', ['KEY', 'URL', 'constructor'], digest),
    named('left_out', ['v', 'w'], fc.constantFrom('no_video_package', 'no_video_encoder')),
  )
  .map((parts): ShardIdentity => Object.assign({}, ...parts));

describe('the identity of shards', () => {
  it('an identity is what its schema says, and survives JSON', () => {
    const found = identityWith({ vantage: 'eu' });
    expect(shardIdentitySchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
    expect(identityWith({})).toEqual({ ...found, vantage: null });
  });

  it('a shard has the identity of its whole run', () => {
    const whole = { plan: RUN.plan, limits: RUN.limits, plannedTrials: {} };
    const plan = { ...RUN.plan, requests: 1 };
    expect(identityWith({ plan, shard: { run: 'r', index: 1, of: 2, whole } })).toEqual(identityWith({}));
  });

  it('the environment is that of the suite, its targets and the stored baseline', () => {
    const [target] = RUN.targets;
    if (target === undefined) throw new Error('a run without a target');
    const against = {
      run: 'kept',
      createdAt: RUN.createdAt,
      digest: A,
      environment: { OLD: A, BOTH: A },
      changedEnvironment: [],
      missing: [],
    };
    const found = identityWith({
      against,
      targets: [{ ...target, environment: { BOTH: B, OF_TARGET: B } }],
      suite: { ...RUN.suite, environment: { OF_SUITE: C } },
    });
    const variables = Object.entries(found).filter(([key]) => key.startsWith('variable:'));
    expect(Object.fromEntries(variables)).toEqual({
      'variable:OLD': A,
      'variable:BOTH': B,
      'variable:OF_TARGET': B,
      'variable:OF_SUITE': C,
    });
  });

  it('two identities differ exactly where they are not equal, and the difference is plain data', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const difference = differenceOf(a, b);
        expect(differenceOf(a, structuredClone(a))).toBeNull();
        expect(difference === null).toBe(canonicalJson(a) === canonicalJson(b));
        if (difference === null) return;
        expect(shardDifferenceSchema.parse(JSON.parse(JSON.stringify(difference)))).toEqual(difference);
      }),
    );
  });

  it('a vantage, which may cause other differences, is named before them', () => {
    const eu = identityWith({ vantage: 'eu' });
    const us = { ...identityWith({ vantage: 'us' }), 'variable:URL': A, plan: B };
    expect(differenceOf(eu, us)).toEqual({ code: 'vantage', names: [], values: ['eu', 'us'] });
    expect(differenceOf(eu, { ...us, version: '9.9.9' })).toMatchObject({ code: 'version' });
    expect(differenceOf({ ...us, vantage: 'eu' }, eu)).toEqual({ code: 'variable', names: ['URL'], values: [A, null] });
  });

  it('targets that differ are all named', () => {
    const [a, b] = [identityWith({}), identityWith({})];
    const difference = differenceOf({ ...a, 'target:t': A, 'target:u': A }, { ...b, 'target:t': B });
    expect(difference).toMatchObject({ code: 'target', names: ['t', 'u'] });
    expect(difference === null ? [] : describeDifference(difference)).toContain('have different targets: t and u');
  });
});
