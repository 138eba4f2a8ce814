import type { Note, NoteCode, NumberedNoteCode, PlainNoteCode } from './note.ts';

export function noted(
  ...[code, value]: readonly [code: PlainNoteCode, value?: undefined] | readonly [code: NumberedNoteCode, value: number]
): Note {
  return value === undefined ? { code } : { code, value };
}

/** Joins codes by `;`, each with its number behind `=`: `needs_n=59;no_interval`. */
export function joinedNotes(notes: readonly { readonly code: string; readonly value?: number }[]): string {
  return notes.map(({ code, value }) => (value === undefined ? code : `${code}=${value}`)).join(';');
}

export function hasNote(notes: readonly Note[], code: NoteCode): boolean {
  return notes.some((note) => note.code === code);
}
