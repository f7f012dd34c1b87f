// biome-ignore-all format: printed so in seed 002
import { callFetchUrl } from './002-call-fetch-url.ts';
import { conversationId } from './frame.ts';

const r1 = await callFetchUrl(conversationId, "https://a.com");
const r2 = await callFetchUrl(conversationId, "https://b.com");

export { r1, r2 };
