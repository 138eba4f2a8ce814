export interface TerminalOptions {
  /** Whether to write colour sequences. */
  readonly colour: boolean;
  /** Columns of the terminal; at least `NARROWEST` are used. */
  readonly width: number;
  /** Whether the terminal shows ASCII characters only; false where it is not said. */
  readonly ascii?: boolean | undefined;
}

const STYLES = { bold: '1', dim: '2', red: '31', yellow: '33', green: '32' } as const;

/** Puts a style round a text; nothing round an empty one. */
export type Paint = (style: keyof typeof STYLES, text: string) => string;

/** Colours, or none where the terminal takes none. */
export function painter({ colour }: Pick<TerminalOptions, 'colour'>): Paint {
  return (style, text) => (colour && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
}

/** Between columns, and before what belongs to the line above. */
export const GAP = '  ';

export const NARROWEST = 40;
