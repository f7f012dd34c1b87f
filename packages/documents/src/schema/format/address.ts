/** Tests for four numbers up to 255, without leading zeros (RFC 2673, section 3.2). */
export function isIpv4(text: string): boolean {
  if (text.length > 15) return false;
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Tests for RFC 4291, section 2.2. A zone (RFC 4007, `%eth0`) is not part of the address. */
export function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const gap = text.indexOf('::');
  if (gap === -1) return countGroups(text) === 8;
  const before = gap === 0 ? 0 : countGroups(text.slice(0, gap), false);
  const after = gap + 2 === text.length ? 0 : countGroups(text.slice(gap + 2));
  return before + after <= 7;
}

/** Returns NaN if a group is invalid. An IPv4 address counts as two, and only at the end. */
function countGroups(text: string, mayEndInIpv4 = true): number {
  const groups = text.split(':');
  let count = groups.length;
  for (const [index, group] of groups.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(group)) continue;
    if (!mayEndInIpv4 || index !== groups.length - 1 || !isIpv4(group)) return Number.NaN;
    count++;
  }
  return count;
}
