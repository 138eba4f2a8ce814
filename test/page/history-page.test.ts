import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { dotsIn } from '../fixtures/drawn-marks.ts';
import { nightLine, twoVariants } from '../fixtures/history-lines.ts';
import { historyPageOf, NIGHTS } from '../fixtures/rendered-page.ts';

function read(text: string) {
  const { document } = parseHTML(text);
  const all = (selector: string): readonly string[] =>
    [...document.querySelectorAll(selector)].map((node) => (node.textContent ?? '').replace(/\s+/g, ' ').trim());
  return { document, all, count: (selector: string) => document.querySelectorAll(selector).length };
}

describe('history.html', () => {
  it('history.html says what changed, with which run, and what is left out', () => {
    const { all } = read(historyPageOf(NIGHTS));
    const [change] = all('#overview .results li');
    expect(change).toMatch(/^Worse latency\.total of fast rose to 1\.\d\dx .* with run night-10, the 11th of 14\.$/);
    expect(all('#overview summary')).toEqual(['1 change of other metrics']);
    expect(all('#overview .note')).toEqual(['Left out of fast: 1 incomplete run (night-14).']);
  });

  it('history.html begins with one sentence on all runs, and compares the last run with the one before from the second on', () => {
    const { all } = read(historyPageOf(NIGHTS));
    expect(all('#overview > p:first-of-type')).toEqual([
      'Last run night-14: Incomplete. 15 runs of 2 variants, 1 incomplete; gate: 13 passed, 1 failed (night-10), 1 not decided.',
    ]);
    const cells = (nights: number) =>
      read(historyPageOf(NIGHTS.slice(0, nights))).all('#last + table tbody tr:first-child td');
    expect(cells(1)).toEqual(['latency.total, mean', expect.stringMatching(/ m?s$/), '–', '1']);
    expect(cells(2)[2]).toMatch(/^\d\.\d\dx$/);
    expect(cells(14)).toHaveLength(7);
  });

  it('history.html marks a scale that does not begin at 0, and each dot says its run, and leads to its report', () => {
    const text = historyPageOf(NIGHTS.slice(0, 3), (run) => (run === 'night-1' ? 'night-1/report.html' : null));
    const { document, all } = read(text);
    const [latency, errors] = [...document.querySelectorAll('.variant:last-child .chart > svg')];
    expect(latency?.innerHTML).toContain('M37 4L41 -4');
    expect(errors?.innerHTML).not.toContain('M37 4L41 -4');
    expect(all('.variant:last-child .chart > svg:nth-of-type(1) title')).toHaveLength(3);
    const link = latency?.querySelector('a');
    expect([link?.getAttribute('href'), link?.textContent]).toEqual([
      'night-1/report.html',
      expect.stringMatching(/^night-1: [\d.]+ m?s$/),
    ]);
  });

  it('history.html draws each variant, and names the drawing', () => {
    const { document } = read(historyPageOf(NIGHTS));
    const [standard, fast] = [...document.querySelectorAll('.variant')];
    const figure = fast?.querySelector('.chart');
    expect(figure?.getAttribute('role')).toBe('figure');
    expect(figure?.getAttribute('aria-label')).toBe(
      'fast: latency.total, error_rate of 14 runs; the numbers are in the file of retake history --csv FILE',
    );
    expect(figure?.textContent).toMatch(/1\.\d\dx/);
    expect(standard?.querySelectorAll('details').length).toBe(0);
    expect(fast?.querySelectorAll('details').length).toBe(1);
  });

  it('history.html shades what is usual of each run that has a base, and says what the band is', () => {
    const bands = (nights: number) => {
      const page = read(historyPageOf(twoVariants(nights, Infinity)));
      const paths = page.document.querySelectorAll('.variant:last-child .chart path[fill-opacity="0.12"]');
      const [note = ''] = page.all('#text-to-image > .note');
      return { outlines: [...paths].map((path) => path.getAttribute('d') ?? ''), note };
    };
    const few = bands(9);
    expect(few.outlines).toEqual([]);
    expect(few.note).toContain('from the 10th comparable run on');
    const { outlines, note } = bands(14);
    expect(note).toMatch(/^Shaded: where a run lies in 98 of 100 cases/);
    // Five runs of one series, each with an upper and a lower edge.
    expect(outlines.map((outline) => outline.match(/[ML]/g)?.length)).toEqual([20]);
  });

  it('history.html says the time of runs that share a day with the tick before', () => {
    const startedAt = (night: number) => `2026-01-0${night < 7 ? 1 : 2}T${String(night).padStart(2, '0')}:30:00.000Z`;
    const lines = twoVariants(12, Infinity).map((line, night) => ({ ...line, startedAt: startedAt(night) }));
    const ticks = read(historyPageOf(lines))
      .all('.variant:last-child .chart text')
      .filter((text) => /^\d[\d-]+([\d -]+)?:\d\d$/.test(text));
    expect(ticks).toEqual(['01-01 00:30', '02:30', '04:30', '06:30', '01-02 08:30', '10:30']);
  });

  it('history.html prints every latency of a series in one unit, above a second and below', () => {
    const { all } = read(historyPageOf(NIGHTS));
    const last = all('#overview tbody tr').filter((row) => row.startsWith('fastlatency.total'));
    expect(last.join()).toMatch(/ s.* s/);
    expect(last.join()).not.toContain(' ms');
  });

  it('history.html lists every run with its verdict, the latest first, and links to the reports that are there', () => {
    const text = historyPageOf(NIGHTS, (run) => (run === 'night-10' ? 'night-10/report.html' : null));
    const { all, document } = read(text);
    const rows = all('#runs tbody tr');
    expect(rows).toHaveLength(15);
    expect(rows[0]).toMatch(/^night-14 ?2026-01-15 00:00 UTC ?Incomplete$/);
    expect(rows[4]).toMatch(/^night-10 ?2026-01-11 00:00 UTC ?Gate failed$/);
    const links = [...document.querySelectorAll('#runs a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['night-10/report.html']);
  });

  it('history.html has its sections in the table of contents, one for each kind', () => {
    const { document } = read(historyPageOf(NIGHTS));
    const sections = [...document.querySelectorAll('main > section')].map(({ id }) => id);
    expect(sections).toEqual(['overview', 'text-to-image', 'runs', 'method']);
    const links = [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(sections.map((id) => `#${id}`));
  });

  it('history.html has a policy that allows its style sheet, its script, images in the page, and nothing else', () => {
    const { document } = read(historyPageOf(NIGHTS));
    const [style, script] = ['style', 'script'].map((name) => {
      const text = document.querySelector(name)?.textContent ?? '';
      return createHash('sha256').update(text).digest('base64');
    });
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${style}'; script-src 'sha256-${script}'; base-uri 'none'; form-action 'none'`,
    );
    expect(document.querySelectorAll('script').length).toBe(1);
    expect(document.querySelector('link[rel=icon]')?.getAttribute('href')).toBe('data:,');
  });

  it('history.html is the same for the same history, whatever the order of its lines', () => {
    expect(historyPageOf(NIGHTS.toReversed())).toBe(historyPageOf(NIGHTS));
  });

  it('history.html shows hostile names as text', () => {
    const hostile = '<script>alert(1)</script>';
    const text = historyPageOf([nightLine(0, { [hostile]: { cellsMs: [1] } }, { run: '"><img src=x>' })]);
    expect(read(text).count('main script, img')).toBe(0);
    expect(text).toContain('&lt;script&gt;');
  });

  it('history.html of runs without a series says why', () => {
    const { all } = read(historyPageOf(twoVariants(2, Infinity).map((line) => ({ ...line, complete: false }))));
    expect(all('#overview .empty')).toEqual([
      'No complete run has a value that can be followed; a sweep never has one.',
    ]);
    expect(all('.variant .empty')).toHaveLength(2);
  });

  it('history.html of a year of nights stays below 2 MB, and draws lines without a dot for each run', () => {
    const text = historyPageOf(twoVariants(365, 300));
    expect(text.length).toBeLessThan(2_000_000);
    expect(dotsIn(read(text).document.querySelector('.variant .chart')).length).toBeLessThan(10);
    expect(text).toContain('run night-300, the 301st of 365');
  });
});
