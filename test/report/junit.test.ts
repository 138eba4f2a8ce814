import { DOMParser } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { StoredRun } from '../../src/record/kept-run.ts';
import { junit } from '../../src/report/reporters/junit.ts';
import type { GateRule } from '../../src/suite/rule.ts';
import { rendered } from '../contracts/reporter.ts';
import { reported } from '../fixtures/report-source.ts';
import { ATTACKED, gateRule, ORDINARY, scriptedRun } from '../fixtures/scripted-run.ts';

async function xmlOf(record: StoredRun, gate: readonly GateRule[]): Promise<string> {
  const source = reported({ ...record, run: { ...record.run, gate } });
  return (await rendered(junit, source)).get('junit.xml') ?? '';
}

function parsed(xml: string) {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  return { all, names: (selector: string) => all(selector).map((node) => node.getAttribute('name') ?? '') };
}

const RULES: readonly GateRule[] = [
  gateRule('error_rate', { is: 'max', value: 0.5 }),
  gateRule('determinism.byte', { is: 'none', event: 'departure' }),
  gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { prompts: ['fox'] }),
  gateRule('latency.total', { is: 'max_increase', share: 0.05 }, { prompts: ['fox'], onInconclusive: 'pass' }),
];

describe('junit.xml', () => {
  it('junit.xml tells fail, inconclusive and let pass apart, with numbers in the message', async () => {
    const xml = await xmlOf(scriptedRun(ORDINARY), RULES);
    const { all } = parsed(xml);
    expect(all('testcase failure').map((node) => node.getAttribute('type'))).toContain('event_found');
    expect(all('testcase error').length).toBeGreaterThanOrEqual(4);
    expect(all('testcase skipped').length).toBeGreaterThanOrEqual(4);
    for (const node of all('failure')) expect(node.getAttribute('message')).toMatch(/differing takes? in \d+ takes/);
    const total = all('testsuites')[0];
    for (const [attribute, selector] of [
      ['tests', 'testcase'],
      ['failures', 'failure'],
      ['errors', 'error'],
    ] as const) {
      expect(Number(total?.getAttribute(attribute))).toBe(all(selector).length);
    }
    const skipped = all('testsuite').reduce((sum, suite) => sum + Number(suite.getAttribute('skipped')), 0);
    expect(skipped).toBe(all('skipped').length);
  });

  it('junit.xml names no two cases alike, for a CI system joins those', async () => {
    const rules = [
      gateRule('error_rate', { is: 'max', value: 0.5 }),
      gateRule('error_rate', { is: 'none', event: 'error' }),
      gateRule('error_rate', { is: 'none', event: 'error' }),
    ];
    const { names } = parsed(await xmlOf(scriptedRun(ORDINARY), rules));
    const cases = names('testcase');
    expect(new Set(cases).size).toBe(cases.length);
    expect(cases).toContain('error_rate, standard: at most 50 %');
    expect(cases).toContain('error_rate, standard: no take may fail (rule 3)');
  });

  it('junit.xml keeps hostile names in their attributes', async () => {
    const xml = await xmlOf(scriptedRun(ATTACKED), RULES.slice(0, 2));
    const { all, names } = parsed(xml);
    expect(all('script, img, style')).toEqual([]);
    // linkedom leaves these two entities of an attribute.
    const decoded = names('testcase').map((name) => name.replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
    expect(decoded.some((name) => name.includes('<script>document.title="broken"</script>'))).toBe(true);
    expect(xml).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/);
    // Nothing but our own tags, and no bare ampersand.
    const tags = [...xml.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name);
    expect(new Set(tags)).toEqual(new Set(['testsuites', 'testsuite', 'testcase', 'failure', 'error']));
    expect(xml).not.toMatch(/&(?!(amp|lt|gt|quot);)/);
  });
});
