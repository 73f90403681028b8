import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPENCODE_PLUGIN } from './opencode-plugin.ts'

/** Acts like OpenCode: loads the plugin, calls the model's server and reports its status. */
const HOST = `
const { ReportRetries } = await import(process.argv[2])
const { event: hear } = await ReportRetries()
const tell = (status) => hear({ event: { type: 'session.status', properties: { sessionID: 's1', status } } })
await tell({ type: 'busy' })
await fetch(process.argv[3], { method: 'POST' }).catch(() => undefined)
await tell({ type: 'retry', attempt: 1, message: 'slow down', next: Date.parse('2126-01-01T00:00:00Z') })
await tell({ type: 'busy' })
await tell({ type: 'retry', attempt: 2, message: 'not reached', next: Date.now() })
await fetch(process.argv[3], { method: 'POST' }).catch(() => undefined)
await hear({ event: { type: 'session.error', properties: { sessionID: 's1' } } })
`

describe('the OpenCode plugin', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'muster-opencode-plugin-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function printedAfter(status: number, headers: Readonly<Record<string, string>>): Promise<string> {
    const server = createServer((_, response) => response.writeHead(status, headers).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      await writeFile(path.join(directory, 'plugin.mjs'), OPENCODE_PLUGIN)
      await writeFile(path.join(directory, 'host.mjs'), HOST)
      const url = `http://127.0.0.1:${port}/`
      const ran = await execa(process.execPath, ['host.mjs', './plugin.mjs', url], {
        cwd: directory,
        timeout: 20_000,
      })
      return ran.stdout
    } finally {
      server.close()
    }
  }

  it('reports a retry after a 429, with the reset time if the server gave one', async () => {
    expect(JSON.parse(await printedAfter(429, { 'retry-after': '3600' }))).toMatchObject({
      jsonrpc: '2.0',
      method: '_muster/retry',
      params: {
        sessionId: 's1',
        attempt: 1,
        message: 'slow down',
        status: 429,
        resetsAt: '2126-01-01T00:00:00.000Z',
      },
    })
    expect(JSON.parse(await printedAfter(429, {}))).not.toHaveProperty('params.resetsAt')
  })

  it('does not report other retries', async () => {
    expect(await printedAfter(503, { 'retry-after': '5' })).toBe('')
  })

  it('reports what the server answered before an error', async () => {
    const [, final] = (await printedAfter(401, {})).split('\n')
    expect(JSON.parse(final ?? '')).toMatchObject({ params: { sessionId: 's1', attempt: 1000, status: 401 } })
  })
})
