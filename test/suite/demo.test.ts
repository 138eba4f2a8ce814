import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { accepted } from '../../src/kit/diagnostic.ts';
import { prepareSuite } from '../../src/run/prepare-suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function prepared(file: string) {
  return accepted(await prepareSuite(`suites/${file}`, { env: {}, cwd: root }));
}

/** The variants by kind, the baseline marked, and the prompts that go to them. */
async function asked(file: string): Promise<Record<string, readonly [variants: string, prompts: string]>> {
  const { suite, variants } = await prepared(file);
  return Object.fromEntries(
    [...new Set(variants.map(({ kind }) => kind))].map((kind) => {
      const own = variants.filter((variant) => variant.kind === kind);
      const cases = suite.cases.filter(({ kinds }) => kinds.includes(kind));
      const names = own.map(({ name, baseline }) => (baseline ? `${name}*` : name));
      return [kind, [names.join(' '), cases.map(({ id }) => id).join(' ')]];
    }),
  );
}

describe('the suites that come with Retake', () => {
  test('demo.yaml asks every kind of all variants that the reference service has of it', async () => {
    expect(await asked('demo.yaml')).toEqual({
      'text-to-image': ['standard* fast fast-lcm', 'lighthouse fox boat cat'],
      'anime-image': ['anime-standard* anime-fast anime-fast-lcm', 'lighthouse fox boat cat'],
      'text-to-video': ['video-standard* video-fast video-fast-lcm', 'lighthouse fox'],
      'image-to-video': ['animate-standard* animate-fast-lcm', 'fox-looks-up lamp-turns'],
    });
    const { plan, suite } = await prepared('demo.yaml');
    expect([plan.requests, suite.load.concurrency, suite.reports]).toEqual([215, 1, ['csv', 'html', 'json']]);
  });

  test.each([
    ['hosted.example.yaml', 'VYRO_API_KEY', 'https://api.vyro.ai'],
    ['openrouter.example.yaml', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'],
  ])('%s needs one key, and stays below its own limit of requests', async (file, key, url) => {
    const { suite, variants, plan } = await prepared(file);
    expect([...new Set(variants.flatMap(({ target }) => target.secrets))]).toEqual([key]);
    expect(new Set(variants.map(({ baseUrl }) => baseUrl))).toEqual(new Set([url]));
    expect(plan.requests).toBeLessThanOrEqual(suite.limits.requests ?? 0);
  });

  test.each([
    ['text-to-image.yaml', 'text-to-image', 'standard* fast fast-lcm'],
    ['anime.yaml', 'anime-image', 'standard* fast fast-lcm'],
    ['text-to-video.yaml', 'text-to-video', 'standard* fast fast-lcm'],
    ['image-to-video.yaml', 'image-to-video', 'standard* fast-lcm'],
    ['image-edit.yaml', 'image-edit', 'standard* fast fast-lcm'],
  ])('the suite %s stands alone, for one kind', async (file, kind, variants) => {
    const kinds = await asked(file);
    expect(Object.keys(kinds)).toEqual([kind]);
    expect(kinds[kind]?.[0]).toBe(variants);
  });
});
