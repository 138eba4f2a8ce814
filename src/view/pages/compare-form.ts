import { html, type Markup } from '../../report/html/markup/markup.ts';
import { COMPARE_ADDRESS, keyOf, type RunPlace } from './addresses.ts';

/** Chooses two runs to compare. */
export function compareForm(choices: readonly RunPlace[], chosen: { readonly a: string; readonly b: string }): Markup {
  return html`<form class="choice" action="${COMPARE_ADDRESS}" method="get">
${select('a', 'Earlier run', choices, chosen.a)}${select('b', 'Later run', choices, chosen.b)}<button>Compare</button>
</form>
`;
}

function select(name: string, label: string, choices: readonly RunPlace[], chosen: string): Markup {
  const isOneSuite = new Set(choices.map(({ suite }) => suite)).size < 2;
  const isListed = choices.some((choice) => keyOf(choice) === chosen);
  return html`<label>${label}<select name="${name}">${
    !isListed && html`<option selected value="${chosen}">${chosen}</option>`
  }${choices.map(
    (choice) =>
      html`<option value="${keyOf(choice)}"${keyOf(choice) === chosen && html` selected`}>${isOneSuite ? choice.run : keyOf(choice)}</option>`,
  )}</select></label>
`;
}
