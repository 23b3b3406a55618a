/** Parses a table off the page's thread and hands it over in pieces. */
import Papa from 'papaparse';

export type CsvMessage = { kind: 'rows'; rows: string[][] } | { kind: 'end'; isCut: boolean } | { kind: 'failed' };

/** Rows per message: each is copied while the page paints. */
const BATCH = 5_000;
/** Above this the rest is left out, and said so: a browser's scroller has an end. */
const MAX_ROWS = 500_000;

const post = (message: CsvMessage) => postMessage(message);

addEventListener('message', (event: MessageEvent<string>) => {
  let batch: string[][] = [];
  let count = 0;
  let isCut = false;
  const flush = () => {
    if (batch.length > 0) post({ kind: 'rows', rows: batch });
    batch = [];
  };
  try {
    Papa.parse<string[]>(event.data, {
      skipEmptyLines: 'greedy',
      step: ({ data }, parser) => {
        batch.push(data);
        count += 1;
        if (batch.length >= BATCH) flush();
        if (count > MAX_ROWS) {
          isCut = true;
          parser.abort();
        }
      },
      complete: () => {
        flush();
        post({ kind: 'end', isCut });
      },
    });
  } catch {
    post({ kind: 'failed' });
  }
});
