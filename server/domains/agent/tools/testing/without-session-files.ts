/** For tests of tools in a chat that has no files: those with some are in `session-files.test.ts`. */
import { createSessionFolder } from '../../../files/session-folder';
import { createFilePlaces } from '../file-places';

export const withoutSessionFiles = {
  sessionFolder: createSessionFolder({
    listAll: async () => [],
    findByName: async () => null,
    findAt: async () => null,
    openBytes: () => Promise.reject(new Error('there is none')),
    add: () => Promise.reject(new Error('not here')),
    replace: () => Promise.reject(new Error('not here')),
  }),
  places: createFilePlaces({ findAny: async () => null }),
};
