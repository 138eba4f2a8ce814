import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from '../../fixtures/retake-process.ts';

/** A command that sends nothing; with `pages`, a server whose pages are read, from these on. */
export interface Step {
  readonly args: readonly string[];
  readonly onTerminal: boolean;
  readonly pages: readonly string[];
}

const FORMATS = 'html,csv,json,junit,markdown,table,terminal';

/** Commands, separated by semicolons; after `tty` on a terminal. */
function steps(text: string): readonly Step[] {
  return text.split(';').map((command) => {
    const [first = '', ...others] = command.trim().split(' ');
    const onTerminal = first === 'tty';
    return { args: onTerminal ? others : [first, ...others], onTerminal, pages: [] };
  });
}

/** What is read of a record: of its last runs, of their history, in the viewer. */
export function stepsOfRecord(folder: string): readonly Step[] {
  const records = filesBelow(folder).filter((path) => path.endsWith('/run.json'));
  const runs = records.map((path) => relative(folder, join(path, '..'))).toSorted();
  const shown = runs.slice(-3);
  const suites = [...new Set(shown.map((run) => join(run, '..')))];
  const [a, b] = shown.slice(-2);
  const ofRun = (run: string) =>
    `report ${run} --format ${FORMATS} --out out/${run}; tty report ${run} --format terminal; gate ${run} --json; tty gate ${run}`;
  const ofSuite = (suite: string) =>
    `tty history ${suite} --html out/history.html --csv out/history.csv; history ${suite} --json; prune ${suite} --keep 1 --dry-run`;
  return [
    ...shown.flatMap((run) => steps(ofRun(run))),
    ...(b === undefined ? [] : steps(`compare ${a} ${b}; compare ${a} ${b} --json`)),
    ...suites.flatMap((suite) => steps(ofSuite(suite))),
    {
      args: ['view', '--port', '0'],
      onTerminal: false,
      pages: ['/', '/compare', '/none', '/images/latest', '/images/none'],
    },
    ...suites.flatMap((suite) => steps(`baseline ${suite}; gate ${suite}; history ${suite}`)),
    ...steps('plan images.yaml'),
  ];
}

/** What needs no record, by the name of its part. @param checkout whose commands, suites and targets are named */
export function stepsWithoutRecord(
  checkout: string,
  mistakes: readonly string[],
): Readonly<Record<string, readonly Step[]>> {
  const help = spawnSync(process.execPath, [join(checkout, 'dist/main.js'), '--help'], { encoding: 'utf8' }).stdout;
  const commands = [...help.matchAll(/^ {2}retake (\w+)/gm)].map(([, command]) => command);
  const suites = readdirSync(join(checkout, 'suites')).filter((name) => name.endsWith('.yaml'));
  const targets = filesBelow(join(checkout, 'suites/targets')).filter((path) => path.endsWith('.yaml'));
  const ids = targets.map((path) => /^id: (\S+)/m.exec(readFileSync(path, 'utf8'))?.[1]);
  const someIds = ids.filter((_, at) => at % 5 === 0);
  const images = '../retake/suites/inputs/fox.jpg ../retake/suites/inputs/lighthouse.jpg';
  const endpoint = 'suite.yaml --base-url http://127.0.0.1:9 --path /x --auth header:x-key --model a --reply';
  return {
    help: [
      ...steps('--help; --version; targets; completion bash; completion zsh; tty run --help; tty targets; rnu x; run'),
      ...steps('run x.yaml --sett a=b; report none; serve --port 99999; try reference/txt-to-image; compare a; merge'),
      ...steps(`inspect ${images}; inspect ${images} --json --at-least near`),
      ...commands.flatMap((command) => steps(`${command} --help`)),
    ],
    targets: [
      ...someIds.flatMap((id) => steps(`targets ${id}`)),
      ...steps(`validate ${targets.map((path) => join('../retake', relative(checkout, path))).join(' ')}`),
    ],
    suites: suites
      .map((name) => `../retake/suites/${name}`)
      .flatMap((suite) => steps(`plan ${suite} --json; plan ${suite} --bodies; tty plan ${suite}; validate ${suite}`)),
    mistakes: [
      ...steps(`validate ${mistakes.join(' ')}`),
      ...mistakes.filter((name) => name.endsWith('.yaml')).flatMap((name) => steps(`plan ${name}`)),
    ],
    init: [
      ...someIds.flatMap((id, at) => steps(`init preset-${at}.yaml --target ${id}`)),
      ...['openai', 'bytes', 'url', 'base64', 'job', 'job-file'].flatMap((reply) =>
        steps(`init ${reply}-${endpoint} ${reply}`),
      ),
      ...steps('init x.yaml --target none/x; init job-suite.yaml --ci gitlab --in-use https://x.example'),
      ...steps('init bytes-suite.yaml --ci github --server-files server/**'),
    ],
    service: [{ args: ['serve', '--port', '0'], onTerminal: false, pages: ['/v2/openapi.json', '/healthz', '/none'] }],
  };
}
