import { CSS as BASE } from './style/base-css.ts';
import { CSS as DIALOG } from './style/dialog-css.ts';
import { CSS as HISTORY } from './style/history-css.ts';
import { CSS as OUTCOME } from './style/outcome-css.ts';
import { CSS as PICK } from './style/pick-css.ts';
import { CSS as REPORT } from './style/report-css.ts';
import { CSS as SCREENS } from './style/screens-css.ts';
import { CSS as SHEET } from './style/sheet-css.ts';
import { CSS as STRIP } from './style/strip-css.ts';

/** For every page: colours, text, layout, tables and charts. */
export const BASE_STYLE = BASE + SCREENS;

export const STYLE = BASE_STYLE + PICK + SHEET + DIALOG + STRIP + OUTCOME + REPORT;

export const HISTORY_STYLE = BASE + HISTORY + SCREENS;

/** For pages beside reports that show outputs as reports do. */
export const OUTPUTS_STYLE = BASE_STYLE + OUTCOME + PICK + DIALOG;
