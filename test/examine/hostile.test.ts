import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../src/record/run.ts';
import { createRecord } from '../../src/record/store.ts';
import { outputFacts } from '../fixtures/found-facts.ts';
import { freshFolder } from '../fixtures/fresh-folder.ts';
import { type HostileFile, hostileFiles, loadedFiles } from '../fixtures/hostile-media.ts';
import { listening } from '../fixtures/listening.ts';
import { journalOf, onlyRun, retakeHere } from '../fixtures/retake-process.ts';
import { buildOk } from '../fixtures/stored-run-builder.ts';

/* What came back is hostile: nothing of it may cost more than its own sample. */

const BUILT = new URL('../../dist/examine/examine.js', import.meta.url).href;
const { examineRun }: typeof import('../../src/examine/examine.ts') = await import(BUILT);

/** A server that hands the files out by their number, and counts who asks for anything else. */
let served: { readonly url: string; readonly strangers: string[]; readonly close: () => Promise<void> };
let files: readonly HostileFile[];
const secret = join(freshFolder(), 'secret.txt');

beforeAll(async () => {
  writeFileSync(secret, 'the content of a file that nobody asked for');
  const strangers: string[] = [];
  const server = createServer((request, response) => {
    const file = files[Number(/^\/file\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN)];
    if (file === undefined) strangers.push(request.url ?? '');
    request.resume().on('end', () => {
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' });
      response.end(file?.bytes);
    });
  });
  const { url, close } = await listening(server);
  files = await hostileFiles({ path: secret, url: `${url}/elsewhere` });
  served = { url, strangers, close };
});
afterAll(() => served.close());

/** Largest resident memory so far of each child process, in MB, where /proc tells. */
function peaksOfChildren(): readonly number[] {
  const list = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(list)) return [];
  return readFileSync(list, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && existsSync(`/proc/${pid}/status`))
    .map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000);
}

/** What examination finds of these files, in their order, and the largest memory a child process took, in MB. */
async function examined(all: readonly HostileFile[]) {
  const run = { format: 1, id: 'run', suite: { name: 'hostile' } } as Run;
  const record = createRecord(freshFolder(), run);
  const samples = all.map(({ bytes }, at) => {
    const sample = buildOk(1, '', { trial: { seed: at + 1 } });
    if (sample.outcome !== 'ok') throw new Error('not ok');
    const sha256 = record.keepMedia(bytes, 'bin');
    return { ...sample, outputs: [{ ...sample.outputs[0], sha256, bytes: bytes.length }] as const };
  });
  record.close();
  let peakMb = 0;
  const { found, complete } = await examineRun(
    record.folder,
    { run: { variants: [] }, samples, facts: [] },
    {
      workers: 2,
      timeLimitMs: { image: 20_000, video: 20_000 },
      signal: new AbortController().signal,
      progress: () => {
        peakMb = Math.max(peakMb, ...peaksOfChildren());
      },
    },
  );
  const facts = new Map(outputFacts(found).map((fact) => [fact.sha256, fact]));
  return { complete, peakMb, facts: samples.map(({ outputs }) => facts.get(outputs[0].sha256)) };
}

describe('hostile media', () => {
  it('hostile media do not decode, each with its reason, in bounded memory and time', async () => {
    const { complete, peakMb, facts } = await examined(files);
    expect(complete).toBe(true);
    const decoding = files.filter((_, at) => facts[at]?.decodes !== false);
    expect(decoding.map(({ name }) => name)).toEqual([]);
    for (const fact of facts) {
      if (fact?.decodes === false) expect(fact.reason.code).toMatch(/^[a-z_]+$/);
      expect(JSON.stringify(fact)).not.toContain('nobody asked for');
    }
    // A process that has loaded its decoders takes about 150 MB.
    expect(peakMb).toBeLessThan(700);
    expect(served.strangers).toEqual([]);
  });

  it('hostile media that are sound show what they show, whatever they carry beside it', async () => {
    const loaded = await loadedFiles({ path: secret, url: `${served.url}/elsewhere` });
    const { complete, peakMb, facts } = await examined(loaded);
    expect(complete).toBe(true);
    for (const [at, { name, type }] of loaded.entries()) {
      const [width, height, frames] = type === 'video/mp4' ? [160, 90, 24] : [64, 48, 1];
      expect(facts[at], name).toMatchObject({ decodes: true, width, height, frames });
    }
    expect(peakMb).toBeLessThan(400);
    expect(served.strangers).toEqual([]);
  });

  it('hostile media cost one sample each of a run, and nothing else', async () => {
    const folder = freshFolder();
    writeFileSync(
      join(folder, 'target.yaml'),
      'target: 1\nid: own/hostile\nkind: text-to-image\nbase_url: ${env.SERVER}\nsubmit: { method: POST, path: "/file/${case.prompt}", encoding: json, body: { a: 1 } }\nresult: { from: body }\n',
    );
    // Every third: that each does not decode is tried above.
    const asked = [...files.keys()].filter((at) => at % 3 === 0);
    const prompts = asked.map((at) => `{ id: file-${at}, text: "${at}" }`).join(', ');
    writeFileSync(
      join(folder, 'suite.yaml'),
      `suite: 1\nname: hostile\nvariants: { one: { target: ./target.yaml } }\nprompts: [${prompts}]\nrepeats: 1\nload: { warmup: 0 }\nlimits: { failures: 100% }\nreports: [json, html]\n`,
    );
    const ended = await retakeHere(['run', 'suite.yaml'], folder, { SERVER: served.url });
    const run = onlyRun(join(folder, 'results'));
    const { samples } = journalOf(run);
    expect(samples).toHaveLength(asked.length);
    const analysis = JSON.parse(readFileSync(join(run, 'analysis.json'), 'utf8'));
    expect(analysis.variants[0].outcomes, ended.stderr).toEqual({ invalid_media: asked.length });
    // Nothing was delivered.
    expect(ended.code).toBe(3);
    expect(served.strangers).toEqual([]);
    expect(readFileSync(join(run, 'report.html'), 'utf8')).not.toContain('nobody asked for');
  });
});
