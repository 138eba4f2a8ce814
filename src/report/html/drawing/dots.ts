import * as Plot from '@observablehq/plot';

/** A dot of a chart of rows. */
export interface Dot {
  /** On the axis of the chart. */
  readonly x: number;
  /** In pixels from the top. */
  readonly y: number;
  readonly fill: string;
}

/** As many dots of one colour are drawn as one path. */
const FEWEST = 50;

/**
 * Dots without an outline. Many of one colour are one path, in which each is a line of no length with round ends: ten bytes of a page
 * each instead of sixty, and one element for a browser to lay out. Where these lie on each other, their colour stays even.
 */
export function dotMarks(
  dots: readonly Dot[],
  { r, opacity }: { readonly r: number; readonly opacity: number },
): readonly Plot.Markish[] {
  const colours = new Map<string, Dot[]>();
  for (const dot of dots) {
    const alike = colours.get(dot.fill);
    if (alike === undefined) colours.set(dot.fill, [dot]);
    else alike.push(dot);
  }
  const many = [...colours.values()].filter(({ length }) => length >= FEWEST);
  const few = [...colours.values()].filter(({ length }) => length < FEWEST).flat();
  const paths: Plot.RenderFunction = (_index, { x }, _values, _dimensions, { document }) => {
    if (x === undefined) throw new Error('the axis of the chart is x');
    const group = document.createElementNS(SVG, 'g');
    const look = { fill: 'none', 'stroke-linecap': 'round', 'stroke-width': 2 * r, 'stroke-opacity': opacity };
    for (const [name, value] of Object.entries(look)) group.setAttribute(name, String(value));
    for (const alike of many) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('stroke', alike[0]?.fill ?? '');
      path.setAttribute('d', pathOf(alike.map((dot) => [x(dot.x), dot.y])));
      group.append(path);
    }
    return group;
  };
  const circles = Plot.dot(few, { x: 'x', y: 'y', r, fill: 'fill', fillOpacity: opacity });
  return many.length === 0 ? [circles] : [paths, circles];
}

const SVG = 'http://www.w3.org/2000/svg';

/** Each dot from the one before, since what differs is short; in whole tenths of a pixel, so that nothing adds up. */
function pathOf(places: readonly (readonly [x: number, y: number])[]): string {
  let path = '';
  let [x, y] = [0, 0];
  for (const place of places) {
    const [toX, toY] = [Math.round(10 * place[0]), Math.round(10 * place[1])];
    const down = tenths(toY - y);
    path += `m${tenths(toX - x)}${down.startsWith('-') ? '' : ' '}${down}h0`;
    [x, y] = [toX, toY];
  }
  return path;
}

/** `-3` as `-.3`. */
function tenths(count: number): string {
  return String(count / 10).replace(/^(-?)0\./, '$1.');
}
