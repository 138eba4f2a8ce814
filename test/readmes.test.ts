import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEFINED_UNDER } from '../src/page/markup/section.ts';

/* Links and paths in the READMEs: a file or a heading that was renamed leaves none behind. */

const root = fileURLToPath(new URL('..', import.meta.url));
const readmes = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

function textOf(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** The anchors of a document's headings, as forges make them: lower case, blanks as hyphens, no other punctuation. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set(slugs);
}

interface Link {
  readonly from: string;
  readonly to: string;
}

const links: readonly Link[] = readmes.flatMap((from) =>
  [...textOf(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => ({ from, to }))
    .filter(({ to }) => !/^[a-z]+:/.test(to)),
);

it('relative links of every README lead to a file of the repository', () => {
  expect(links.length).toBeGreaterThan(20);
  const fileOf = ({ from, to }: Link) =>
    posix.normalize(posix.join(posix.dirname(from), to.replace(/#.*$/, '') || posix.basename(from)));
  expect(links.filter((link) => !existsSync(`${root}/${fileOf(link)}`))).toEqual([]);
});

it('anchors of links in every README are headings of the document they lead to', () => {
  const anchored = links.filter(({ to }) => to.includes('#'));
  expect(anchored.length).toBeGreaterThan(5);
  const lost = anchored.filter(({ from, to }) => {
    const [path = '', anchor = ''] = to.split('#');
    const file = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path));
    return !anchorsOf(file).has(anchor);
  });
  expect(lost).toEqual([]);
});

it('paths of code in every README are files and folders of the repository', () => {
  const named = readmes.flatMap((from) =>
    [...textOf(from).matchAll(/`([\w.-]+\/[\w./-]+(?:\.(?:ts|js)|\/))`/g)]
      .map(([, path = '']) => ({ from, path }))
      .filter(({ path }) => !/^(?:dist|node_modules)\/|\b(?:NAME|PROVIDER|SUITE|RUN)\b/.test(path)),
  );
  expect(named.length).toBeGreaterThan(80);
  const isFile = ({ from, path }: (typeof named)[number]) =>
    ['', 'src', posix.dirname(from)].some((folder) => existsSync(posix.join(root, folder, path)));
  expect(named.filter((each) => !isFile(each))).toEqual([]);
});

it('headings that pages name are headings of results/README.md', () => {
  const headings = [...textOf('results/README.md').matchAll(/^##+ (.*)$/gm)].map(([, heading]) => heading);
  expect(DEFINED_UNDER.filter((heading) => !headings.includes(heading))).toEqual([]);
});
