/**
 * Cheap stemming: enough that "researched" finds "research" and "настройки" finds "настройка". Both sides of a comparison go
 * through it, so what it makes need not be a word.
 */
import { porterStem } from '../../../lib/porter-stem';

/** Endings of Russian and Ukrainian nouns, adjectives and verbs, longest first. */
const cyrillicEndings =
  /(?:иваться|ываться|ировать|аться|яться|иться|еться|ого|его|ому|ему|ыми|ими|ами|ями|ать|ять|ить|еть|уть|ала|яла|ила|ела|али|яли|или|ели|ает|яет|ует|ишь|ешь|ает|ают|яют|уют|ым|им|ом|ем|ой|ей|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю|ах|ях|ов|ев|ал|ял|ил|ел|ет|ит|ут|ют|ат|ят|ам|ям|ость|ости|остью|а|я|о|е|ы|и|у|ю|ь|й|і|ї)$/u;
const reflexive = /(?:ся|сь)$/u;
/** What is left of a Cyrillic word keeps at least so many letters. */
const MIN_CYRILLIC_STEM = 3;

/** The stem of one folded word. Words with digits and of other scripts stay as they are. */
export function stem(word: string): string {
  if (/^[a-z]+$/.test(word)) return porterStem(word);
  if (/^[\u0400-\u04ff]+$/u.test(word)) return stemCyrillic(word);
  return word;
}

function stemCyrillic(word: string): string {
  const bare = word.length > 5 ? word.replace(reflexive, '') : word;
  const cut = bare.replace(cyrillicEndings, '');
  return (cut.length >= MIN_CYRILLIC_STEM ? cut : bare).replaceAll('ё', 'е');
}
