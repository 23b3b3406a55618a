import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { samplePdf } from '../../../providers/demo/scenarios/sample-files';
import { documentText } from './document-text';

const bytes = (text: string) => new TextEncoder().encode(text);

it('of a PDF comes page by page', async () => {
  const pdf = samplePdf(['A short report', 'Second line']);
  expect(await documentText('pdf', bytes(pdf))).toBe('[Page 1 of 1]\nA short report\nSecond line');
});

it('of a DOCX comes by paragraphs', async () => {
  const docx = await readFile(join(import.meta.dirname, '../testing/hello.docx'));
  expect(await documentText('docx', docx)).toBe('Hello from a document\n\nSecond paragraph');
});

it.each(['pdf', 'docx'] as const)('of a damaged %s does not come', async (kind) => {
  await expect(documentText(kind, bytes('%PDF-1.4\nnothing follows'))).rejects.toThrow();
});
