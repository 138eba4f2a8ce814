const MINUTE_MS = 60_000;

/** Rounded to what an estimate can say: `8 s`, `4 min 30 s`, `25 min`, `1 h 25 min`. */
export function roughTime(ms: number): string {
  const toSeconds = Math.max(1, Math.ceil(ms / 1000));
  if (toSeconds < 60) return `${toSeconds} s`;
  if (ms < 10 * MINUTE_MS) {
    const tens = Math.round(ms / 10_000);
    const rest = (tens % 6) * 10;
    return `${Math.floor(tens / 6)} min${rest === 0 ? '' : ` ${rest} s`}`;
  }
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const fives = Math.round(minutes / 5) * 5;
  return fives % 60 === 0 ? `${fives / 60} h` : `${Math.floor(fives / 60)} h ${fives % 60} min`;
}

/** `about 8 s left`; `at most 8 s left` if the gate may be decided before the end of the plan. */
export function timeLeftWords(ms: number, mayEndEarly: boolean): string {
  return `${mayEndEarly ? 'at most' : 'about'} ${roughTime(ms)} left`;
}
