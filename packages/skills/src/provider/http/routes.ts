import { fillTemplate, type SkillDescriptor, toCancelUrl } from '@parley/documents/skill';

type RouteName = 'index' | 'descriptor' | 'invoke' | 'status' | 'result' | 'cancel';

export interface Route {
  readonly name: RouteName;
  readonly method: string;
  readonly executionId?: string;
}

const INDEX_PATH = '/.well-known/skill-sharing';
/** Stands in for the id while the address is parsed: plain letters survive every encoding. */
const MARK = 'executionxidxofxthisxskill';

/** The address of the descriptor itself, on the endpoint's own origin. */
export function descriptorUrl({ id, endpoint }: SkillDescriptor): string {
  return new URL(`/skills/${encodeURIComponent(id)}`, endpoint.url).href;
}

/** Finds the descriptor's address that a request is for. The host is not compared: proxies change it. */
export function createRouter(descriptor: SkillDescriptor): (url: URL, method: string) => Route | undefined {
  const { url, method = 'POST', status_url, result_url } = descriptor.endpoint;
  const get = 'GET';
  const patterns: [RouteName, string, RegExp][] = [
    ['index', get, toPattern(new URL(INDEX_PATH, url).href)],
    ['invoke', method, toPattern(url)],
    ['descriptor', get, toPattern(descriptorUrl(descriptor))],
  ];
  if (status_url !== undefined) {
    patterns.push(['cancel', 'POST', toPattern(toCancelUrl(fillTemplate(status_url, MARK)))]);
    if (result_url !== undefined) patterns.push(['result', get, toPattern(fillTemplate(result_url, MARK))]);
    patterns.push(['status', get, toPattern(fillTemplate(status_url, MARK))]);
  }
  return (asked, askedMethod) => {
    const matches = patterns.flatMap(([name, wanted, pattern]) => {
      const match = pattern.exec(asked.pathname + asked.search);
      if (match === null) return [];
      return [{ name, method: wanted, ...(match[1] === undefined ? {} : { executionId: match[1] }) }];
    });
    // Two routes may share an address and differ in method.
    return matches.find((route) => fits(route, askedMethod)) ?? matches[0];
  };
}

export const fits = (route: Route, method: string): boolean =>
  route.method === method || (route.method === 'GET' && method === 'HEAD');

function toPattern(address: string): RegExp {
  const { pathname, search } = new URL(address);
  const escaped = `${pathname}${search}`.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(MARK, '([0-9a-f-]{36})')}$`);
}
