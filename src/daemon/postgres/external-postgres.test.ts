import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { openExternalPostgres } from './external-postgres.ts'
import { openEmbeddedPostgres } from './open-embedded-postgres.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let home: string
let postgres: EmbeddedPostgres

beforeAll(async () => {
  home = await mkdtemp('/tmp/muster-test-')
  const opened = await openEmbeddedPostgres({ log: silent }, { home })
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
  postgres = opened.value
})

afterAll(async () => {
  await postgres.stop()
  await rm(home, { recursive: true, force: true })
})

function urlOf(user: string, database: string): string {
  return `postgresql://${user}:secret@/${database}?host=${encodeURIComponent(postgres.connection.host)}`
}

/** Speaks just enough of PostgreSQL's protocol to admit anyone and to answer every query with one row. */
function answerAs(version: string, number: string): (socket: Socket) => void {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const ready = message('Z', Buffer.from('I'))
  const column = (name: string, type: number) => {
    const rest = Buffer.alloc(18)
    rest.writeInt32BE(type, 6)
    return Buffer.concat([Buffer.from(`${name}\0`), rest])
  }
  const cell = (text: string) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(text.length)
    return Buffer.concat([length, Buffer.from(text)])
  }
  const two = Buffer.from([0, 2])
  const row = Buffer.concat([
    message('T', Buffer.concat([two, column('version', 25), column('number', 23)])),
    message('D', Buffer.concat([two, cell(version), cell(number)])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ])
  return (socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      socket.on('data', (chunk) =>
        chunk.toString('latin1', 0, 1) === 'Q' ? socket.write(row) : socket.end(),
      )
    })
  }
}

async function listen(
  answer: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, port }
}

describe('an external PostgreSQL', () => {
  it('is used if it responds, and neither started nor stopped', async () => {
    const opened = await openExternalPostgres(urlOf('muster', 'muster'))
    if (!opened.ok) throw new Error(JSON.stringify(opened.failure))

    expect(opened.value.version).toBe(postgres.version)
    expect(await opened.value.ensureRunning()).toEqual({ ok: true, value: undefined })
    await opened.value.stop()
    expect(await opened.value.ensureRunning()).toEqual({ ok: false, failure: { type: 'closed' } })
    expect(await postgres.ensureRunning()).toEqual({ ok: true, value: undefined })
  })

  it('is named if it refuses the user, without the password', async () => {
    const opened = await openExternalPostgres(urlOf('mallory', 'muster'))

    expect(opened).toMatchObject({ failure: { type: 'authentication-refused', user: 'mallory' } })
    expect(JSON.stringify(opened)).not.toContain('secret')
  })

  it('is named if it lacks the database', async () => {
    expect(await openExternalPostgres(urlOf('muster', 'absent'))).toMatchObject({
      failure: { type: 'database-missing', database: 'absent' },
    })
  })

  it('is named if nothing is listening', async () => {
    const { server, port } = await listen(() => undefined)
    await new Promise((resolve) => server.close(resolve))

    const opened = await openExternalPostgres(`postgresql://ada:secret@127.0.0.1:${port}/muster`)

    expect(opened).toMatchObject({ failure: { type: 'unreachable', target: `127.0.0.1:${port}` } })
    expect(JSON.stringify(opened)).not.toContain('secret')
  })

  it('is named if it is too old for Muster', async () => {
    const { server, port } = await listen(answerAs('14.22', '140022'))
    try {
      expect(await openExternalPostgres(`postgresql://ada@127.0.0.1:${port}/muster`)).toEqual({
        ok: false,
        failure: { type: 'server-too-old', target: `127.0.0.1:${port}`, found: '14.22', neededMajor: 15 },
      })
    } finally {
      server.close()
    }
  })

  it('is not contacted if the URL is not a PostgreSQL URL', async () => {
    const invalid = { ok: false, failure: { type: 'url-invalid' } }

    expect(await openExternalPostgres('mysql://ada:secret@db/muster')).toEqual(invalid)
    expect(await openExternalPostgres('postgresql://ada:secret@db:port/muster')).toEqual(invalid)
  })
})
