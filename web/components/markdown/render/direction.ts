/** Whether the first letter of a text is one of a script that is written from the right, as `dir="auto"` decides. */
export const isWrittenFromRight = (text: string): boolean => FROM_RIGHT.test(text);

/** The living scripts of the Unicode classes R and AL. */
const FROM_RIGHT =
  /^\P{L}*(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mandaic}\p{Script=Samaritan}]/u;
