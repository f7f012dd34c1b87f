// biome-ignore-all format: printed so in seed 002
// biome-ignore-all lint: printed so in seed 002
import { callFetchUrl } from './002-call-fetch-url.ts';
import { conversationId } from './frame.ts';

// 1. 业务调用
const html = await callFetchUrl(conversationId, "https://example.com");
console.log(html);
