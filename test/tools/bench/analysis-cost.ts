import { METRICS } from '../../../src/analysis/metrics.ts';
import { findPairs } from '../../../src/analysis/pair-levels.ts';
import { assess } from '../../../src/gate/assess.ts';
import { html } from '../../../src/page/html.ts';
import { largeTelling, scriptedRun } from '../../fixtures/scripted-run.ts';
import type { Row } from './figures.ts';

/** How long a record of 10,000 samples takes to analyse and to show, and how large its page is. */
export function analysisRows(): readonly Row[] {
  const record = scriptedRun(largeTelling(10_000));
  const start = performance.now();
  const { analysed: found, ...compared } = assess(record, METRICS);
  const { analysis, samples } = found;
  const analysed = performance.now();
  const before = process.cpuUsage();
  let bytes = 0;
  for (const { content } of html.render({
    analysis,
    samples,
    ...compared,
    stability: [],
    pairs: findPairs(record.facts),
    keptFact: () => null,
    thumbnail: () => null,
    isBeside: () => false,
    smallThumbnail: () => null,
    copy: () => null,
    preview: () => null,
    heatMap: () => null,
  })) {
    for (const piece of content as Iterable<string>) bytes += Buffer.byteLength(piece);
  }
  const { user, system } = process.cpuUsage(before);
  return [
    {
      what: 'analysis and comparison of 10,000 samples',
      measured: `${(analysed - start).toFixed(0)} ms`,
      bar: '<= 5000 ms',
    },
    {
      what: 'HTML of 10,000 samples, without thumbnails',
      measured: `${((user + system) / 1000).toFixed(0)} ms of this process, ${(bytes / 1e6).toFixed(1)} MB`,
      bar: '<= 2000 ms, <= 5 MB',
    },
  ];
}
