import { expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { junit } from '../../src/report/reporters/junit.ts';
import { rendered } from '../contracts/reporter.ts';
import { describeInBrowser } from '../fixtures/opened-page.ts';
import { reported } from '../fixtures/report-source.ts';
import { ATTACKED, gateRule, ORDINARY, scriptedRun, unsentRun } from '../fixtures/scripted-run.ts';

/** A node of an XML document, without text that is white space alone. */
interface Node {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly children: readonly Node[];
  readonly text: string;
}

/**
 * What the schema of Jenkins' xunit plugin allows of each element that is written (junit-10.xsd of
 * https://github.com/jenkinsci/xunit-plugin, MIT, at commit 031e285ef3b60dee7aaf36e9096d7dcd95ffae83): `!` is required.
 */
const ALLOWED: Readonly<Record<string, { readonly attributes: string; readonly children: string }>> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes: 'name! tests! failures! errors! group time skipped timestamp hostname id package file log url',
    children: 'testsuite properties testcase system-out system-err',
  },
  testcase: { attributes: 'name! time classname group', children: 'skipped error failure system-out system-err' },
  failure: { attributes: 'type message', children: '' },
  error: { attributes: 'type message', children: '' },
  skipped: { attributes: 'type message', children: '' },
};

/** Each way in which an element departs from the schema. */
function departures({ name, attributes, children, text }: Node): readonly string[] {
  const allowed = ALLOWED[name];
  if (allowed === undefined) return [`element ${name}`];
  const known = allowed.attributes.split(' ');
  const kinds = allowed.children.split(' ');
  return [
    ...attributes
      .filter((each) => !known.some((one) => one.replace('!', '') === each))
      .map((each) => `${name} ${each}`),
    ...known
      .filter((one) => one.endsWith('!') && !attributes.includes(one.slice(0, -1)))
      .map((one) => `${name} without ${one.slice(0, -1)}`),
    ...children.filter((child) => !kinds.includes(child.name)).map((child) => `${child.name} in ${name}`),
    ...(kinds[0] !== '' && text !== '' ? [`text in ${name}`] : []),
    ...children.flatMap(departures),
  ];
}

const RULES = [
  gateRule('error_rate', { is: 'max', value: 0.5 }),
  gateRule('error_rate', { is: 'none', event: 'error' }),
  gateRule('determinism.byte', { is: 'none', event: 'departure' }),
  gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { onInconclusive: 'pass' }),
];

async function xmlOf(record: StoredRun): Promise<string> {
  const source = reported({ ...record, run: { ...record.run, gate: RULES } });
  return (await rendered(junit, source)).get('junit.xml') ?? '';
}

describeInBrowser('junit.xml in a browser', (open) => {
  /** The document by a parser that takes well-formed XML only; what it complains of, where it is not. */
  async function parsed(xml: string): Promise<Node | string> {
    let document: Node | string = '';
    await open('about:blank', {}, async (page) => {
      document = await page.evaluate((text) => {
        const document = new DOMParser().parseFromString(text, 'application/xml');
        const fault = document.querySelector('parsererror');
        const nodeOf = (element: Element): Node => ({
          name: element.tagName,
          attributes: [...element.attributes].map(({ name }) => name),
          children: [...element.children].map(nodeOf),
          text: [...element.childNodes]
            .filter((each) => each.nodeType === 3)
            .map((each) => each.nodeValue ?? '')
            .join('')
            .trim(),
        });
        return fault === null ? nodeOf(document.documentElement) : (fault.textContent ?? '');
      }, xml);
    });
    return document;
  }

  it.each([
    ['an ordinary run', scriptedRun(ORDINARY)],
    ['hostile text', scriptedRun(ATTACKED)],
    ['a run that sent nothing', unsentRun(ORDINARY)],
  ])('junit.xml is well-formed and keeps the schema of Jenkins: %s', async (_, record) => {
    const document = await parsed(await xmlOf(record));
    if (typeof document === 'string') throw new Error(document);
    expect(document.name).toBe('testsuites');
    expect(departures(document)).toEqual([]);
  });
});
