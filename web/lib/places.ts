/**
 * Places of the open chat that one part asks another to show: a message in the transcript, words in the memory panel, a
 * message in the context view. A request waits until what it is for is on screen.
 */
import { createContext, useContext, useEffect, useRef } from 'react';

export interface PlaceRequests {
  /** Sequence number of a message to scroll to. */
  message: number;
  /** Words to search for in what left the context. */
  memory: string;
  /** Sequence number of a message to show as the model sees it; 0 for the context as a whole. */
  context: number;
}
export type PlaceKind = keyof PlaceRequests;

export interface Places {
  ask<Kind extends PlaceKind>(kind: Kind, value: PlaceRequests[Kind]): void;
  /** The waiting request, once. */
  take<Kind extends PlaceKind>(kind: Kind): PlaceRequests[Kind] | null;
  subscribe(listener: (kind: PlaceKind) => void): () => void;
}

export function createPlaces(): Places {
  const waiting: Partial<PlaceRequests> = {};
  const listeners = new Set<(kind: PlaceKind) => void>();
  return {
    ask(kind, value) {
      waiting[kind] = value;
      for (const listener of listeners) listener(kind);
    },
    take(kind) {
      const value = waiting[kind];
      delete waiting[kind];
      return value ?? null;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Null where there is no chat around: then nobody can be asked. */
export const PlacesContext = createContext<Places | null>(null);

export const usePlaces = (): Places | null => useContext(PlacesContext);

/** Calls back with each request of a kind, the one that waited included. */
export function usePlaceRequest<Kind extends PlaceKind>(kind: Kind, onRequest: (value: PlaceRequests[Kind]) => void) {
  const places = usePlaces();
  const latest = useRef(onRequest);
  useEffect(() => {
    latest.current = onRequest;
  }, [onRequest]);
  useEffect(() => {
    if (places === null) return;
    const look = () => {
      const value = places.take(kind);
      if (value !== null) latest.current(value);
    };
    look();
    return places.subscribe((asked) => asked === kind && look());
  }, [places, kind]);
}
