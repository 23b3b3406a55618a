/** Documents made to harm whoever reads them, and the smallest ones of their kind to compare with. */
import { constants, deflateRawSync } from 'node:zlib';

interface Packed {
  deflated: Buffer;
  sizeBytes: number;
}

const pack = (text: string): Packed => ({ deflated: deflateRawSync(text), sizeBytes: Buffer.byteLength(text) });

/** Spaces, a thousand times as many as bytes that say so: one block of 16 MB, as often as it takes. */
function packSpaces(megabytes: number): Packed {
  const block = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes / 16 }, () => block);
  // What it says of itself is a lie, as bombs do.
  return { deflated: Buffer.concat([...blocks, deflateRawSync('')]), sizeBytes: 4000 };
}

/** A ZIP archive. Readers of documents look at neither checksums nor dates. */
function zip(entries: readonly (readonly [name: string, content: Packed])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, { deflated, sizeBytes }] of entries) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(deflated.length, 14);
    facts.writeUInt32LE(sizeBytes, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), deflated]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), facts, place, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end]);
}

const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const relations = (type: string, target: string, mode = '') =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${mode}/></Relationships>`;

function docx(document: Packed, target = ''): Buffer {
  return zip([
    ['[Content_Types].xml', pack(types)],
    ['_rels/.rels', pack(relations('officeDocument', 'word/document.xml'))],
    ['word/document.xml', document],
    ['word/_rels/document.xml.rels', pack(relations('image', target, ' TargetMode="External"'))],
  ]);
}

const body = (content: string, before = '') =>
  `<?xml version="1.0"?>${before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><w:body>${content}</w:body></w:document>`;

/** A document whose text inflates to gigabytes. */
export const docxBomb = (): Buffer => docx(packSpaces(8 * 1024));

/** A document with a picture that lies at `target`. */
export function docxWithPicture(target: string): Buffer {
  const picture = `<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;
  return docx(pack(body(`<w:p><w:r><w:t>Visible</w:t></w:r></w:p><w:p><w:r>${picture}</w:r></w:p>`)), target);
}

/** A document whose text is an entity: `declared` of the file system, or of other entities. */
export const docxWithEntity = (declared: string): Buffer =>
  docx(pack(body('<w:p><w:r><w:t>Before &it; after</w:t></w:r></w:p>', `<!DOCTYPE x [${declared}]>`)));

/** A page whose drawing inflates to gigabytes of spaces. */
export function pdfBomb(): Buffer {
  const { deflated } = packSpaces(8 * 1024);
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), deflated]);
  return pdf([`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`, content, '\nendstream']);
}

/** One page that says "Visible", and a document that tries to act by itself: `actions` go into its catalogue. */
export function pdfWithActions(actions: string): Buffer {
  const content = 'BT /F1 28 Tf 72 700 Td (Visible) Tj ET';
  return pdf([`<< /Length ${content.length} >>\nstream\n${content}\nendstream`], actions);
}

function pdf(content: readonly (string | Buffer)[], actions = ''): Buffer {
  const parts = [
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${actions} >>\nendobj\n`,
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>\nendobj\n',
    '4 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n5 0 obj\n',
    ...content,
    '\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n',
  ];
  // Without a table of its objects: every reader looks for them by itself then.
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}
