/** The unit of a measure: `1` is a share or a ratio, `levels` are of 255, `levels2` their square. */
export type Unit = 'ms' | '1' | '1/s' | 'usd' | 'outputs' | 'in_flight' | 'levels' | 'levels2';

/** Which direction of a measure is better; null where neither is. */
export type Better = 'lower' | 'higher' | null;
