/** Small files that the demo makes: a solid, a document and a page, each as text. */

type Point = readonly [number, number, number];

/** An octahedron as ASCII STL. */
export function sampleStl(): string {
  const [right, left, back, front, top, bottom]: Point[] = [
    [10, 0, 0],
    [-10, 0, 0],
    [0, 10, 0],
    [0, -10, 0],
    [0, 0, 14],
    [0, 0, -14],
  ] as [Point, Point, Point, Point, Point, Point];
  const faces = [
    [right, back, top],
    [back, left, top],
    [left, front, top],
    [front, right, top],
    [back, right, bottom],
    [left, back, bottom],
    [front, left, bottom],
    [right, front, bottom],
  ] as const;
  const facets = faces.map((face) =>
    [
      'facet normal 0 0 0',
      ' outer loop',
      ...face.map((point) => `  vertex ${(point ?? [0, 0, 0]).join(' ')}`),
      ' endloop',
      'endfacet',
    ].join('\n'),
  );
  return ['solid octahedron', ...facets, 'endsolid octahedron', ''].join('\n');
}

/** A document of one page with these lines; letters, digits and plain marks only. */
export function samplePdf(lines: readonly string[]): string {
  const shown = lines.map((line, index) => `${index === 0 ? '' : '0 -30 Td '}(${line}) Tj`).join(' ');
  const content = `0.2 0.35 0.8 rg 72 740 200 4 re f 0 g BT /F1 20 Tf 72 700 Td ${shown} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
}

/** A page with a style and a script: still until somebody lets it run. */
export function samplePage(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A small page</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1d2433; background: #f6f7fb; }
  button { font: inherit; padding: .4rem .9rem; border: 0; border-radius: .5rem; color: #fff; background: #3458d6; }
</style>
<h1>A small page</h1>
<p>Written by the demo model. Without scripts it is only this text.</p>
<p><button>Count</button> <output>0</output></p>
<script>
  let count = 0;
  document.querySelector('button').onclick = () => { document.querySelector('output').textContent = ++count; };
</script>
</html>
`;
}
