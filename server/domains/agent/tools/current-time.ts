/** The tool `current_time`: now, in a time zone, with the day of the week, which models get wrong by themselves. */
import * as z from 'zod';
import { defineTool, type Tool, ToolError } from './types';

/** @param timeZone the zone when the model names none; default: the server's. */
export function createCurrentTimeTool({ timeZone }: { timeZone?: string } = {}): Tool {
  return defineTool({
    name: 'current_time',
    description:
      'Returns the current date, day of the week and time, in a given IANA time zone or in that of the server.',
    class: 'read',
    input: z.object({
      time_zone: z
        .string()
        .max(100)
        .optional()
        .describe('IANA name such as Europe/Berlin; default: the zone of the server.'),
    }),
    timeoutMs: 5000,
    resultLimitChars: 1000,
    isCompressionCritical: false,
    async run({ time_zone }, { now }) {
      const zone = time_zone?.trim() || timeZone || new Intl.DateTimeFormat().resolvedOptions().timeZone;
      return { text: describeTime(now, zone), metadata: { iso: now.toISOString(), timeZone: zone } };
    },
  });
}

/** For example `Monday, 2026-11-30 01:05:00 (UTC+01:00, Europe/Berlin)` and the same moment in UTC. Throws ToolError for an unknown zone. */
export function describeTime(now: Date, timeZone: string): string {
  let parts: Record<string, string>;
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
    parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  } catch {
    throw new ToolError(
      `There is no time zone ${JSON.stringify(timeZone)}; use an IANA name such as Europe/Berlin or UTC.`,
    );
  }
  const { weekday, year, month, day, hour, minute, second } = parts;
  const offset = (parts.timeZoneName ?? 'GMT').replace('GMT', 'UTC');
  const local = `${weekday}, ${year}-${month}-${day} ${hour}:${minute}:${second} (${offset}, ${timeZone})`;
  return `${local}\nUTC: ${now.toISOString().slice(0, 19)}Z`;
}
