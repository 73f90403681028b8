import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ForgeCall = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly token: string | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export type StandInForge = AsyncDisposable & { readonly url: string; readonly calls: readonly ForgeCall[] }

type Pull = Record<string, unknown>
type Answer = { readonly status: number; readonly body: unknown }

const TOKEN = 'forge-token'

/** A real HTTP server with the routes of GitHub and GitLab that open pull requests, for one repository `octo/repo`. */
export async function openStandInForge(
  refuse?: (call: ForgeCall) => Answer | undefined,
): Promise<StandInForge> {
  const calls: ForgeCall[] = []
  const pulls: Pull[] = []
  const server = createServer((request, response) => {
    readCall(request).then(
      (call) => {
        calls.push(call)
        const { status, body } = refuse?.(call) ?? answer(pulls, call)
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readCall(request: IncomingMessage): Promise<ForgeCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const url = new URL(request.url ?? '', 'http://x')
  const text = Buffer.concat(chunks).toString()
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    token: request.headers.authorization?.replace('Bearer ', ''),
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
  }
}

function answer(pulls: Pull[], call: ForgeCall): Answer {
  if (call.token !== TOKEN) return { status: 401, body: { message: 'Bad credentials' } }
  if (call.path.startsWith('/repos/octo/repo/pulls')) return github(pulls, call)
  if (call.path.startsWith('/projects/octo%2Frepo/merge_requests')) return gitlab(pulls, call)
  return { status: 404, body: { message: 'Not Found' } }
}

function github(pulls: Pull[], { method, path, query, body = {} }: ForgeCall): Answer {
  if (method === 'GET') {
    const found = pulls.filter(({ head, base }) => {
      const isInto = query['base'] === undefined || (base as { ref: string }).ref === query['base']
      return query['state'] === 'open' && query['head'] === `octo:${String(head)}` && isInto
    })
    return { status: 200, body: found }
  }
  if (method === 'POST') {
    const number = pulls.length + 1
    const html_url = `https://github.com/octo/repo/pull/${number}`
    pulls.push({ ...body, base: { ref: body['base'] }, number, html_url })
    return { status: 201, body: pulls.at(-1) }
  }
  const pull = pulls.find(({ number }) => path.endsWith(`/${String(number)}`))
  if (method !== 'PATCH' || pull === undefined) return { status: 404, body: { message: 'Not Found' } }
  return { status: 200, body: Object.assign(pull, body) }
}

function gitlab(pulls: Pull[], { method, path, query, body = {} }: ForgeCall): Answer {
  if (method === 'GET') {
    const isOpen = query['state'] === 'opened'
    return {
      status: 200,
      body: pulls.filter((pull) => isOpen && pull['source_branch'] === query['source_branch']),
    }
  }
  if (method === 'POST') {
    const iid = pulls.length + 1
    pulls.push({ ...body, iid, web_url: `https://gitlab.com/octo/repo/-/merge_requests/${iid}` })
    return { status: 201, body: pulls.at(-1) }
  }
  const pull = pulls.find(({ iid }) => path.endsWith(`/${String(iid)}`))
  if (method !== 'PUT' || pull === undefined) return { status: 404, body: { message: '404 Not found' } }
  return { status: 200, body: Object.assign(pull, body) }
}
