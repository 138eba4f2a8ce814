import { lineState } from '../../../gate/run-state.ts';
import { html, type Markup } from '../../../markup/markup.ts';
import { COMPARE_ADDRESS, keyOf, type RunPlace } from '../../addresses.ts';
import type { KnownLine } from '../../results/suite-history.ts';

export interface RunChoice extends RunPlace {
  /** Null if the history of its suite has none. */
  readonly line: Pick<KnownLine, 'complete' | 'verdict' | 'notJudged' | 'label'> | null;
  readonly isBaseline: boolean;
}

/** Runs of one suite stand together. */
export function compareForm(choices: readonly RunChoice[], chosen: { readonly a: string; readonly b: string }): Markup {
  return html`<form class="choice" action="${COMPARE_ADDRESS}" method="get">
${select('a', 'Earlier run', choices, chosen.a)}${select('b', 'Later run', choices, chosen.b)}<button>Compare</button>
</form>
`;
}

function select(name: string, label: string, choices: readonly RunChoice[], chosen: string): Markup {
  const isListed = choices.some((choice) => keyOf(choice) === chosen);
  const suites = [...new Set(choices.map(({ suite }) => suite))];
  const optionsOf = (suite: string) =>
    choices.filter((choice) => choice.suite === suite).map((choice) => option(choice, chosen, suites.length > 1));
  return html`<label>${label}<select name="${name}">${!isListed && html`<option selected value="${chosen}">${chosen}</option>`}${
    suites.length === 1
      ? suites.map(optionsOf)
      : suites.map((suite) => html`<optgroup label="${suite}">${optionsOf(suite)}</optgroup>`)
  }</select></label>
`;
}

function option(choice: RunChoice, chosen: string, saysSuite: boolean): Markup {
  const { suite, run, line, isBaseline } = choice;
  const key = keyOf(choice);
  const words = [
    ...(saysSuite ? [suite] : []),
    ...(line?.label === undefined ? [] : [line.label]),
    run,
    ...(isBaseline ? ['stored baseline'] : []),
    ...(line === null || line.verdict === 'none' ? [] : [lineState(line).words.toLowerCase()]),
  ];
  return html`<option value="${key}"${key === chosen && html` selected`}>${words.join(', ')}</option>`;
}

/** The latest two of a suite, else of any; null of fewer than two. */
export function firstChoice(choices: readonly RunPlace[]): { readonly a: string; readonly b: string } | null {
  const suite = choices.find((choice, at) => choices.findIndex((other) => other.suite === choice.suite) < at)?.suite;
  const [latest, before] = suite === undefined ? choices : choices.filter((choice) => choice.suite === suite);
  return latest === undefined || before === undefined ? null : { a: keyOf(before), b: keyOf(latest) };
}
