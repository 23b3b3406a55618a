import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractBreadcrumbs, MAX_BREADCRUMBS } from './breadcrumbs';

describe('breadcrumbs', () => {
  it('name what a conversation was about', () => {
    const found = extractBreadcrumbs([
      'Please ask Anna Kowalska about PROJ-1204 and acme/site#88; the offer is $12,500 or 11 900 €.',
      'Decision: we keep PostgreSQL and drop Redis\nThe log lies in /var/log/app/error.log and src/server/env.ts.',
      '$ npm run migrate -- --force\nSee https://example.org/docs/limits?x=1.',
      '[called run_command {"command":"docker compose up -d"}]\nMAX_RETRIES=3\nserver.port: 8080',
    ]);
    for (const crumb of [
      'Anna Kowalska',
      'PROJ-1204',
      'acme/site#88',
      '$12,500',
      'we keep PostgreSQL and drop Redis',
      '/var/log/app/error.log',
      'src/server/env.ts',
      'npm run migrate -- --force',
      'https://example.org/docs/limits?x=1',
      'docker compose up -d',
      'MAX_RETRIES',
      'server.port',
    ]) {
      expect(found).toContain(crumb);
    }
  });

  it('take no ordinary words for names', () => {
    expect(extractBreadcrumbs(['we went to the market and bought some apples there'])).toEqual([]);
  });

  it('begin with the keys of the summary, without repeats', () => {
    expect(extractBreadcrumbs(['about PROJ-1 and PROJ-2'], ['proj-1', 'the plan'])).toEqual([
      'proj-1',
      'the plan',
      'PROJ-2',
    ]);
  });

  it('are few and short whatever the text, and come fast from megabytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 6 }), (texts) => {
        const found = extractBreadcrumbs(texts);
        expect(found.length).toBeLessThanOrEqual(MAX_BREADCRUMBS);
        for (const crumb of found) expect(crumb.length).toBeLessThanOrEqual(120);
      }),
    );
    // A fifth of a second; what grew with the square of the length would not come to its end in time.
    const seeds = ['a/', 'A', 'a.b_', '$ ', '"command": "', '1,', '\n', ' ', 'Aaaa Bbb ', '` ', '#1/', '- '];
    for (const blob of seeds.map((seed) => seed.repeat(300_000))) {
      extractBreadcrumbs([blob]);
    }
  });
});
