/** Dates and spans that a question names, as ranges of time. English and Russian month names, ISO and numeric dates, a few relative words. */
import { foldText } from './fold';

/** Half-open range of ISO days; month without a year matches any year. */
export interface DateCue {
  year: number | null;
  /** 1 to 12, null for a whole year. */
  month: number | null;
  /** Null for a whole month. */
  day: number | null;
}

const monthNames: readonly RegExp[] = [
  /^(?:jan(?:uary)?|январ\p{L}*)$/u,
  /^(?:feb(?:ruary)?|феврал\p{L}*)$/u,
  /^(?:mar(?:ch)?|март\p{L}?)$/u,
  /^(?:apr(?:il)?|апрел\p{L}*)$/u,
  /^(?:may|мая|май|мае)$/u,
  /^(?:june?|июн\p{L}*)$/u,
  /^(?:july?|июл\p{L}*)$/u,
  /^(?:aug(?:ust)?|август\p{L}*)$/u,
  /^(?:sept?(?:ember)?|сентябр\p{L}*)$/u,
  /^(?:oct(?:ober)?|октябр\p{L}*)$/u,
  /^(?:nov(?:ember)?|ноябр\p{L}*)$/u,
  /^(?:dec(?:ember)?|декабр\p{L}*)$/u,
];
/** "may" and "mar" are words; they are months only beside a number or a preposition of time. */
const ambiguous = new Set(['may', 'mar', 'march', 'sep', 'dec', 'jan', 'марта']);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The dates in a text. `now` is ISO; relative words are resolved against it. */
export function findDateCues(text: string, now: string): DateCue[] {
  const folded = foldText(text);
  const cues: DateCue[] = [];
  for (const [, year, month, day] of folded.matchAll(/\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/g)) {
    cues.push({ year: Number(year), month: Number(month), day: day === undefined ? null : Number(day) });
  }
  const words = (folded.match(/\d+(?:st|nd|rd|th)\b|\p{L}+|\d+/gu) ?? []).map((word) =>
    word.replace(/^(\d+)\D+$/, '$1'),
  );
  words.forEach((word, at) => {
    const month = monthNames.findIndex((name) => name.test(word)) + 1;
    if (month === 0) return;
    const before = words[at - 1] ?? '';
    const after = words[at + 1] ?? '';
    const far = words[at + 2] ?? '';
    const beforeThat = words[at - 2] ?? '';
    const isTimely =
      /^\d+$/.test(before) ||
      /^\d+$/.test(after) ||
      /^(?:in|of|since|until|by|during|early|late|mid|last|this|next|в|с|до)$/.test(before);
    if (ambiguous.has(word) && !isTimely) return;
    const year = [after, far].find((one) => /^(?:19|20)\d\d$/.test(one));
    const ordinal = before === 'of' ? beforeThat : before;
    const day = [ordinal, after].find((one) => /^\d{1,2}$/.test(one) && Number(one) >= 1 && Number(one) <= 31);
    cues.push({ year: year === undefined ? null : Number(year), month, day: day === undefined ? null : Number(day) });
  });
  if (cues.length === 0) {
    for (const [year] of folded.matchAll(/(?<![\d.,/-])(?:19|20)\d\d(?![\d.,/-]*\d)/g))
      cues.push({ year: Number(year), month: null, day: null });
  }
  const relative = /\b(?:yesterday|вчера)\b/u.test(folded)
    ? 1
    : /(?:^|\s)(?:today|сегодня)(?:\s|$)/u.test(folded)
      ? 0
      : null;
  if (relative !== null) {
    const day = new Date(Date.parse(now) - relative * DAY_MS);
    cues.push({ year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() });
  }
  return cues;
}

/**
 * How well a time fits what was asked for, 0 to 1: the day itself 1, its month 0.8, the month after 0.3 (people speak of
 * things when they are over), else 0. A whole year weighs 0.3, as it says little in a history of one.
 */
export function matchDate(createdAt: string, cues: readonly DateCue[]): number {
  if (cues.length === 0) return 0;
  const at = new Date(createdAt);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth() + 1;
  let best = 0;
  for (const cue of cues) {
    if (cue.month === null) {
      if (cue.year === year) best = Math.max(best, YEAR_MATCH);
      continue;
    }
    const isYear = cue.year === null || cue.year === year;
    if (isYear && cue.month === month) best = Math.max(best, cue.day === at.getUTCDate() ? 1 : MONTH_MATCH);
    else if (cue.year === null ? (cue.month % 12) + 1 === month : cue.year * 12 + cue.month + 1 === year * 12 + month) {
      best = Math.max(best, NEXT_MONTH_MATCH);
    }
  }
  return best;
}

const MONTH_MATCH = 0.8;
const NEXT_MONTH_MATCH = 0.3;
const YEAR_MATCH = 0.3;

/** A span of time and how well it fits; half-open. */
export interface DateRange {
  from: Date;
  to: Date;
  weight: number;
}

/** Years back in which a month without a year is looked for. */
const MONTH_YEARS = 5;

/** The same as `matchDate`, as spans that an index can be asked for: the best of those that hold a time counts. */
export function dateRanges(cues: readonly DateCue[], now: string): DateRange[] {
  const thisYear = new Date(now).getUTCFullYear();
  const span = (year: number, month: number, months: number, weight: number): DateRange => ({
    from: new Date(Date.UTC(year, month - 1)),
    to: new Date(Date.UTC(year, month - 1 + months)),
    weight,
  });
  return cues.flatMap(({ year, month, day }) => {
    if (month === null) return year === null ? [] : [span(year, 1, 12, YEAR_MATCH)];
    const years = year === null ? Array.from({ length: MONTH_YEARS }, (_, back) => thisYear - back) : [year];
    return years.flatMap((one) => [
      ...(day === null
        ? []
        : [
            {
              from: new Date(Date.UTC(one, month - 1, day)),
              to: new Date(Date.UTC(one, month - 1, day + 1)),
              weight: 1,
            },
          ]),
      span(one, month, 1, MONTH_MATCH),
      span(one, month + 1, 1, NEXT_MONTH_MATCH),
    ]);
  });
}
