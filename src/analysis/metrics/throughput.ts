import { throughputFindings } from '../measures/throughput-findings.ts';
import { gatedFindings, type Metric } from '../metric.ts';

export const throughput: Metric = {
  name: 'throughput',
  meaning:
    'Delivered assets per second while all slots are full: from the first completion with all slots in use to the last start of a slice; a call counts by the share of its time in that window. The drain of a slice is left out. If slices are too short, there are two bounds. At concurrency 1: delivered assets / sum of all durations. Open load: assets done by the last due time, per second since the first.',
  unit: '1/s',
  better: 'higher',
  whenCached: 'with_repeats',
  gate: { statistics: gatedFindings('rate'), madeOf: 'completions' },
  measure: (subject) => throughputFindings(subject, ({ outcome }) => outcome === 'ok'),
};
