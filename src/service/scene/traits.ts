import { hashText } from '../sampler/random.ts';

export interface Traits {
  readonly time: Time;
  readonly land: Land;
  readonly weather: Weather;
  readonly subject: SceneSubject;
  /** Hue of what stands out, in degrees. */
  readonly accentHue: number;
  /** A number of the whole prompt: every word shifts the palette and the shapes a little. */
  readonly key: number;
}

export type Style = 'realistic' | 'anime';
export type Time = 'dawn' | 'day' | 'dusk' | 'night';
export type Land = 'hills' | 'sea' | 'snowfield' | 'meadow' | 'desert';
type Weather = 'clear' | 'clouds' | 'snow';
export type SceneSubject = 'fox' | 'cat' | 'lighthouse' | 'boat' | 'none';

type Lexicon<T extends string> = { readonly [K in T]: string };

const TIMES: Lexicon<Time> = {
  dawn: 'dawn sunrise morning',
  day: 'day noon sunny afternoon bright summer',
  dusk: 'dusk sunset evening golden twilight autumn',
  night: 'night midnight moon moonlit stars starry dark',
};
const LANDS: Lexicon<Land> = {
  hills: 'hill hills mountain mountains valley countryside forest woods',
  sea: 'sea ocean lake beach harbour harbor coast shore waves river island lighthouse',
  snowfield: 'snow snowy ice winter arctic frozen',
  meadow: 'meadow field garden flowers grass park spring',
  desert: 'desert dune dunes sand',
};
const WEATHERS: Lexicon<Weather> = {
  clear: 'clear cloudless sunny starry',
  clouds: 'cloud clouds cloudy overcast storm stormy',
  snow: 'snow snowy snowing snowfall blizzard',
};
const SUBJECTS: Lexicon<SceneSubject> = {
  fox: 'fox foxes',
  cat: 'cat cats kitten',
  lighthouse: 'lighthouse',
  boat: 'boat boats ship sailboat yacht',
  none: 'landscape scenery view panorama',
};
const HUES: Lexicon<'0' | '28' | '48' | '115' | '175' | '215' | '275' | '330'> = {
  '0': 'red crimson scarlet',
  '28': 'orange copper amber',
  '48': 'yellow gold golden',
  '115': 'green emerald',
  '175': 'teal turquoise cyan',
  '215': 'blue azure',
  '275': 'purple violet',
  '330': 'pink magenta',
};

/** Reads a prompt: its first word that a list knows decides; without one, a digest of the prompt. Ignores case. */
export function readTraits(prompt: string): Traits {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const key = hashText(words.join(' '));
  const asked = find(SUBJECTS, words);
  const land =
    asked === 'boat' ? 'sea' : (find(LANDS, words) ?? choose<Land>(key, 1, ['hills', 'sea', 'meadow', 'snowfield']));
  const hue = find(HUES, words);
  return {
    time: find(TIMES, words) ?? choose<Time>(key, 2, ['dawn', 'day', 'dusk', 'day']),
    land,
    weather: find(WEATHERS, words) ?? choose<Weather>(key, 3, ['clear', 'clouds', 'clouds']),
    subject:
      asked ?? choose<SceneSubject>(key, 4, land === 'sea' ? ['none', 'lighthouse', 'boat'] : ['none', 'fox', 'cat']),
    accentHue: hue === null ? key % 360 : Number(hue),
    key,
  };
}

function find<T extends string>(lexicon: Lexicon<T>, words: readonly string[]): T | null {
  for (const word of words) {
    for (const name in lexicon) if (lexicon[name].split(' ').includes(word)) return name;
  }
  return null;
}

function choose<T>(key: number, salt: number, from: readonly [T, ...T[]]): T {
  return from[hashText(`${key}/${salt}`) % from.length] ?? from[0];
}
