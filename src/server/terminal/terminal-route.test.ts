import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createProcessTable } from '../../adapters/hosts/shared/process-table.ts'
import type { TerminalHostOptions } from '../../adapters/hosts/terminal/create-terminal-host.ts'
import { createTerminalTrial, eventually } from '../../adapters/hosts/terminal/testing/terminal-trial.ts'
import { findProgram } from '../../adapters/shared/find-program.ts'
import type { TerminalMessage } from '../../contract/terminal.ts'
import { formatId } from '../../domain/id.ts'
import { success } from '../../domain/result.ts'
import type { SessionTerminal } from '../../engine/queries/sessions.ts'
import type { HostId } from '../../ports/session-host.ts'
import { createTerminalRoute } from './create-terminal-route.ts'

const TOKEN = 'the-token-of-the-tests'
const PROTOCOLS = ['muster-terminal', `bearer.${TOKEN}`]

/** A real server with only this route, over real terminals. */
async function openTrial(stallMs = 10_000, options: Partial<TerminalHostOptions> = {}) {
  const terminal = {
    processes: await createProcessTable(),
    findProgram,
    contain: async () => success({ containment: 'process-group', command: [] } as const),
  }
  const trial = await createTerminalTrial({ terminal, temporaryDirectory, processesWith }, options)
  const attended: string[] = []
  /** The sessions whose end is recorded. */
  const ended = new Map<string, SessionTerminal>()
  const logged: string[] = []
  const note = (_: unknown, message: string) => void logged.push(message)
  const route = createTerminalRoute({
    terminals: trial.host,
    token: TOKEN,
    stallMs,
    log: { info: note, warn: note, error: note },
    findTerminal: async (sessionId) => {
      const known = await trial.host.list()
      const hostId = known.find((id) => String(id) === String(sessionId))
      return ended.get(String(sessionId)) ?? (hostId === undefined ? undefined : { hostId })
    },
    onAttended: (sessionId, isAttended) => attended.push(`${sessionId} ${isAttended}`),
  })
  const server = createServer((_request, response) => response.end())
  server.on('upgrade', (incoming, socket, head) => route.upgrade(incoming, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const base = `ws://127.0.0.1:${port}/api/sessions`
  return {
    ...trial,
    port,
    attended,
    ended,
    logged,
    route,
    open: (hostId: HostId, query = '', protocols = PROTOCOLS) =>
      openClient(`${base}/${hostId}/terminal?${query}`, protocols),
    async [Symbol.asyncDispose]() {
      route[Symbol.dispose]()
      server.close()
      await once(server, 'close')
      await trial[Symbol.asyncDispose]()
    },
  }
}

/** The platform's own WebSocket client, which keeps what it receives. */
function openClient(url: string, protocols: string[]) {
  const socket = new WebSocket(url, protocols)
  socket.binaryType = 'arraybuffer'
  const messages: TerminalMessage[] = []
  const decoder = new TextDecoder()
  let text = ''
  let closed: number | undefined
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') messages.push(JSON.parse(data) as TerminalMessage)
    else text += decoder.decode(data as ArrayBuffer, { stream: true })
  })
  socket.addEventListener('close', ({ code }) => {
    closed = code
  })
  return {
    socket,
    messages,
    say: (message: unknown) => socket.send(JSON.stringify(message)),
    type: (typed: string) => socket.send(new TextEncoder().encode(typed)),
    saw: (expected: string) =>
      eventually(`"${expected}" in the view`, () => text.includes(expected) || undefined),
    printed: <Type extends TerminalMessage['type']>(type: Type) =>
      eventually(`a message ${type}`, () =>
        messages.find(
          (message): message is Extract<TerminalMessage, { type: Type }> => message.type === type,
        ),
      ),
    closed: () => eventually('the end of the connection', () => closed),
    [Symbol.dispose]: () => socket.close(),
  }
}

/** The headers of the response to an upgrade request, however it was made. */
async function rawUpgrade(port: number, path: string, headers: Readonly<Record<string, string>>) {
  const socket = connect(port, '127.0.0.1')
  const sent = {
    host: `127.0.0.1:${port}`,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    authorization: `Bearer ${TOKEN}`,
    ...headers,
  }
  const lines = Object.entries(sent).filter(([, value]) => value !== '')
  socket.write(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  return { socket, answer: first.toString('latin1') }
}

const someSession = () => formatId('session', Date.now(), randomBytes(11))

describe('a terminal over WebSocket', () => {
  it('shows the whole screen, accepts input and follows the size', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run(
      'trap "stty size >>sizes" WINCH; printf "\\033[?1049h\\033[2J\\033[3;5Hfull screen"; while :; do read line && echo "<$line>"; done',
    )
    await trial.shown(hostId, 'full screen')
    using client = trial.open(hostId, 'columns=90&rows=28')
    expect(await client.printed('opened')).toEqual({ type: 'opened', sessionId: hostId, readOnly: false })
    expect(client.socket.protocol).toBe('muster-terminal')
    await client.saw('full screen')
    client.type('by bytes\r')
    await client.saw('<by bytes>')
    client.say({ type: 'input', text: 'by text\r' })
    await client.saw('<by text>')
    client.say({ type: 'resize', columns: 66, rows: 22 })
    const sizes = () => readFile(`${trial.path}/sizes`, 'utf8').catch(() => '')
    await eventually('the sizes', async () => /28 90\n(.*\n)*22 66/.test(await sizes()) || undefined)
    client.say({ type: 'screen' })
    expect((await client.printed('screen')).text).toContain('by text')
  })

  it('reports how the session ended and closes', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('read line; exit 3')
    using client = trial.open(hostId)
    await client.printed('opened')
    client.type('\r')
    expect((await client.printed('ended')).end).toEqual({ type: 'exited', code: 3 })
    expect(await client.closed()).toBe(1000)
    using late = trial.open(hostId)
    expect((await late.printed('ended')).end).toEqual({ type: 'exited', code: 3 })
  })

  it('reports the recorded end of a session whose terminal is gone', async () => {
    await using trial = await openTrial()
    const hostId = String(someSession()) as HostId
    trial.ended.set(hostId, { hostId, end: { type: 'cancelled', reason: 'not needed' } })
    using client = trial.open(hostId)
    expect((await client.printed('ended')).end).toEqual({ type: 'cancelled', reason: 'not needed' })
    expect(await client.closed()).toBe(1000)
  })

  it('lets one person write at a time, lists viewers, and reports when the keyboard is free', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('while read line; do echo "<$line>"; done')
    using first = trial.open(hostId)
    await first.printed('opened')
    expect(trial.attended).toEqual([`${hostId} true`])
    using second = trial.open(hostId)
    expect(await second.printed('opened')).toMatchObject({ readOnly: true })
    expect(await second.printed('keyboard')).toEqual({ type: 'keyboard', taken: true })
    second.type('not this\r')
    first.type('but this\r')
    await second.saw('<but this>')
    expect(await trial.shown(hostId, '<but this>')).not.toContain('not this')

    using third = trial.open(hostId, 'take=true')
    expect(await third.printed('opened')).toMatchObject({ readOnly: false })
    expect(await first.closed()).toBe(4001)
    expect(trial.attended).toEqual([`${hostId} true`])
    third.socket.close()
    await eventually(
      'a free keyboard',
      () => second.messages.some((message) => message.type === 'keyboard' && !message.taken) || undefined,
    )
    expect(trial.attended).toEqual([`${hostId} true`, `${hostId} false`])
  })

  it('accepts no input from a read-only viewer and does not count it as attended', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('echo up; while read line; do echo "<$line>"; done')
    using client = trial.open(hostId, 'readonly=true')
    expect(await client.printed('opened')).toMatchObject({ readOnly: true })
    await client.saw('up')
    client.type('nothing\r')
    client.say({ type: 'input', text: 'nothing\r' })
    client.say({ type: 'screen' })
    await client.printed('screen')
    await trial.host.write(hostId, 'the last word\r')
    expect(await trial.shown(hostId, '<the last word>')).not.toContain('nothing')
    expect(trial.attended).toEqual([])
  })

  it('refuses a session without a terminal, with a message', async () => {
    await using trial = await openTrial()
    using client = trial.open(String(someSession()) as HostId)
    expect((await client.printed('refused')).error.type).toBe('not-found')
    expect(await client.closed()).toBe(4004)
  })

  it('disconnects viewers when the daemon stops, and keeps the session', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('read line')
    using client = trial.open(hostId)
    await client.printed('opened')
    trial.route[Symbol.dispose]()
    expect(await client.closed()).toBe(1001)
    expect((await trial.host.inspect(hostId)).type).toBe('running')
  })

  it.each([
    ['a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['no token', { authorization: '' }, 401],
    ['a foreign host', { host: 'evil.example:80' }, 421],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['another version', { 'sec-websocket-version': '7' }, 400],
    ['a key that is none', { 'sec-websocket-key': 'abc' }, 400],
  ])('refuses %s before the WebSocket opens', async (_what, headers, status) => {
    await using trial = await openTrial()
    const { socket, answer } = await rawUpgrade(
      trial.port,
      `/api/sessions/${someSession()}/terminal`,
      headers,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('"success":false')
    socket.destroy()
  })

  it.each([
    ['/api/elsewhere', 404],
    ['//', 404],
    ['/api/sessions/ses_nonsense/terminal', 404],
    [`/api/sessions/${someSession()}/terminal?columns=0&rows=5`, 400],
    [`/api/sessions/${someSession()}/terminal?columns=99999999&rows=5`, 400],
  ])('refuses %s', async (path, status) => {
    await using trial = await openTrial()
    const { socket, answer } = await rawUpgrade(trial.port, path, {})
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    socket.destroy()
  })

  it('accepts the token in the header', async () => {
    await using trial = await openTrial()
    const { socket, answer } = await rawUpgrade(trial.port, `/api/sessions/${someSession()}/terminal`, {})
    expect(answer).toMatch(/^HTTP\/1\.1 101 /)
    expect(answer).not.toMatch(/sec-websocket-protocol/i)
    socket.destroy()
  })

  it('keeps what a viewer sends before the terminal is open', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('while :; do stty size >>sizes; sleep 0.05; done')
    using client = trial.open(hostId)
    client.socket.addEventListener('open', () => client.say({ type: 'resize', columns: 61, rows: 17 }))
    await client.printed('opened')
    const sizes = () => readFile(`${trial.path}/sizes`, 'utf8').catch(() => '')
    await eventually('the size', async () => (await sizes()).includes('17 61') || undefined)
  })

  it('ignores messages it does not know', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('while read line; do echo "<$line>"; done')
    using client = trial.open(hostId)
    await client.printed('opened')
    for (const text of ['nonsense', '{"type":"dance"}', '{"type":"resize","columns":"wide"}', '[]'])
      client.socket.send(text)
    client.type('still here\r')
    await client.saw('<still here>')
  })

  it('closes the connection of a viewer whose message is too large', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('read line')
    using client = trial.open(hostId)
    await client.printed('opened')
    client.socket.send(new Uint8Array(1024 * 1024 + 1))
    expect(await client.closed()).toBe(1009)
    await eventually('a free keyboard', () => trial.attended.includes(`${hostId} false`) || undefined)
  })

  it('closes the connection of a client that violates the protocol', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('read line')
    const { socket } = await rawUpgrade(trial.port, `/api/sessions/${hostId}/terminal`, {})
    // A text frame without the mask that every client must use.
    socket.write(Buffer.from([0x81, 0x02, 0x68, 0x69]))
    await once(socket.resume(), 'close')
    await eventually('a free keyboard', () => trial.attended.includes(`${hostId} false`) || undefined)
  })

  it('disconnects a viewer that reads nothing, buffers little for it and does not hold up the program', async () => {
    // Without tmux, every byte of the program goes to the viewer.
    await using trial = await openTrial(300, { kind: 'pty' })
    const hostId = await trial.run(
      'read line; head -c 50000000 /dev/zero | tr "\\0" "x"; echo done >log; read line',
    )
    const { socket } = await rawUpgrade(trial.port, `/api/sessions/${hostId}/terminal`, {})
    socket.pause()
    const before = process.memoryUsage().rss
    await trial.host.write(hostId, '\r')
    await eventually('the end of the flood', () =>
      readFile(`${trial.path}/log`, 'utf8').catch(() => undefined),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
    await eventually('a disconnect', () => trial.logged.find((line) => line.includes('reads nothing')))
    await eventually('a free keyboard', () => trial.attended.includes(`${hostId} false`) || undefined)
    expect((await trial.host.inspect(hostId)).type).toBe('running')
    socket.destroy()
  })

  it('sends nothing while a viewer pauses, and the current screen afterwards', async () => {
    await using trial = await openTrial(500)
    const hostId = await trial.run('read line; seq 1 200000; echo end of flood; echo done >log; read line')
    using client = trial.open(hostId)
    await client.printed('opened')
    client.say({ type: 'pause' })
    client.say({ type: 'screen' })
    await client.printed('screen')
    await trial.host.write(hostId, '\r')
    await eventually('the end of the flood', () =>
      readFile(`${trial.path}/log`, 'utf8').catch(() => undefined),
    )
    client.say({ type: 'resume' })
    await client.saw('end of flood')
  })
})
