import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeLabels } from '../../../../src/report/html/drawing/trade-off-plot.ts';

const FRAME = { width: 300, height: 200 };
const widthOf = (name: string) => name.length * 7;

describe('placeLabels', () => {
  it('placeLabels writes a name right of its dot where there is room', () => {
    expect(placeLabels([{ x: 100, y: 100, name: 'fast', isFirst: false }], FRAME, widthOf)).toEqual([
      { x: 109, y: 100, name: 'fast' },
    ]);
  });

  it('placeLabels writes a name left of a dot at the right edge', () => {
    const [label] = placeLabels([{ x: 295, y: 100, name: 'standard', isFirst: false }], FRAME, widthOf);
    expect(label?.x).toBe(295 - 9 - 56);
  });

  it('placeLabels leaves out names that fit nowhere', () => {
    const dots = Array.from({ length: 60 }, (_, at) => ({ x: 150, y: 100, name: `variant-${at}`, isFirst: false }));
    const labels = placeLabels(dots, FRAME, widthOf);
    expect(labels.length).toBeGreaterThan(3);
    expect(labels.length).toBeLessThan(60);
  });

  it('placeLabels names what comes first before what is above it', () => {
    const above = Array.from({ length: 60 }, (_, at) => ({ x: 150, y: 100, name: `variant-${at}`, isFirst: false }));
    const labels = placeLabels([...above, { x: 150, y: 101, name: 'front', isFirst: true }], FRAME, widthOf);
    expect(labels.map(({ name }) => name)).toContain('front');
  });

  it('placeLabels keeps names off dots that have none', () => {
    const beside = { x: 125, y: 100, name: null, isFirst: false };
    const [label, ...others] = placeLabels([{ x: 100, y: 100, name: 'fast', isFirst: true }, beside], FRAME, widthOf);
    expect(others).toEqual([]);
    expect(label?.x).toBe(100 - 9 - 28);
  });

  it('placeLabels never writes a name on another or outside the frame', () => {
    const dot = fc.record({
      x: fc.integer({ min: 0, max: 300 }),
      y: fc.integer({ min: 0, max: 200 }),
      name: fc.string({ minLength: 1, maxLength: 20 }),
      isFirst: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(dot, { maxLength: 15 }), (dots) => {
        const boxes = placeLabels(dots, FRAME, widthOf).map(({ x, y, name }) => ({
          left: x,
          right: x + widthOf(name),
          top: y - 7.5,
          bottom: y + 7.5,
        }));
        for (const [at, one] of boxes.entries()) {
          expect(one.left >= 0 && one.right <= FRAME.width && one.top >= 0 && one.bottom <= FRAME.height).toBe(true);
          for (const other of boxes.slice(at + 1)) {
            const apart =
              one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
            expect(apart).toBe(true);
          }
        }
      }),
    );
  });
});
