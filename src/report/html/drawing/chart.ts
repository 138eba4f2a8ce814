import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { escaped, type Markup, trusted } from '../markup/markup.ts';

/** What our serialiser reads of a DOM node; linkedom's own types need a browser's. */
interface Node {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<Node>;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
}

const TEXT = 3;

/** Attributes that hold coordinates: rounded, for size, and so that no last digit differs between engines. */
const COORDINATES = new Set(['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'd', 'transform']);

/**
 * An Observable Plot as static SVG. The plot's own style element is left out (the policy of the page allows one style
 * sheet only), text is escaped by our own hand, and the same options give the same bytes.
 *
 * @param label what the image shows, for those who do not see it
 */
export function chart(label: string, options: Plot.PlotOptions): Markup {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const figure = Plot.plot({ ...options, document }) as unknown as Node;
  const attributes = `class="chart" role="img" aria-label="${escaped(label)}" viewBox="0 0 ${options.width} ${options.height}"`;
  return trusted(`<svg ${attributes} text-anchor="middle" font-size="12">${content(figure)}</svg>`);
}

function content(node: Node): string {
  let text = '';
  for (const child of node.childNodes) text += serialised(child);
  return text;
}

function serialised(node: Node): string {
  if (node.nodeType === TEXT) return escaped(node.nodeValue ?? '');
  const name = node.nodeName.toLowerCase();
  if (name === 'style') return '';
  let attributes = '';
  for (const { name: key, value } of node.attributes ?? []) {
    if (key === 'aria-label' || key === 'aria-hidden' || key === 'style') continue;
    attributes += ` ${key}="${escaped(COORDINATES.has(key) ? rounded(value) : value)}"`;
  }
  const inner = content(node);
  if (name === 'g' && inner === '') return '';
  return inner === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`;
}

/** Every number in a coordinate to a tenth of a pixel. */
function rounded(value: string): string {
  return value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(1))));
}
