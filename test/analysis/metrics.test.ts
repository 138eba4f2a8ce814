import { METRICS } from '../../src/analysis/metrics.ts';
import { metricsContract } from '../contracts/metric.ts';
import { SCORE_METRICS } from '../fixtures/scored-run.ts';

// That the list is whole, the table of results/README.md says: test/report/documented-codes.test.ts.
metricsContract([...METRICS, ...SCORE_METRICS]);
