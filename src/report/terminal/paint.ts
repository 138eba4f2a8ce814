export interface TerminalOptions {
  readonly colour: boolean;
  /** Columns; at least `NARROWEST` are used. */
  readonly width: number;
  /** Whether the terminal shows only ASCII; by default false. */
  readonly ascii?: boolean | undefined;
}

const STYLES = { bold: '1', dim: '2', red: '31', yellow: '33', green: '32' } as const;

export type Paint = (style: keyof typeof STYLES, text: string) => string;

export function painter({ colour }: Pick<TerminalOptions, 'colour'>): Paint {
  return (style, text) => (colour && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
}

/** Between columns, and before lines that belong to the line above. */
export const GAP = '  ';

export const NARROWEST = 40;
