import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawRequest, statusIn } from '../../../test/support/server/raw-request.ts'
import { concretePath, type ServedRoute, servedRoutes } from '../../../test/support/server/server-routes.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { allRoutes } from '../../contract/routes/all-routes.ts'

let served: TestServer
let targets: readonly ServedRoute[]

beforeAll(async () => {
  served = await startTestServer()
  targets = [
    ...servedRoutes(served.server).map(({ method, path }) => ({ method, path: concretePath(path) })),
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/api/nowhere' },
    { method: 'OPTIONS', path: '/api/orchestrator' },
    { method: 'DELETE', path: '/api/tasks' },
    { method: 'HEAD', path: '/api/health' },
  ]
})

afterAll(() => served[Symbol.asyncDispose]())

const AUTHORIZATION = `Authorization: Bearer ${TOKEN}`

/** The distinct statuses of all targets for a request made this way. */
async function statusesOf(requestFor: (target: ServedRoute) => string): Promise<readonly number[]> {
  const statuses = new Set<number>()
  for (const target of targets) statuses.add(statusIn(await rawRequest(served.port, requestFor(target))))
  return [...statuses]
}

function head(target: ServedRoute, ...lines: readonly string[]): string {
  return [`${target.method} ${target.path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n')
}

describe('the routes', () => {
  it('all declare who may call them', () => {
    const declared = new Set(
      allRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    const undeclared = servedRoutes(served.server).filter(
      ({ method, path }) => !declared.has(`${method} ${path}`),
    )
    expect(undeclared).toEqual([])
    expect(declared.size).toBe(servedRoutes(served.server).length)
    expect(allRoutes.every((route) => ['open', 'person', 'agent'].includes(route['x-access']))).toBe(true)
  })

  it('are open to anyone only where the daemon reports that it is running', () => {
    expect(allRoutes.filter((route) => route['x-access'] === 'open').map(({ path }) => path)).toEqual([
      '/api/health',
    ])
  })
})

describe('the Host guard', () => {
  const hosts: readonly (readonly [string, (port: number) => string])[] = [
    ['a foreign name', (port) => `evil.com:${port}`],
    ['a foreign name without a port', () => 'evil.com'],
    ['a name that begins like ours', (port) => `127.evil.com:${port}`],
    ['a name that contains ours', (port) => `localhost.evil.com:${port}`],
    ['the wildcard address', (port) => `0.0.0.0:${port}`],
    ['a trailing dot', (port) => `localhost.:${port}`],
    ['a mapped address', (port) => `[::ffff:127.0.0.1]:${port}`],
    ['a decimal address', (port) => `2130706433:${port}`],
    ['another loopback address', (port) => `127.0.0.2:${port}`],
    ['no port', () => '127.0.0.1'],
    ['another port', (port) => `127.0.0.1:${port + 1}`],
    ['a user in front', (port) => `someone@127.0.0.1:${port}`],
    ['nothing', () => ''],
    ['capitals', (port) => `LOCALHOST:${port}`],
  ]

  it.each(hosts)('refuses %s on every route', async (_, host) => {
    expect(await statusesOf((target) => head(target, `Host: ${host(served.port)}`, AUTHORIZATION))).toEqual([
      421,
    ])
  })

  it('refuses two Hosts, whichever comes first', async () => {
    const ours = `Host: 127.0.0.1:${served.port}`
    expect(await statusesOf((target) => head(target, ours, 'Host: evil.com', AUTHORIZATION))).toEqual([421])
    expect(await statusesOf((target) => head(target, 'Host: evil.com', ours, AUTHORIZATION))).toEqual([421])
    expect(await statusesOf((target) => head(target, ours, ours, AUTHORIZATION))).toEqual([421])
  })

  it('refuses a request without a Host, even in HTTP/1.0', async () => {
    expect(await statusesOf((target) => head(target, AUTHORIZATION))).toEqual([421])
    const old = (target: ServedRoute) =>
      `${target.method} ${target.path} HTTP/1.0\r\n${AUTHORIZATION}\r\n\r\n`
    expect(await statusesOf(old)).toEqual([421])
  })

  it('refuses a target that names another server', async () => {
    const ours = `Host: 127.0.0.1:${served.port}`
    const foreign = (target: ServedRoute) =>
      head({ ...target, path: `http://evil.com${target.path}` }, ours, AUTHORIZATION)
    expect(await statusesOf(foreign)).toEqual([421])
    const other = (target: ServedRoute) =>
      head({ ...target, path: `http://localhost:${served.port}${target.path}` }, ours, AUTHORIZATION)
    expect(await statusesOf(other)).toEqual([421])
  })

  it('accepts the three names of this machine', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const request = head({ method: 'GET', path: '/api/health' }, `Host: ${name}:${served.port}`)
      expect(statusIn(await rawRequest(served.port, request))).toBe(200)
    }
  })
})

describe('the Origin guard', () => {
  const ours = () => `Host: 127.0.0.1:${served.port}`
  const origins: readonly (readonly [string, (port: number) => string])[] = [
    ['a foreign page', () => 'Origin: http://evil.com'],
    ['a page without an origin', () => 'Origin: null'],
    ['another scheme', (port) => `Origin: https://127.0.0.1:${port}`],
    ['another port', (port) => `Origin: http://127.0.0.1:${port + 1}`],
    ['a name that begins like ours', (port) => `Origin: http://127.0.0.1.evil.com:${port}`],
    ['two origins', (port) => `Origin: http://127.0.0.1:${port}\r\nOrigin: http://evil.com`],
    ['a foreign site', () => 'Sec-Fetch-Site: cross-site'],
    ['a neighbouring site', () => 'Sec-Fetch-Site: same-site'],
  ]

  it.each(origins)('refuses %s on every route', async (_, line) => {
    expect(await statusesOf((target) => head(target, ours(), line(served.port), AUTHORIZATION))).toEqual([
      403,
    ])
  })

  it('accepts our own page', async () => {
    const lines = [
      ours(),
      `Origin: http://localhost:${served.port}`,
      'Sec-Fetch-Site: same-origin',
      AUTHORIZATION,
    ]
    const answer = await rawRequest(served.port, head({ method: 'GET', path: '/api/orchestrator' }, ...lines))
    expect(statusIn(answer)).toBe(200)
  })
})

describe('the token guard', () => {
  const ours = () => `Host: 127.0.0.1:${served.port}`
  const isClosed = ({ path }: ServedRoute) => path !== '/api/health'
  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['no token', []],
    ['a wrong token', ['Authorization: Bearer nonsense']],
    ['a part of the token', [`Authorization: Bearer ${TOKEN.slice(0, -1)}`]],
    ['more than the token', [`Authorization: Bearer ${TOKEN}x`]],
    ['an empty token', ['Authorization: Bearer ']],
    ['another scheme', [`Authorization: Basic ${TOKEN}`]],
    ['two tokens', ['Authorization: Bearer nonsense', AUTHORIZATION]],
    ['a cookie', [`Cookie: token=${TOKEN}`]],
  ]

  it.each(wrong)('refuses %s on every route that is not open', async (_, lines) => {
    const closed = targets.filter(isClosed)
    for (const target of closed) {
      const answer = await rawRequest(served.port, head(target, ours(), ...lines))
      expect(`${target.method} ${target.path} ${statusIn(answer)}`).toBe(
        `${target.method} ${target.path} 401`,
      )
    }
    expect(closed.length).toBeGreaterThan(20)
  })

  it('does not accept the token in the URL', async () => {
    const path = `/api/orchestrator?token=${TOKEN}&access_token=${TOKEN}`
    expect(statusIn(await rawRequest(served.port, head({ method: 'GET', path }, ours())))).toBe(401)
  })

  it('let no request through to the engine in all these tests', () => {
    expect(served.acts).toEqual([])
    expect(served.world.subscriberCount()).toBe(0)
  })
})

describe('the body guard', () => {
  const post = (headers: Record<string, string>, body: string | ReadableStream, path = '/api/orchestrator') =>
    fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      body,
      duplex: 'half',
    } as RequestInit)

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx'])(
    'refuses %s',
    async (type) => {
      const answer = await post({ 'content-type': type }, '{"requestDocument":"x"}')
      expect(answer.status).toBe(415)
      expect((await post({ 'content-type': type }, '{}', '/api/shutdown')).status).toBe(415)
    },
  )

  it('refuses a body without a type', async () => {
    const request = `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${AUTHORIZATION}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
    expect(statusIn(await rawRequest(served.port, request))).toBe(415)
  })

  it('refuses a body that is too large, announced or not', async () => {
    const large = JSON.stringify({ requestDocument: 'x'.repeat(2 * 1024 * 1024) })
    const json = { 'content-type': 'application/json' }
    expect((await post(json, large)).status).toBe(413)
    const chunked = await post(json, new Blob([large]).stream())
    expect(chunked.status).toBe(413)
    expect(served.acts).toEqual([])
  })

  it('accepts a goal of a megabyte', async () => {
    const body = JSON.stringify({ repositoryPath: '/garden', requestDocument: 'ä'.repeat(500_000) })
    expect((await post({ 'content-type': 'application/json' }, body)).status).toBe(201)
    expect(served.started.at(-1)?.requestDocument).toHaveLength(500_000)
  })

  it('reports what is wrong with a body that is not JSON', async () => {
    const answer = await post({ 'content-type': 'application/json' }, '{"requestDocument":')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { type: 'bad-request', message: expect.stringContaining('JSON') },
    })
  })
})

describe('every response', () => {
  it('has the security headers, whatever produced it', async () => {
    const ours = `Host: 127.0.0.1:${served.port}`
    const answers = await Promise.all([
      rawRequest(served.port, head({ method: 'GET', path: '/api/health' }, ours)),
      rawRequest(served.port, head({ method: 'GET', path: '/api/orchestrator' }, ours)),
      rawRequest(served.port, head({ method: 'GET', path: '/api/health' }, 'Host: evil.com')),
      rawRequest(served.port, head({ method: 'GET', path: '/api/nowhere' }, ours, AUTHORIZATION)),
    ])
    expect(answers.map(statusIn)).toEqual([200, 401, 421, 404])
    for (const answer of answers) {
      expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
      expect(answer.toLowerCase()).toContain(
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      )
      expect(answer.toLowerCase()).toContain('cache-control: no-store')
    }
  })
})

describe('a client that sends slowly', () => {
  it('is disconnected if the headers of its request never end', async () => {
    await using slow = await startTestServer({ times: { headersMs: 200 } })
    const answer = await rawRequest(slow.port, 'GET /api/health HTTP/1.1\r\nHost: ')
    expect(statusIn(answer)).toBe(408)
  })

  it('is refused if the headers of its request are too large', async () => {
    const line = `X-Padding: ${'x'.repeat(20_000)}`
    const answer = await rawRequest(served.port, head({ method: 'GET', path: '/api/health' }, line))
    expect(statusIn(answer)).toBe(431)
  })
})
