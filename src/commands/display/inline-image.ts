import type { Edge } from '../edge.ts';

/**
 * iTerm2's (also WezTerm's), https://iterm2.com/documentation-images.html, or kitty's,
 * https://sw.kovidgoyal.net/kitty/graphics-protocol/.
 */
type ImageProtocol = 'iterm2' | 'kitty';

/** Base64 characters per piece: kitty's limit. */
const PIECE = 4096;

type NoImages = 'no_terminal' | 'unknown_terminal';

/** The protocol of the terminal; tmux and screen pass on none. */
export function imageProtocol({ env, out }: Pick<Edge, 'env' | 'out'>): ImageProtocol | NoImages {
  if (!out.interactive) return 'no_terminal';
  if (env.TMUX !== undefined || env.STY !== undefined) return 'unknown_terminal';
  if (env.TERM === 'xterm-kitty') return 'kitty';
  const isIterm2 = ['iTerm.app', 'WezTerm'].includes(env.TERM_PROGRAM ?? '') || env.LC_TERMINAL === 'iTerm2';
  return isIterm2 ? 'iterm2' : 'unknown_terminal';
}

export function noImagesWords(why: NoImages): string {
  switch (why) {
    case 'no_terminal':
      return '--show shows nothing: standard output is not a terminal';
    case 'unknown_terminal':
      return '--show shows nothing: this terminal is not known to show images; use iTerm2, kitty or WezTerm, outside tmux and screen';
  }
}

/** Escape codes that show a PNG at the cursor, with a line feed. */
export function inlineImage(png: Uint8Array, protocol: ImageProtocol): string {
  const base64 = Buffer.from(png).toString('base64');
  if (protocol === 'iterm2') {
    return `\u001b]1337;File=inline=1;size=${png.length};preserveAspectRatio=1:${base64}\u0007\n`;
  }
  const pieces = base64.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];
  return `${pieces
    .map((piece, at) => {
      // Transmit and display as PNG, without an answer, which would be typed into the shell.
      const keys = at === 0 ? 'a=T,f=100,q=2,' : '';
      return `\u001b_G${keys}m=${at === pieces.length - 1 ? 0 : 1};${piece}\u001b\\`;
    })
    .join('')}\n`;
}
