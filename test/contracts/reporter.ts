import { beforeAll, describe, expect, it } from 'vitest';
import type { Reporter, ReportFile, ReportSource } from '../../src/report/reporter.ts';
import { FILES_OF_FORMAT } from '../../src/suite/report-format.ts';
import { reported, sketched } from '../fixtures/report-source.ts';
import { lateRun, openRun, sweepRun } from '../fixtures/scripted-load.ts';
import { ATTACKED, FILMED, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';

/** A report file's whole text. */
async function textOf(file: ReportFile): Promise<string> {
  let text = '';
  for await (const piece of file.content) text += piece;
  return text;
}

/** Every file of a report by name. */
export async function rendered(reporter: Reporter, source: ReportSource): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const file of reporter.render(source)) files.set(file.name, await textOf(file));
  return files;
}

/** What every reporter keeps, whatever it writes. */
export function keepsTheReporterContract(reporter: Reporter): void {
  describe(`as a reporter (${reporter.format})`, () => {
    const sources = new Map<string, ReportSource>();
    beforeAll(() => {
      sources.set('an ordinary run', sketched(scriptedRun(ORDINARY)));
      sources.set('a run of videos', sketched(scriptedRun(FILMED)));
      sources.set('open load', sketched(openRun()));
      sources.set('a sweep', sketched(sweepRun()));
      sources.set('a late machine', reported(lateRun()));
      sources.set('hostile text', sketched(scriptedRun(ATTACKED)));
      sources.set('a run that sent nothing', reported(unsentRun(ORDINARY)));
    });
    const sourceOf = (name: string): ReportSource => {
      const source = sources.get(name);
      if (source === undefined) throw new Error(`no source named ${name}`);
      return source;
    };
    const first = new Map<string, Promise<ReadonlyMap<string, string>>>();
    /** The files of a source, rendered once for all tests that read them. */
    const filesOf = (name: string): Promise<ReadonlyMap<string, string>> => {
      const files = first.get(name) ?? rendered(reporter, sourceOf(name));
      first.set(name, files);
      return files;
    };
    const names = [
      'an ordinary run',
      'a run of videos',
      'open load',
      'a sweep',
      'a late machine',
      'hostile text',
      'a run that sent nothing',
    ];

    it(`${reporter.format} says what it is for`, () => {
      expect(reporter.description).toMatch(/^[a-z].*[^.]$/);
    });

    it.each(names)(`${reporter.format} writes the files that it declares, plain names, each once: %s`, (name) => {
      const files = reporter.render(sourceOf(name)).map((file) => file.name);
      expect(files).toEqual(FILES_OF_FORMAT[reporter.format]);
      expect(files.length).toBeGreaterThan(0);
      expect(new Set(files).size).toBe(files.length);
      for (const file of files) expect(file).toMatch(/^[a-z-]+(\.[a-z]+)?\.[a-z]+$/);
    });

    it.each(names)(`${reporter.format} gives the same bytes for the same record: %s`, async (name) => {
      const source = sourceOf(name);
      const again = { ...source, analysis: structuredClone(source.analysis), samples: structuredClone(source.samples) };
      expect(await rendered(reporter, again)).toEqual(await filesOf(name));
    });

    it(`${reporter.format} can be read twice`, async () => {
      for (const file of reporter.render(sourceOf('an ordinary run'))) {
        expect(await textOf(file)).toBe(await textOf(file));
      }
    });

    it.each(names)(`${reporter.format} never prints a value that is not a number: %s`, async (name) => {
      for (const text of (await filesOf(name)).values()) {
        expect(text).not.toMatch(/\b(NaN|undefined|Infinity|\[object)\b/);
        expect(text.length).toBeGreaterThan(0);
      }
    });

    it(`${reporter.format} ends each file with a line feed and writes no other line end`, async () => {
      for (const text of (await filesOf('an ordinary run')).values()) {
        expect(text.endsWith('\n')).toBe(true);
        expect(text).not.toContain('\r');
      }
    });

    it(`${reporter.format} does not change what it was given`, async () => {
      const source = sourceOf('an ordinary run');
      const before = JSON.stringify([source.analysis, source.samples]);
      await rendered(reporter, source);
      expect(JSON.stringify([source.analysis, source.samples])).toBe(before);
    });
  });
}
