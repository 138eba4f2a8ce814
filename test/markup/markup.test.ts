import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it, test } from 'vitest';
import { visible } from '../../src/kit/visible.ts';
import { clockTime, STYLE } from '../../src/markup/document.ts';
import { html, Markup, textOf, trusted } from '../../src/markup/markup.ts';
import { HEAT_COLOURS } from '../../src/media/heat-scale.ts';
import { SCRIPT as REPORT } from '../../src/page/client-script.ts';
import { SCRIPT as COMPARE } from '../../src/page/compare-script.ts';
import { SCRIPT as FOLLOW } from '../../src/view/pages/parts/follow-script.ts';
import { HOSTILE } from '../fixtures/scripted-run.ts';

function parsed(markup: Markup): Element {
  const { document } = parseHTML(`<!doctype html><html><body>${textOf(markup)}</body></html>`);
  return document.body as unknown as Element;
}

it('a time of a page is the exact one for programs and UTC to the minute for readers', () => {
  expect(textOf(clockTime('2026-11-21T21:04:59.123Z'))).toBe(
    '<time datetime="2026-11-21T21:04:59.123Z">2026-11-21 21:04 UTC</time>',
  );
});

describe('markup', () => {
  it.each(HOSTILE)('markup keeps text as text, between tags and in attributes: %j', (text) => {
    const body = parsed(html`<p title="${text}">${text}</p>`);
    expect(body.children).toHaveLength(1);
    expect(body.children[0]?.children).toHaveLength(0);
    expect(body.textContent).toBe(visible(text));
    expect(body.children[0]?.getAttribute('title')).toBe(visible(text));
    expect(body.children[0]?.attributes).toHaveLength(1);
  });

  it('markup keeps any text as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const body = parsed(html`<p title="${text}">${text}</p><b>end</b>`);
        expect([...body.children].map((child) => child.tagName)).toEqual(['P', 'B']);
        expect(body.children[0]?.textContent).toBe(visible(text));
      }),
    );
  });

  it('markup puts lists one after the other and nothing for what is not there', () => {
    const markup = html`<ul>${['a', 'b'].map((each) => html`<li>${each}</li>`)}${null}${false}${undefined}${''}${0}</ul>`;
    expect(textOf(markup)).toBe('<ul><li>a</li><li>b</li>0</ul>');
  });

  it('markup does not escape markup twice', () => {
    expect(textOf(html`${html`<b>${'&'}</b>`}`)).toBe('<b>&amp;</b>');
    expect(textOf(html`${trusted('<i>')}`)).toBe('<i>');
  });

  it('markup refuses what would not be safe or true: unquoted attributes, numbers that are not finite, markup made elsewhere', () => {
    expect(() => html`<p title=${'x'}>`).toThrow('unquoted');
    expect(() => html`${Number.NaN}`).toThrow('finite');
    expect(() => new Markup('<script>', Symbol('markup'))).toThrow(TypeError);
  });
});

test.each(Object.entries({ REPORT, COMPARE, FOLLOW }))(
  'the script %s has nothing that ends a script element, and makes no markup from text',
  (_name, script) => {
    expect(script).toContain('document');
    expect(script).not.toMatch(/<\/script|<!--/i);
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function/,
    );
  },
);

it('the scale under a heat map has its colours', () => {
  const colours = HEAT_COLOURS.map((colour) => `rgb(${colour.join(' ')})`);
  expect(STYLE).toContain(`linear-gradient(to right, ${colours.join(', ')})`);
});
