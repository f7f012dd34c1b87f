/**
 * The handler of word-count.json. Serve it, then ask it:
 *
 *   npx parley skill serve examples/skills/word-count.json --handler examples/skills/word-count.mjs
 *   npx parley skill invoke examples/skills/word-count.json --input text="How many words?" --development
 */
export default async function countWords({ text }, { progress, signal }) {
  const paragraphs = text.split('\n');
  let words = 0;
  for (const [index, paragraph] of paragraphs.entries()) {
    signal.throwIfAborted();
    words += paragraph.split(/\s+/u).filter(Boolean).length;
    progress((index + 1) / paragraphs.length);
  }
  return { words };
}
