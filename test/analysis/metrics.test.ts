import { METRICS } from '../../src/analysis/metrics.ts';
import { metricContract } from '../contracts/metric.ts';

// That the list is whole, the table of results/README.md says: test/report/documented-codes.test.ts.
for (const metric of METRICS) metricContract(metric);
