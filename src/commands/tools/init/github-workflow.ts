import {
  againstArguments,
  type CiNeeds,
  inUseCommands,
  PLAN_COMMAND,
  planBeforeInUse,
  runAgainstArguments,
} from './ci-needs.ts';
import { indented, yamlText } from './yaml-text.ts';

export const GITHUB_WORKFLOW = '.github/workflows/retake.yml';

export const CI_REPORTS = 'reports=[csv, html, json, junit, markdown]';

/** A workflow that measures a suite every night, for pull requests that change it, and by hand. */
export function githubWorkflow(needs: CiNeeds): string {
  const lines = [...headLines(needs), ...triggerLines(needs), ...jobLines(needs), ...stepLines(needs)];
  return `${lines.join('\n')}\n`;
}

function headLines({ suite, secrets, serverFiles }: CiNeeds): readonly string[] {
  return [
    `# Measures ${suite} with Retake: every night, for ${serverFiles === null ? 'every pull request' : 'pull requests that change it'}, and by hand.`,
    '# Written by `retake init --ci github`; you may change it.',
    '#',
    '# Before its first run:',
    '#   1. Commit package.json and package-lock.json with Retake in them. The workflow installs what package-lock.json says.',
    ...(secrets.length === 0
      ? []
      : [
          `#   2. Add ${secrets.length === 1 ? 'the secret' : 'the secrets'} ${secrets.join(', ')}: Settings, Secrets and variables, Actions.`,
        ]),
    `#   ${secrets.length === 0 ? 2 : 3}. Start it by hand: Actions, Retake, Run workflow.`,
    'name: Retake',
    '',
  ];
}

function triggerLines({ files, serverFiles }: CiNeeds): readonly string[] {
  const paths =
    serverFiles === null
      ? ['  # Every pull request: the job starts the server of the suite. For some files only, add paths.']
      : [
          '    paths: # a run costs money: only changes of what is measured start one',
          ...indented(
            [
              ...[...files, 'package-lock.json', GITHUB_WORKFLOW].map((path) => `- ${globText(path)}`),
              ...serverFiles.map((pattern) => `- ${yamlText(pattern)}`),
              ...(serverFiles.length > 0
                ? []
                : ['# - server/** # the files of your server, if it is in this repository']),
            ],
            '      ',
          ),
        ];
  return [
    'on:',
    '  schedule:',
    '    - cron: "23 3 * * *" # every night, in UTC; not at a full hour, when GitHub is busiest',
    '  pull_request:',
    ...paths,
    '  workflow_dispatch: # by hand',
    '',
  ];
}

function jobLines({ suite, secrets, variables, inUse }: CiNeeds): readonly string[] {
  return [
    'permissions:',
    '  contents: read',
    '  pull-requests: write # for the comment; a pull request from a fork has no such right',
    '',
    '# One run at a time, because two would slow each other down at the service. No run is cancelled: its requests are paid for.',
    'concurrency:',
    '  group: retake',
    '  cancel-in-progress: false',
    '',
    'jobs:',
    '  retake:',
    ...(secrets.length === 0
      ? []
      : [
          '    # Pull requests from forks, and those of Dependabot, get no secrets.',
          "    if: github.event_name != 'pull_request' || (github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]')",
        ]),
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 60',
    '    env:',
    '      RETAKE_RUN: ${{ github.run_id }}-${{ github.run_attempt }} # the name of the run, and of its folder',
    `      RETAKE_SUITE: ${yamlText(suite)}`,
    ...(inUse === null
      ? []
      : [
          `      RETAKE_IN_USE: ${yamlText(inUse.baseUrl)} # the deployment that the suite's is compared with`,
          `      RETAKE_GATE: ${yamlText(inUse.gate)} # rules added to those of the suite`,
        ]),
    '      ON_INCONCLUSIVE: warn # warn | fail: what an inconclusive gate does to the job',
    ...variables.map(
      (name) => `      ${name}: \${{ vars.${name} }} # Settings, Secrets and variables, Actions, Variables`,
    ),
  ];
}

function stepLines(needs: CiNeeds): readonly string[] {
  const { secrets, ownServers, inUse } = needs;
  return [
    '    steps:',
    '      - name: Check out the repository',
    '        uses: actions/checkout@v5',
    '        with:',
    '          persist-credentials: false',
    '      - name: Set up Node',
    '        uses: actions/setup-node@v5',
    '        with:',
    '          node-version: 22',
    '          cache: npm',
    '      - name: Install Retake',
    '        run: npm ci --ignore-scripts',
    ...indented(startServerLines(ownServers, '- name: Start the server', '  run: |'), '      '),
    ...(inUse === null
      ? []
      : [
          '      - name: Check the suite',
          `        run: ${commandText(planBeforeInUse(inUse))}`,
          '      # With few takes: its variants are sent again below, beside those of the suite.',
          '      - name: Measure the deployment in use',
          ...secretLines(secrets),
          '        run: |',
          ...indented(inUseCommands(inUse, '$RETAKE_RUN'), '          '),
        ]),
    `      - name: ${inUse === null ? 'Check the suite, and show' : 'Show'} what a run sends`,
    `        run: ${commandText(`${PLAN_COMMAND}${againstArguments(needs)}`)}`,
    '      # history.jsonl has a line for each earlier run. Rules with `against: history` need it.',
    '      - name: Restore the history',
    '        uses: actions/cache/restore@v5',
    '        with:',
    '          path: results/*/history.jsonl',
    '          key: retake-history-${{ env.RETAKE_RUN }}',
    '          restore-keys: retake-history-',
    '      # 1: a rule failed. 2: the suite or its environment is wrong. 3: the run is incomplete. 4: the gate is inconclusive.',
    '      - name: Run the suite',
    ...secretLines(secrets),
    '        run: |',
    ...indented(
      [
        'code=0',
        `npx --no -- retake run "$RETAKE_SUITE" --quiet --yes --run "$RETAKE_RUN" --set '${CI_REPORTS}'${runAgainstArguments(needs)} || code=$?`,
        ...EXIT_CODE_LINES,
      ],
      '          ',
    ),
    '      - name: Keep the history',
    "        if: always() && hashFiles('results/*/history.jsonl') != ''",
    '        uses: actions/cache/save@v5',
    '        with:',
    '          path: results/*/history.jsonl',
    '          key: retake-history-${{ env.RETAKE_RUN }}',
    '      # The whole record: report.html, the media, and what `retake report`, `compare` and `baseline` need. Who can read the',
    '      # repository can download it; its journal.jsonl may hold signed URLs of the service.',
    '      - name: Keep the report',
    '        if: always()',
    '        uses: actions/upload-artifact@v6',
    '        with:',
    '          name: retake-${{ env.RETAKE_RUN }}',
    '          path: results/*/${{ env.RETAKE_RUN }}/',
    '          retention-days: 30',
    '      # One comment for each pull request, written again by each run. Not from forks: their token cannot write.',
    '      - name: Comment on the pull request',
    `        if: ${COMMENT_IF}`,
    '        env:',
    '          GH_TOKEN: ${{ github.token }}',
    '          NUMBER: ${{ github.event.pull_request.number }}',
    '          MARK: "<!-- retake -->"',
    '        run: |',
    ...indented(COMMENT_LINES, '          '),
  ];
}

const COMMENT_IF =
  "always() && github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]'";

/** The summary of the run as a comment. The composite action has the same lines; GitHub takes 65,536 characters. */
const COMMENT_LINES: readonly string[] = [
  'for summary in results/*/"$RETAKE_RUN"/summary.md; do',
  '  [ -f "$summary" ] || continue',
  '  comment="$RUNNER_TEMP/retake-comment.md"',
  '  { echo "$MARK"; head -c 60000 "$summary"; printf \'\\n\\n[Report and log](%s/%s/actions/runs/%s)\\n\' "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID"; } > "$comment"',
  '  id=$(gh api "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" --paginate --jq \'.[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.MARK))) | .id\' | tail -n 1)',
  '  if [ -n "$id" ]; then',
  '    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$comment"',
  '  else',
  '    gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments" -F "body=@$comment"',
  '  fi',
  'done',
];

function secretLines(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) return [];
  return ['        env:', ...secrets.map((name) => `          ${name}: \${{ secrets.${name} }}`)];
}

/**
 * Empty if only other machines are called.
 * @param heads of the step in this system's file
 */
export function startServerLines(ownServers: readonly string[], ...heads: readonly string[]): readonly string[] {
  if (ownServers.length === 0) return [];
  const [it, they] = ownServers.length === 1 ? ['your server', 'one that it'] : ['your servers', 'those that it'];
  return [
    `# The job calls ${ownServers.join(' and ')}: its own machine. Start ${it} here, or name ${they} can reach:`,
    ...heads.map((head) => `# ${head}`),
    '#     npm start > server.log 2>&1 &',
    ...ownServers.map(
      (url) => `#     curl --silent --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused ${url}`,
    ),
  ];
}

function commandText(command: string): string {
  return /: | #/.test(command) ? JSON.stringify(command) : command;
}

/** What an exit code in $code means for the job. The composite action has the same lines. */
const EXIT_CODE_LINES: readonly string[] = [
  'case "$code" in',
  "  3) echo '::error title=Retake::The run is incomplete; the log says why.' ;;",
  '  4)',
  '    if [ "$ON_INCONCLUSIVE" = warn ]; then',
  "      echo '::warning title=Retake::The gate is inconclusive: the data do not decide every rule; see the summary.'",
  '      code=0',
  '    fi ;;',
  'esac',
  'exit "$code"',
];

/** Escapes the characters of patterns in GitHub's filters. */
function globText(path: string): string {
  return yamlText(path.replace(/[*?+[\]!\\]/g, '\\$&'));
}
