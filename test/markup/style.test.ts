import { expect, it } from 'vitest';
import { KIND_NAMES } from '../../src/kit/names.ts';
import { STYLE } from '../../src/markup/style.ts';
import { HEAT_COLOURS } from '../../src/media/heat-scale.ts';

it('each kind of variant has its tab', () => {
  for (const kind of Object.keys(KIND_NAMES)) {
    expect(STYLE).toContain(`html[data-shown="${kind}"] main [data-kind]:not([data-kind="${kind}"])`);
    expect(STYLE).toContain(`html[data-shown="${kind}"] main .kinds a[href="#${kind}"]`);
  }
});

it('the scale under a heat map has its colours', () => {
  const colours = HEAT_COLOURS.map((colour) => `rgb(${colour.join(' ')})`);
  expect(STYLE).toContain(`linear-gradient(to right, ${colours.join(', ')})`);
});
