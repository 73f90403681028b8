import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import type { McpAccess } from '../../src/ports/dialogue.ts'

export type ToolServer = AsyncDisposable & {
  readonly access: McpAccess
  /** The texts that the tool `note` was called with, in order. */
  readonly notes: readonly string[]
}

const TOKEN = 'for-the-tools'

/** An MCP server in place of Muster's own, with one tool, `note`, behind a token. */
export async function startToolServer(): Promise<ToolServer> {
  const notes: string[] = []
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(401).end()
      return
    }
    answer(notes, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    access: { url: `http://127.0.0.1:${port}/mcp`, token: TOKEN },
    notes,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(notes: string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const tools = new McpServer({ name: 'muster', version: '1.0.0' })
  tools.registerTool(
    'note',
    { description: 'Writes a note down', inputSchema: { text: z.string() } },
    ({ text }) => {
      notes.push(text)
      return { content: [{ type: 'text', text: 'noted' }] }
    },
  )
  // Without a session ID, requests are independent, as they are when a daemon may be replaced between them.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void transport.close())
  // The library's class does not match its own interface under exact optional types.
  await tools.connect(transport as unknown as Transport)
  await transport.handleRequest(request, response)
}
