export const VOTING_STYLE = `
.voting { max-width: 90rem; margin: 0 auto; padding: 1.5rem; display: grid; gap: 1rem; }
.voting header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1.5rem; }
.voting .count { color: var(--muted); font-size: var(--small); }
.ballot { display: grid; gap: 1rem; }
.ballot .prompt { max-width: 60rem; }
.ballot figure { margin: 0; font-size: var(--small); color: var(--muted); }
.ballot figure img { max-height: 8rem; max-width: 100%; }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem; }
.side { padding: 0; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); cursor: pointer; overflow: auto; }
[aria-busy] .sides { visibility: hidden; }
.side:hover { border-color: var(--accent); }
.side img, .side video { display: block; width: 100%; max-height: 62vh; object-fit: contain; }
.full .sides { display: flex; flex-wrap: wrap; }
.full .side { max-width: 100%; }
.full .side img, .full .side video { width: auto; max-height: none; object-fit: none; }
.voting .player { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: var(--small); }
.voting .player input { flex: 1; min-width: 8rem; }
.voting .player .play { min-width: 4.5rem; }
.fault { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; background: var(--warn-tint); border-left: 3px solid var(--warn); padding: 0.75rem 1rem; border-radius: 0 4px 4px 0; }
.prompt:focus { outline: none; }
.choices { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.choices button, .save button, .fault button, .player button, .player select { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--rule); border-radius: 4px; padding: 0.5rem 0.875rem; min-height: 2.75rem; cursor: pointer; }
.player button, .player select { min-height: 2.25rem; padding: 0.25rem 0.75rem; }
.choices button:hover, .save button:hover:not(:disabled) { border-color: var(--accent); }
.save button:disabled { color: var(--muted); cursor: default; }
.choices [aria-pressed=true] { background: var(--tint); }
kbd { font: inherit; font-size: var(--tiny); color: var(--muted); margin-left: 0.25rem; }
.voting [hidden] { display: none; }
@media (max-width: 40rem) {
  .voting { padding: 1rem 0.75rem; }
  .choices { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); }
  kbd { display: none; }
}
`;
