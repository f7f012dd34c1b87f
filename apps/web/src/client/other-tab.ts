/** Another tab has the keys: two at once would fork the ratchets (EE-7). */
export class OtherTab extends Error {}
