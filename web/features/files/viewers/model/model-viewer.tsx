import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Object3D } from 'three';
import { plural } from '../../../../lib/format';
import { useFile } from '../use-file';
import type { ViewerProps } from '../viewer';
import { Loading, Words } from '../words';
import { ZoomBar, zoomKey } from '../zoom-bar';
import { openGltf, openStl } from './open-model';
import { createScene, disposeModel, type ModelFacts, type ModelScene } from './scene';

const TURN = Math.PI / 12;
const ZOOM = 1.25;

/** STL and glTF: turned with the pointer, a finger or the arrow keys. */
export default function ModelViewer({ file, isStage }: ViewerProps) {
  const model = useFile(file, file.kind === 'stl' ? openStl : openGltf, disposeModel);
  const [hasNoWebGl, setHasNoWebGl] = useState(false);
  if (model.state === 'loading') return <Loading />;
  if (model.state === 'failed') return <Words file={file}>{model.words}</Words>;
  if (hasNoWebGl) {
    return <Words file={file}>This browser cannot draw in three dimensions (WebGL is missing or switched off).</Words>;
  }
  return <Stage model={model.value} name={file.name} isStage={isStage} onNoWebGl={() => setHasNoWebGl(true)} />;
}

interface StageProps {
  model: Object3D;
  name: string;
  isStage: boolean;
  onNoWebGl(): void;
}

function Stage({ model, name, isStage, onNoWebGl }: StageProps) {
  const host = useRef<HTMLDivElement>(null);
  const scene = useRef<ModelScene>(null);
  const [facts, setFacts] = useState<ModelFacts | null>(null);
  const noWebGl = useRef(onNoWebGl);
  noWebGl.current = onNoWebGl;
  useEffect(() => {
    if (host.current === null) return;
    const made = createScene(host.current, model, isStage);
    scene.current = made;
    if (made === null) noWebGl.current();
    else setFacts(made.facts);
    return () => {
      made?.dispose();
      scene.current = null;
    };
  }, [model, isStage]);

  const zoom = {
    in: () => scene.current?.zoom(ZOOM),
    out: () => scene.current?.zoom(1 / ZOOM),
    fit: () => scene.current?.showAll(),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turns: Record<string, [number, number]> = {
      ArrowLeft: [-TURN, 0],
      ArrowRight: [TURN, 0],
      ArrowUp: [0, TURN],
      ArrowDown: [0, -TURN],
    };
    const turn = turns[event.key];
    if (turn !== undefined) scene.current?.turn(...turn);
    else if (!zoomKey(event.key, zoom)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      aria-label={`${name}. Arrow keys turn it, plus and minus zoom.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys turn the model.
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="relative h-full w-full overflow-hidden bg-sunken outline-offset-[-2px]"
    >
      <div ref={host} className="h-full w-full" />
      {facts !== null && (
        <p className="tabular pointer-events-none absolute top-2 left-3 text-faint text-small">
          {facts.size.map(shortNumber).join(' × ')} · {plural(facts.triangles, 'triangle')}
        </p>
      )}
      <ZoomBar onIn={zoom.in} onOut={zoom.out} onFit={zoom.fit} />
    </section>
  );
}

const shortNumber = (value: number): string => String(Number(value.toPrecision(3)));
