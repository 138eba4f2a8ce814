/** Chats show a card at half its size, so no type is below 22 pixels. */
export const CARD_STYLE = `
:root { --title: 2.25rem; --head: 1.75rem; --body: 1.625rem; --small: 1.5rem; --tiny: 1.375rem; }
body { width: 1200px; height: 630px; overflow: hidden; }
.page.report.card { display: flex; flex-direction: column; height: 630px; max-width: none; padding: 1.25rem 2.25rem 1rem; }
.card a { color: inherit; text-decoration: none; }
.card a.bad { color: var(--bad); }
.card .chip.chip { color: var(--page); }
.page.card .run-head { flex: none; height: 3.125rem; overflow: hidden; gap: 2rem 1.25rem; white-space: nowrap; }
.card .run-head h1 { max-width: 40%; line-height: 1.4; overflow: hidden; text-overflow: ellipsis; }
.card .run-head .end { margin-left: auto; }
.card main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.card main > * { flex: none; }
.card :is(.fold, .rows, .scale, .others-of, .original, .choice .text) { display: none; }
.card .trouble { list-style: none; font-size: var(--small); line-height: 1.35; margin-top: 0.5rem; }
.card .trouble .state { font-weight: 600; }
.card .trouble:has(~ .headlines) li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.card .trouble:not(:has(~ .headlines)) { margin: auto 0; display: grid; gap: 1rem; font-size: var(--title); }
.card .headlines { margin: 0.5rem 0 0.625rem; max-width: none; font-size: var(--title); line-height: 1.2; font-weight: 650; letter-spacing: -0.012em; gap: 0; text-wrap: pretty; }
.card .headlines.long { font-size: var(--head); }
.card :is(.headlines, .trouble:not(:has(~ .headlines))) li { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.card .trouble:not(:has(~ .headlines)) li { -webkit-line-clamp: 5; }
.card .headlines .void { color: var(--muted); font-weight: 400; }
.card .triptych { flex: 1; min-height: 0; display: flex; gap: 1rem; }
.card .strip { flex: 1; min-width: 0; min-height: 0; padding: 0; display: flex; flex-direction: column; }
.page.report.card .strip .strip-images { flex: 1; min-height: 0; display: grid; grid-template: minmax(0, 1fr) / none; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 1rem; }
.page.report.card .strip .strip-images figure { position: relative; display: flex; flex-direction: column; align-items: stretch; min-height: 0; gap: 0; }
.card .strip :is(.shown, .output, .pick, .output > .input) { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.page.report.card .strip .image { flex: 1; min-height: 0; max-height: none; height: auto; }
.page.report.card .strip .blank { flex: 1; min-height: 0; max-height: none; font-size: var(--small); }
.card :is(.like, .tag) { border-radius: 4px; }
.card .heat { width: 4.75rem; }
.card .heat small { display: none; }
.page.report.card .strip .image { background: var(--raised); }
.page.report.card .strip .strip-images figcaption { flex: none; align-self: stretch; display: flex; justify-content: space-between; align-items: baseline; gap: 0.75rem; margin: 0.25rem 0 0; white-space: nowrap; }
.page.report.card .strip .strip-images figcaption > :is(.likes, small) { display: none; }
.card figcaption .who { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.card .who .mark { width: 1.375rem; height: 1.375rem; }
.card .tag { position: absolute; left: 0.375rem; top: 0.375rem; padding: 0.0625rem 0.4375rem; line-height: 1.5; font-weight: 400; color: #fff; background: rgb(0 0 0 / 72%); }
.card .choice { display: none; }
.report.card .alone .choice { display: block; margin: 0.25rem 0 0; order: 1; }
.page.report.card .alone .strip .strip-images figcaption { display: none; }
.page.report.card .bare .strip .strip-images { grid-auto-flow: row; grid-template: none; align-content: center; gap: 1.5rem; }
.page.report.card .bare .strip .strip-images figcaption { display: grid; grid-template-columns: minmax(0, 1.2fr) 13rem minmax(0, 1.6fr); font-size: var(--title); }
.card .bare figcaption :is(.who, .much) { font-size: var(--title); }
.page.report.card .bare .strip .strip-images figcaption > .evidence { display: block; grid-column: 3; overflow: hidden; text-overflow: ellipsis; }
.card .bare .strip .shown, .card .bare + .where .text { display: none; }
.card .bare .tag { position: static; color: var(--accent); background: var(--tint); }
.card .where { display: flex; justify-content: space-between; gap: 1.5rem; margin-top: 0.25rem; font-size: var(--tiny); color: var(--muted); white-space: nowrap; }
.card .where .text { display: block; margin: 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; font-size: var(--tiny); }
.card .where span:last-child { flex: none; margin-left: auto; }
`;
