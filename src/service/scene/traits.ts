import { hashText } from '../sampler/random.ts';

/** What a scene shows, as read from a prompt. What the prompt leaves open is chosen from its text, so it is always complete. */
export interface Traits {
  readonly time: Time;
  readonly land: Land;
  readonly weather: Weather;
  readonly subject: Subject;
  /** Hue of the subject and of what stands out, in degrees. */
  readonly accentHue: number;
  /** A number of the whole prompt: every word shifts the palette and the shapes a little. */
  readonly key: number;
}

export type Style = 'realistic' | 'anime';
export type Time = 'dawn' | 'day' | 'dusk' | 'night';
export type Land = 'mountains' | 'hills' | 'forest' | 'sea' | 'desert' | 'snowfield' | 'city' | 'meadow';
type Weather = 'clear' | 'clouds' | 'rain' | 'snow' | 'fog';
export type Subject =
  | 'fox'
  | 'cat'
  | 'dog'
  | 'deer'
  | 'bird'
  | 'person'
  | 'boat'
  | 'house'
  | 'castle'
  | 'lighthouse'
  | 'tree'
  | 'balloon'
  | 'robot'
  | 'flower'
  | 'rocket'
  | 'none';

const TIMES: Lexicon<Time> = {
  dawn: 'dawn sunrise morning',
  day: 'day noon sunny afternoon bright summer',
  dusk: 'dusk sunset evening golden twilight autumn',
  night: 'night midnight moon moonlit stars starry dark space galaxy neon',
};
const LANDS: Lexicon<Land> = {
  mountains: 'mountain mountains peak peaks alps alpine cliff valley canyon',
  hills: 'hill hills countryside farm village road path',
  forest: 'forest woods wood trees jungle pine pines grove',
  sea: 'sea ocean lake beach harbour harbor coast shore waves river island ship boat sailboat lighthouse whale',
  desert: 'desert dune dunes sand mars sahara camel',
  snowfield: 'snow snowy ice winter arctic frozen glacier',
  city: 'city town street skyline tokyo cyberpunk skyscraper building urban neon alley',
  meadow: 'meadow field garden flowers grass park prairie spring',
};
const WEATHERS: Lexicon<Weather> = {
  clear: 'clear cloudless sunny starry',
  clouds: 'cloud clouds cloudy overcast storm stormy',
  rain: 'rain rainy wet drizzle',
  snow: 'snow snowy snowing snowfall blizzard',
  fog: 'fog foggy mist misty haze smoke',
};
const SUBJECTS: Lexicon<Subject> = {
  fox: 'fox foxes wolf',
  cat: 'cat cats kitten tiger lion',
  dog: 'dog dogs puppy corgi',
  deer: 'deer horse elk stag reindeer unicorn',
  bird: 'bird birds crane eagle gull gulls owl crow heron',
  person:
    'person girl boy woman man knight samurai wizard witch traveller traveler hero heroine character portrait student astronaut pilot princess',
  boat: 'boat ship sailboat sail yacht',
  house: 'house cabin cottage hut home barn',
  castle: 'castle temple palace fortress tower ruins',
  lighthouse: 'lighthouse',
  tree: 'tree oak cherry sakura bonsai',
  balloon: 'balloon balloons airship',
  robot: 'robot robots android mech machine',
  flower: 'flower sunflower rose tulip lotus bouquet',
  rocket: 'rocket spaceship spacecraft shuttle',
  none: 'landscape scenery view panorama',
};
const HUES: Lexicon<'0' | '28' | '48' | '115' | '175' | '215' | '275' | '330'> = {
  '0': 'red crimson scarlet',
  '28': 'orange copper amber',
  '48': 'yellow gold golden sunflower',
  '115': 'green emerald',
  '175': 'teal turquoise cyan',
  '215': 'blue azure',
  '275': 'purple violet',
  '330': 'pink magenta cherry sakura',
};

type Lexicon<T extends string> = { readonly [K in T]: string };

/** Reads a prompt: its first word that a list knows decides; where none does, a digest of the prompt. Case does not count. */
export function readTraits(prompt: string): Traits {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const key = hashText(words.join(' '));
  const land = find(LANDS, words) ?? choose<Land>(key, 1, ['mountains', 'hills', 'sea', 'meadow', 'forest']);
  const hue = find(HUES, words);
  return {
    time: find(TIMES, words) ?? choose<Time>(key, 2, ['dawn', 'day', 'dusk', 'day']),
    land,
    weather: find(WEATHERS, words) ?? choose<Weather>(key, 3, ['clear', 'clouds', 'clouds']),
    subject:
      find(SUBJECTS, words) ??
      choose<Subject>(key, 4, ['none', 'tree', 'house', 'bird', 'balloon', 'boat', 'flower', 'castle']),
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
