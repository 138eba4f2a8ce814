import { REPORTERS } from '../../src/commands/display/reporters.ts';
import { keepsTheReporterContract } from '../contracts/reporter.ts';

for (const reporter of REPORTERS) keepsTheReporterContract(reporter);
