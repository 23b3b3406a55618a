/** Numbers and durations as people read them. Pure. */

/** A formatter that is made when it is first needed, and kept: the browser reads tables for each one, which takes milliseconds. */
function dateFormat(options: Intl.DateTimeFormatOptions): (at: string | Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    // The server, which draws the first screen of a share, knows neither the clock nor the language of who reads.
    if (typeof document === 'undefined') return '\u00a0';
    format ??= new Intl.DateTimeFormat(undefined, options);
    return format.format(new Date(at));
  };
}

/** 1204 → `1,204`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** 1 → `1 tool`, 5 → `5 tools`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** Milliseconds → `0.4 s`, `12.4 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Milliseconds → whole seconds, at least one: `8 s`. For "Thought for 8 s". */
export const formatWholeSeconds = (ms: number): string =>
  ms < 60_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : formatDuration(ms);

/** Characters → `812 characters`, `14k characters`. */
export const formatSize = (characters: number): string =>
  characters < 10_000 ? plural(characters, 'character') : `${Math.round(characters / 1000)}k characters`;

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Bytes, in steps of 1024 as people are used to: `812 bytes`, `1.4 MB`, `200 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} ${UNITS[step]}`;
}

const formatClock = dateFormat({ hour: 'numeric', minute: '2-digit' });
const formatDayAndClock = dateFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
const formatDateAndClock = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Local time of day, with the date where it was not today: `14:32`, `3 Nov, 14:32`. */
export function formatWhen(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (at.toDateString() === now.toDateString()) return formatClock(at);
  return at.getFullYear() === now.getFullYear() ? formatDayAndClock(at) : formatDateAndClock(at);
}

/** Full local date and time, for tooltips. */
export const formatMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A day as people write it: `29 November 2026`. */
export const formatDay = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
