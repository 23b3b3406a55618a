/** Who asks. Every read and write of people's data names one. */
export interface Person {
  userId: string;
  isAdmin: boolean;
}

/** With accounts off everybody is this one (product §11). */
export const anonymous: Person = { userId: 'anonymous', isAdmin: true };
