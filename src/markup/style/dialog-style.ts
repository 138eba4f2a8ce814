import { HEAT_COLOURS } from '../../media/heat-scale.ts';

const RAMP = HEAT_COLOURS.map((colour) => `rgb(${colour.join(' ')})`).join(', ');

export const DIALOG_STYLE = `
.filters { position: absolute; }
.stage > canvas { filter: url(#heat); }
.scale { display: flex; align-items: center; gap: 0.375rem; color: var(--muted); }
.scale i { width: 9rem; height: 0.75rem; border-radius: 2px; background: linear-gradient(to right, ${RAMP}); forced-color-adjust: none; }
.turn { flex: none; display: flex; align-items: center; gap: 0.25rem; margin-left: auto; }
.turn output { min-width: 4.5rem; text-align: center; }
.turn[hidden] { display: none; }
dialog { width: min(120rem, 100vw - 2rem); max-height: calc(100vh - 2rem); border: 0; border-radius: 8px; padding: 1rem 1.5rem 1.25rem; background: var(--page); color: var(--text); }
dialog { overscroll-behavior: contain; }
dialog#takes { width: fit-content; max-width: calc(100vw - 2rem); min-width: min(36rem, 100vw - 2rem); }
@media (forced-colors: active) {
  dialog { border: 2px solid; }
  .views input:checked + span { outline: 2px solid Highlight; }
}
dialog::backdrop { background: var(--veil); }
dialog header { display: flex; justify-content: space-between; align-items: start; gap: 1rem; margin-bottom: 0.75rem; }
dialog header > div { min-width: 0; }
dialog header > button { flex: none; }
dialog h2 { margin: 0; font-size: var(--head); }
dialog button, dialog select { font: inherit; font-size: var(--small); color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: 4px; padding: 0.1875rem 0.625rem; }
dialog button { cursor: pointer; }
dialog input[type=range] { accent-color: var(--accent); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; margin-bottom: 0.75rem; font-size: var(--small); }
.tools fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem; }
.views input { position: absolute; opacity: 0; pointer-events: none; }
.views label > span { display: block; padding: 0.1875rem 0.625rem; border: 1px solid var(--rule); border-radius: 4px; background: var(--raised); cursor: pointer; }
.views input:checked + span { border-color: var(--accent); background: var(--tint); color: var(--accent); font-weight: 600; }
.views input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
.zoom { display: flex; align-items: center; gap: 0.25rem; }
.zoom output { min-width: 3.5rem; text-align: center; }
.tool { display: none; align-items: center; gap: 0.5rem; }
#compare[data-view=slider] .tool.slider, #compare[data-view=difference] .tool.difference { display: flex; }
.stage { position: relative; overflow: hidden; width: 100%; max-height: 66vh; background: var(--raised); border-radius: 3px; touch-action: manipulation; }
.stage.movable { cursor: grab; touch-action: none; }
.stage > img, .stage > video, .stage > canvas { position: absolute; max-width: none; user-select: none; }
.stage > img { background: repeating-conic-gradient(#fff 0 25%, #bbb 0 50%) 0 0 / 16px 16px; }
#compare[data-view=slider] .overlay .stage > :nth-child(1) { clip-path: inset(0 calc(100% - var(--cut, 0%)) 0 0); }
#compare[data-view=slider] .overlay .stage > :nth-child(2) { clip-path: inset(0 0 0 var(--cut, 0%)); }
#compare [aria-busy] .stage { opacity: 0.4; }
.stage > .divider { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 0 1px rgb(0 0 0 / 55%); pointer-events: none; }
#compare[open]:not([data-view=side]) { display: flex; flex-direction: column; }
#compare:not([data-view=side]) > * { flex: none; }
#compare:not([data-view=side]) .sides { order: 1; margin-top: 0.75rem; }
#compare:not([data-view=side]) .keys { order: 2; }
.overlay { margin-bottom: 0.75rem; }
.overlay .stage { max-height: 54vh; }
#compare-text { font-size: var(--small); color: var(--muted); max-height: 2.8em; overflow: hidden; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem 1rem; }
#compare:not([data-view=side]) .sides .stage { display: none; }
.sides figure { margin: 0; min-width: 0; }
.sides select { width: 100%; margin-bottom: 0.375rem; }
.sides figcaption { margin-top: 0.25rem; }
.sides details { margin-top: 0.25rem; font-size: var(--small); }
.sides summary { font-weight: 500; margin-bottom: 0; }
#compare:focus { outline: none; }
.player { display: flex; align-items: center; gap: 0.75rem; margin-bottom: 0.75rem; font-size: var(--small); }
.player[hidden] { display: none; }
.player input { flex: 1; }
.player .play { min-width: 4.5rem; }
.player .step { min-width: 2rem; }
.player .step[hidden] { display: none; }
.player output { font-variant-numeric: tabular-nums; }
.player label { white-space: nowrap; }
.between { margin-top: 0.75rem; }
.keys { margin-top: 0.25rem; font-size: var(--small); color: var(--muted); }
.take-table { width: auto; }
.take-table td, .take-table th { overflow-wrap: anywhere; max-width: 22rem; }
.take-table td { unicode-bidi: plaintext; text-align: left; }
.take-table thead th { white-space: nowrap; }
#takes .take-table td, #takes .take-table thead th { min-width: 8rem; }
#takes .take-table tbody th, #takes .take-table thead td { position: sticky; left: 0; z-index: 1; min-width: 0; background: var(--page); }
.take-table tbody th { font-weight: 400; color: var(--muted); white-space: nowrap; padding-right: 1.5rem; }
@media screen and (max-width: 46rem) {
  dialog { padding: 0.75rem; width: calc(100vw - 1rem); max-height: calc(100vh - 1rem); }
  #compare header { flex-wrap: wrap; gap: 0.375rem; }
  #compare header > div:first-child { flex: 1 1 100%; }
  .turn { margin-left: 0; }
  #compare header > .close { margin-left: auto; }
  .sides select { font-size: var(--small); padding-inline: 0.25rem; }
  .player { flex-wrap: wrap; gap: 0.25rem 0.5rem; }
  .player input { flex: 1 0 100%; order: 1; }
  .keys { display: none; }
  #takes .take-table tbody th { white-space: normal; overflow-wrap: break-word; min-width: 6.25rem; max-width: 6.25rem; padding-right: 0.5rem; }
}
`;
