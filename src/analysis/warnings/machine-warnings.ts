import type { WarningRule } from './evidence.ts';

/** What the calibration before the first request found against the machine; nothing where there was none. */
export const unfitMachine: WarningRule = ({ run: { calibration } }) =>
  (calibration?.unfit ?? []).map((reason) => ({ code: 'unfit_machine', reason }));
