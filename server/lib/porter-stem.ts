/** Porter's stem of a lower-case English word: "researching" and "researched" become "research". */
export { stemmer as porterStem } from 'stemmer';
