import { METRICS } from '../../src/analysis/metrics.ts';
import { metricsContract } from '../contracts/metric.ts';

// That the list is whole, the table of results/README.md says: test/report/documented-codes.test.ts.
metricsContract(METRICS);
