const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const FORM = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/**
 * Seconds since 1970 of an HTTP date (IMF-fixdate, RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`); null for
 * other text. Only for differences of two dates of a server.
 */
export function parseHttpDate(text: string): number | null {
  const [, day = '', month = '', year = '', hour = '', minute = '', second = ''] = FORM.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.indexOf(month);
  if (monthIndex < 0) return null;
  const days = daysSince1970(Number(year), monthIndex + 1, Number(day));
  return days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

/** Days from 1 January 1970 in the Gregorian calendar; years begin in March, so that a leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  return 365 * marchYear + leapDays + dayOfYear - 719_468;
}
