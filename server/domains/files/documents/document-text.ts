/** The text of PDF and DOCX bytes. Runs in a thread (`read-document.ts`): such files are programs of a kind. */

export type DocumentKind = 'pdf' | 'docx';

/** Rejects for damaged and locked documents. `onLoaded` is told before the document itself is touched. */
export async function documentText(kind: DocumentKind, bytes: Uint8Array, onLoaded = () => {}): Promise<string> {
  return kind === 'pdf' ? pdfText(bytes, onLoaded) : docxText(bytes, onLoaded);
}

async function pdfText(bytes: Uint8Array, onLoaded: () => void): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  onLoaded();
  const loading = getDocument({ data: bytes, isEvalSupported: false, disableFontFace: true, verbosity: 0 });
  const document = await loading.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    pages.push(`[Page ${number} of ${document.numPages}]\n${text.trim()}`);
    page.cleanup();
  }
  await loading.destroy();
  return pages.join('\n\n');
}

async function docxText(bytes: Uint8Array, onLoaded: () => void): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  onLoaded();
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return value.replace(/\n{3,}/g, '\n\n').trim();
}
