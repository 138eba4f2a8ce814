import {
  againstArguments,
  type CiNeeds,
  inUseCommands,
  PLAN_COMMAND,
  planBeforeInUse,
  runAgainstArguments,
} from './ci-needs.ts';
import { CI_REPORTS, startServerLines } from './github-workflow.ts';
import { indented, yamlText } from './yaml-text.ts';

/** Where GitLab looks for a pipeline, and a file that an existing one can include; relative to the repository. */
export const GITLAB_PIPELINE = '.gitlab-ci.yml';
export const GITLAB_INCLUDE = '.gitlab/retake.yml';

const JOB_RUN = '$CI_PIPELINE_ID-$CI_JOB_ID';

/** GitLab takes 1,000,000 characters. The token of a job cannot write notes. */
const NOTE_LINES: readonly string[] = [
  'notes="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"',
  `for summary in results/*/"${JOB_RUN}"/summary.md; do`,
  '  if [ -f "$summary" ] && [ -n "$CI_MERGE_REQUEST_IID" ] && [ -n "$RETAKE_NOTES" ]; then',
  '    curl --silent --show-error --fail --output note.json --header "PRIVATE-TOKEN: $RETAKE_NOTES" --data-urlencode "body@$summary" "$notes"',
  '  fi',
  'done',
];

/** A job that measures a suite in scheduled pipelines, for merge requests that change it, and by hand. */
export function gitlabPipeline(needs: CiNeeds): string {
  const { suite, secrets, variables, files, serverFiles, ownServers, inUse } = needs;
  const settings = [...secrets, ...variables];
  const lines = [
    `# Measures ${suite} with Retake: in scheduled pipelines, for ${serverFiles === null ? 'every merge request' : 'merge requests that change it'}, and by hand.`,
    '# Written by `retake init --ci gitlab`; you may change it.',
    '#',
    '# Before its first run:',
    '#   1. Commit package.json and package-lock.json with Retake in them. The job installs what package-lock.json says.',
    ...(settings.length === 0
      ? []
      : [
          `#   2. Add ${settings.join(', ')}: Settings, CI/CD, Variables. Mask keys. A protected variable is`,
          '#      only there in pipelines of protected branches.',
        ]),
    `#   ${settings.length === 0 ? 2 : 3}. Add a nightly schedule: Build, Pipeline schedules. By hand: Build, Pipelines, New pipeline.`,
    'retake:',
    '  image: node:22',
    '  timeout: 1 hour',
    '  # One run at a time, because two would slow each other down at the service. No run is cancelled: its requests are paid for.',
    '  resource_group: retake',
    '  interruptible: false',
    '  rules:',
    '    - if: $CI_PIPELINE_SOURCE == "schedule" || $CI_PIPELINE_SOURCE == "web"',
    '    # Merge requests from forks get no variables. A run costs money: only changes of what is measured start one.',
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID',
    ...(serverFiles === null
      ? ['      # Every merge request: the job starts the server of the suite. For some files only, add changes.']
      : ['      changes:', ...indented(changedLines(files, serverFiles), '        ')]),
    '  variables:',
    // GitLab replaces $NAME in a value unless `expand` is false.
    `    RETAKE_SUITE: ${suite.includes('$') ? `{ value: ${yamlText(suite)}, expand: false }` : yamlText(suite)}`,
    ...(inUse === null
      ? []
      : [
          `    RETAKE_IN_USE: ${yamlText(inUse.baseUrl)} # the deployment that the suite's is compared with`,
          `    RETAKE_GATE: ${yamlText(inUse.gate)} # rules added to those of the suite`,
        ]),
    '  # history.jsonl has a line for each earlier run. Rules with `against: history` need it.',
    '  cache:',
    '    key: retake-history',
    '    paths:',
    '      - results/*/history.jsonl',
    '    when: always',
    '  script:',
    '    - npm ci --ignore-scripts',
    ...indented(startServerLines(ownServers, '- |'), '    '),
    ...indented(
      [
        ...(inUse === null
          ? []
          : [
              `- ${planBeforeInUse(inUse)}`,
              '# The deployment in use, with few takes: its variants are sent again below, beside those of the suite.',
              ...inUseCommands(inUse, JOB_RUN).map((command) => `- ${command}`),
            ]),
        `- ${PLAN_COMMAND}${againstArguments(needs)}`,
        '# 1: a rule failed. 2: the suite or its environment is wrong. 3: the run is incomplete. 4: the gate is inconclusive.',
        `- npx --no -- retake run "$RETAKE_SUITE" --quiet --yes --run "${JOB_RUN}" --set '${CI_REPORTS}'${runAgainstArguments(needs)}`,
      ],
      '    ',
    ),
    '  # A note at the merge request, if the project has the variable RETAKE_NOTES: an access token with the scope api, masked.',
    '  after_script:',
    '    - |',
    ...indented(NOTE_LINES, '      '),
    '  allow_failure:',
    '    exit_codes: 4 # an inconclusive gate is a warning; without these two lines it fails the job',
    '  # The whole record: report.html, the media, and what `retake report`, `compare` and `baseline` need. Its journal.jsonl may hold',
    '  # signed URLs of the service, so it is for developers of the project only.',
    '  artifacts:',
    '    when: always',
    '    access: developer',
    '    expire_in: 30 days',
    '    paths:',
    '      - results/',
    '    reports:',
    '      junit: results/*/*/junit.xml',
  ];
  return `${lines.join('\n')}\n`;
}

function changedLines(files: readonly string[], serverFiles: readonly string[]): readonly string[] {
  return [
    ...[...files, 'package-lock.json', ...serverFiles].map((path) => `- ${yamlText(path)}`),
    ...(serverFiles.length > 0 ? [] : ['# - server/**/* # the files of your server, if it is in this repository']),
  ];
}
