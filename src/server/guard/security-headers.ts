import type { ServerResponse } from 'node:http'

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Set before anything can answer, so that no answer is without them. */
export function setSecurityHeaders(outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
}
