/** The tool `web_fetch`: one page of the public web as text, in pieces when it is long. */
import * as z from 'zod';
import type { GuardedFetch } from '../../../../lib/web/guarded-fetch';
import { wholeNumber } from '../parse-arguments';
import { defineTool, type Tool, ToolError } from '../types';
import { convertHtml } from './convert-html';
import { toReadableText } from './readable-text';

/** Characters of one piece; with its head it stays below the tool's result limit. */
const PIECE_CHARS = 20_000;

export function createWebFetchTool({ web }: { web: GuardedFetch }): Tool {
  return defineTool({
    name: 'web_fetch',
    description:
      'Fetches one address of the public web (http or https) and returns it as text; HTML is turned into readable text with links. ' +
      'Private and local addresses are refused. Long pages come in pieces: pass "offset" to read on.',
    class: 'network',
    input: z.object({
      url: z.string().min(1).max(4000).describe('Full address, such as https://example.org/page.'),
      offset: wholeNumber(0, 100_000_000).optional().describe('Character to start from (default 0).'),
    }),
    timeoutMs: 45_000,
    resultLimitChars: PIECE_CHARS + 2000,
    isCompressionCritical: true,
    async run({ url, offset = 0 }, { signal, reportProgress }) {
      const given = /^[a-z][a-z0-9+.-]*:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`;
      reportProgress(`Fetching ${given.slice(0, 200)}`);
      const answer = await web.get(given, {
        signal,
        accept: 'text/html, application/xhtml+xml, application/json, text/*;q=0.9, application/xml;q=0.8, */*;q=0.1',
      });
      const readable = await toReadableText(answer.body, answer.contentType, (html) =>
        convertHtml(html, answer.url, signal),
      );
      if (answer.status < 200 || answer.status > 299) {
        const said = readable.ok && readable.text !== '' ? `\n\n${readable.text.slice(0, 1000)}` : '';
        throw new ToolError(`${answer.url} answered with status ${answer.status}.${said}`);
      }
      if (!readable.ok) throw new ToolError(`${answer.url} cannot be read: ${readable.reason}.`);

      const piece = readable.text
        .slice(offset, offset + PIECE_CHARS)
        .replace(/^[\uDC00-\uDFFF]/, '')
        .replace(/[\uD800-\uDBFF]$/, '');
      const isMore = offset + PIECE_CHARS < readable.text.length;
      const lines = [`URL: ${answer.url}`];
      if (readable.title !== null) lines.push(`Title: ${readable.title}`);
      if (offset > 0 || isMore) {
        lines.push(
          `Characters ${offset} to ${offset + piece.length} of ${readable.text.length}${isMore ? `; read on with offset ${offset + piece.length}` : ''}`,
        );
      }
      if (answer.isCut) lines.push(`The page is larger than ${answer.body.length} bytes; the rest was not fetched.`);
      const content = piece === '' ? (offset > 0 ? '(nothing here)' : '(the page holds no text)') : piece;
      return {
        text: `${lines.join('\n')}\n\n${content}`,
        metadata: {
          url: answer.url,
          title: readable.title,
          contentType: answer.contentType,
          sizeBytes: answer.body.length,
        },
      };
    },
  });
}
