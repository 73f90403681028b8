import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { openDatabase } from './open-database.ts'
import { createPostgresFeed } from './postgres-feed.ts'

/** `AuthenticationOk` and `ReadyForQuery`, as PostgreSQL sends them after a client's first message. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

it('closes its connection if the server accepts it and never answers', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', () => socket.write(WELCOME))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const connection = { host: '127.0.0.1', port, user: 'me', database: 'any', query_timeout: 100 }
  const feed = createPostgresFeed({ database, connection, onLost: () => undefined })
  await expect(feed.start()).rejects.toThrow('timeout')
  const [socket] = sockets
  if (socket?.closed === false) await once(socket, 'close')
  expect(socket?.closed).toBe(true)
  await database.destroy()
  server.close()
})
