import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageProtocol, inlineImage } from '../../../src/commands/display/inline-image.ts';
import { freshFolder } from '../../fixtures/fresh-folder.ts';
import { memoryEdge } from '../../fixtures/memory-edge.ts';
import { shownImages } from '../../fixtures/shown-images.ts';

/** A PNG that no encoder makes small, of several pieces. */
function noise(side: number): Promise<Uint8Array> {
  const pixels = Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 7919) % 251);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

describe('an image in a terminal', () => {
  it.each(['iterm2', 'kitty'] as const)(
    'an image in a terminal that speaks %s is byte-identical when decoded',
    async (protocol) => {
      for (const side of [1, 40, 120]) {
        const png = await noise(side);
        expect(shownImages(inlineImage(png, protocol))[protocol]).toEqual([Buffer.from(png)]);
      }
    },
  );

  it('an image in a terminal that speaks kitty is sent in pieces of at most 4,096 characters, and asks for no answer', async () => {
    const text = inlineImage(await noise(120), 'kitty');
    const pieces = [...text.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every(([, , data = '']) => data.length <= 4096)).toBe(true);
    expect(pieces.map(([, keys]) => keys)).toEqual([
      'a=T,f=100,q=2,m=1',
      ...Array(pieces.length - 2).fill('m=1'),
      'm=0',
    ]);
  });

  it.each([
    ['kitty', { TERM: 'xterm-kitty' }, 'kitty'],
    ['iTerm2', { TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
    ['iTerm2 over ssh', { LC_TERMINAL: 'iTerm2' }, 'iterm2'],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
    ['another terminal', { TERM: 'xterm-256color' }, 'unknown_terminal'],
    ['tmux in kitty', { TERM: 'xterm-kitty', TMUX: '/tmp/tmux-0/default,1,0' }, 'unknown_terminal'],
  ])('an image in a terminal is sent as %s takes it', (_, env, expected) => {
    const edge = memoryEdge(freshFolder(), env);
    expect(imageProtocol({ env, out: { ...edge.out, interactive: true } })).toBe(expected);
    expect(imageProtocol(edge)).toBe('no_terminal');
  });
});
