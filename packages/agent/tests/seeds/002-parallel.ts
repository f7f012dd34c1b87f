// biome-ignore-all format: printed so in seed 002
import { callFetchUrl } from './002-call-fetch-url.ts';
import { conversationId } from './frame.ts';

const [r1, r2] = await Promise.all([
  callFetchUrl(conversationId, "https://a.com"),
  callFetchUrl(conversationId, "https://b.com"),
]);

export { r1, r2 };
