import {
  type CellData,
  DATA_ID,
  dataOf,
  INPUT,
  type OutputData,
  type PageData,
  type PromptData,
  STORED,
} from '../../markup/page-data.ts';

export interface OutputFacts extends OutputData {
  readonly cell: CellFacts;
  readonly number: number;
  /** Within one prompt: `fast, seed 1, take 2`; `input`. */
  readonly name: string;
}

export interface CellFacts extends Omit<CellData, 'outputs' | 'stored'> {
  readonly number: number;
  readonly promptText: string;
  readonly outputs: readonly OutputFacts[];
  /** The first input image, like an output; empty without one. */
  readonly inputs: readonly OutputFacts[];
  /** What the stored baseline has in place of its output; empty of a cell that did not change. */
  readonly stored: readonly OutputFacts[];
}

export interface PageFacts {
  readonly prompts: ReadonlyMap<string, PromptData>;
  readonly cells: readonly CellFacts[];
}

export function pageFacts({ prompts: all, cells }: PageData): PageFacts {
  const prompts = new Map(all.map((prompt) => [prompt.id, prompt]));
  return { prompts, cells: cells.map((cell, number) => factsOf(cell, number, prompts.get(cell.prompt))) };
}

const UNMEASURED = { sha256: '', durationS: null, fps: null, take: 'input', took: null, about: null };

function factsOf(data: CellData, number: number, prompt: PromptData | undefined): CellFacts {
  const [outputs, inputs, stored]: [OutputFacts[], OutputFacts[], OutputFacts[]] = [[], [], []];
  const cell = { ...data, number, promptText: prompt?.text ?? '', outputs, inputs, stored };
  const nameOf = ({ take }: OutputData): string => `${data.variant}, seed ${data.seed}, ${take}`;
  for (const [number, output] of data.outputs.entries())
    outputs.push({ ...output, cell, number, name: nameOf(output) });
  if (prompt?.input) inputs.push({ ...UNMEASURED, ...prompt.input, cell, number: INPUT, name: 'input' });
  if (data.stored !== null) stored.push({ ...data.stored, cell, number: STORED, name: nameOf(data.stored) });
  return cell;
}

let facts: PageFacts | null = null;

export function shownFacts(): PageFacts {
  facts ??= pageFacts(dataOf(document.getElementById(DATA_ID)?.textContent ?? ''));
  return facts;
}

export function cellFacts(number: number): CellFacts | null {
  return shownFacts().cells[number] ?? null;
}

export function outputOf({ dataset }: HTMLElement): OutputFacts | null {
  return outputAt(Number(dataset.cell ?? -1), Number(dataset.output ?? 0));
}

export function outputAt(number: number, output: number): OutputFacts | null {
  const cell = cellFacts(number);
  const of = output === INPUT ? cell?.inputs : output === STORED ? cell?.stored : cell?.outputs;
  return of?.[Math.max(0, output)] ?? null;
}
