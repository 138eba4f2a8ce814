const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?Z$/;

/**
 * Milliseconds since 1970 of an ISO time in UTC; null for anything else. Days are counted by Howard Hinnant's
 * days_from_civil: years begin in March, so that the leap day is a year's last.
 */
export function epochMs(iso: string): number | null {
  const match = ISO.exec(iso);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * 146_097 + dayOfEra - 719_468;
  const fraction = Number((match[7] ?? '').padEnd(3, '0'));
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction;
}

/** `2026-11-20 15:45 UTC`, of an ISO time in UTC. */
export function wallClock(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
