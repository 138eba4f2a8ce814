/** The parts that the command line names, all where it names none. Throws for one that there is not. */
export function askedOf<Name extends string>(names: readonly Name[], asked = process.argv.slice(2)): readonly Name[] {
  const unknown = asked.filter((name) => !names.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  return asked.length === 0 ? names : names.filter((name) => asked.includes(name));
}

/** A number that a variable of the environment sets. Throws where it is not whole, or too small. */
export function wholeNumber(name: string, usual: number, least = 1): number {
  const given = Number(process.env[name] ?? usual);
  if (!Number.isInteger(given) || given < least) throw new Error(`${name} takes a whole number from ${least} on`);
  return given;
}
