import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTerminalLink } from '../../src/cli/attach/terminal-link.ts'
import type { WireSession } from '../../src/client/index.ts'
import { take } from '../support/acp-agent/acp-stage.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { type TestDaemon, type TestHome, until } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const BIN = resolve(import.meta.dirname, '../../src/bin.ts')
const SIZE = { columns: 80, rows: 24 }

/** Draws a screen of its own, then writes down what is typed and shows it. */
const SCREEN = [
  `printf '\\033[?1049h\\033[2J\\033[5;10Hwelcome to %s' "$MUSTER_ROLE"`,
  'setsid sleep 1000 &',
  'while IFS= read -r line; do',
  // Leaves, with a status of its own, when the file it is told of is there.
  `  case "$line" in /*) until [ -e "$line" ]; do sleep 0.05; done; exit 7;; esac`,
  `  echo "$line" >> heard.txt; printf '\\033[7;10Hheard %s   ' "$line"`,
  'done',
].join('\n')

const CONFIGURATION = {
  version: 1,
  checks: ['true'],
  agents: { screen: { provider: 'command', command: ['sh', './screen.sh'], roles: [] } },
}

let home: TestHome
let repository: TestRepository
let daemon: TestDaemon
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  home = stack.use(await quickHome())
  const files = { 'screen.sh': SCREEN, 'muster.yaml': JSON.stringify(CONFIGURATION) }
  repository = stack.use(await testRepository(files))
  daemon = await home.start()
})
afterAll(() => stack.disposeAsync())

const seen = async (id: string) => take(await daemon.client.getSession(id))

async function openScreen(): Promise<WireSession> {
  const { id } = take(
    await daemon.client.openSession({
      repositoryPath: repository.path,
      agent: 'screen',
      role: 'guide',
      mode: 'interactive',
    }),
  )
  await until(async () => (await seen(id)).status === 'running')
  return await seen(id)
}

/** A person before a session's screen, with what they were shown and told. */
async function sitDown(
  sessionId: string,
  wish: { readonly readOnly?: boolean; readonly take?: boolean } = {},
) {
  const token = (await readFile(resolve(home.home, 'token'), 'utf8')).trim()
  let shown = ''
  let text = ''
  let isReadOnly: boolean | undefined
  let ended: string | undefined
  let closed: number | undefined
  const link = openTerminalLink(
    { url: daemon.client.url, token, sessionId },
    {
      size: SIZE,
      readOnly: wish.readOnly ?? false,
      take: wish.take ?? false,
      onData: (bytes) => (shown += Buffer.from(bytes).toString()),
      onMessage: (message) => {
        if (message.type === 'opened') isReadOnly = message.readOnly
        if (message.type === 'screen') text = message.text
        if (message.type === 'ended') ended = message.end.type
      },
      onClose: (code) => (closed = code),
    },
  )
  await until(() => isReadOnly !== undefined || closed !== undefined)
  return {
    isReadOnly,
    type: (keys: string) => link.type(Buffer.from(keys)),
    shows: (words: string) => until(() => shown.includes(words)),
    async screenShows(words: string) {
      await until(() => {
        link.askForScreen()
        return text.includes(words)
      })
      return text
    },
    isEnded: () => until(() => ended !== undefined),
    isClosedBy: (code: number) => until(() => closed === code),
    [Symbol.dispose]: () => link[Symbol.dispose](),
  }
}

async function stop(sessionId: string): Promise<void> {
  take(await daemon.client.stopSession(sessionId))
  await until(async () => (await seen(sessionId)).status === 'terminated')
}

/** What was typed at a session that is over, as its branch in the person's repository has it. */
async function heardBy(sessionId: string): Promise<readonly string[]> {
  let text = ''
  await until(async () => {
    text = await repository.git('show', `muster/${sessionId}:heard.txt`).catch(() => '')
    return text !== ''
  })
  return text.split('\n')
}

describe('a session on a terminal', () => {
  it('shows its screen to everybody and hears only who has the keyboard', async () => {
    const session = await openScreen()
    expect(session).toMatchObject({ mode: 'interactive', role: 'guide' })
    using writer = await sitDown(session.id)
    await writer.shows('welcome to guide')
    expect(await writer.screenShows('welcome')).toMatch(/\n {9}welcome to guide/)
    using looker = await sitDown(session.id, { readOnly: true })
    using late = await sitDown(session.id)
    expect([writer.isReadOnly, looker.isReadOnly, late.isReadOnly]).toEqual([false, true, true])
    looker.type('from the looker\r')
    late.type('from the late one\r')
    writer.type('from the writer\r')
    await looker.shows('heard from the writer')

    using taker = await sitDown(session.id, { take: true })
    expect(taker.isReadOnly).toBe(false)
    await writer.isClosedBy(4001)
    taker.type('from the taker\r')
    await looker.shows('heard from the taker')
    await stop(session.id)
    await looker.isEnded()
    expect(await heardBy(session.id)).toEqual(['from the writer', 'from the taker'])
  })

  it('is typed what it is told only when nobody sits at it', async () => {
    const session = await openScreen()
    const writer = await sitDown(session.id)
    await writer.shows('welcome')
    take(await daemon.client.say(session.id, 'told by the engine'))
    writer.type('first ')
    await writer.shows('first')
    writer.type('my own\r')
    await writer.shows('heard first my own')
    writer[Symbol.dispose]()
    using looker = await sitDown(session.id, { readOnly: true })
    await looker.screenShows('heard told by the engine')
    take(await daemon.client.say(session.id, 'and at once'))
    await looker.screenShows('heard and at once')
    await stop(session.id)
    expect(await heardBy(session.id)).toEqual(['first my own', 'told by the engine', 'and at once'])
  })

  it('outlives a killed daemon, goes on under the next one, and leaves no process when it is stopped', async () => {
    const session = await openScreen()
    const writer = await sitDown(session.id)
    await writer.shows('welcome')
    writer.type('before\r')
    await writer.shows('heard before')
    take(await daemon.client.say(session.id, 'said to one who is busy'))
    const { pid } = await seen(session.id)
    await daemon.kill()
    await writer.isClosedBy(1006)
    const alive = () => processesWith(session.id, [daemon.pid])
    expect(await alive()).not.toEqual([])

    daemon = await home.start()
    expect(await seen(session.id)).toMatchObject({ status: 'running', pid, life: 1 })
    using looker = await sitDown(session.id, { readOnly: true })
    expect(await looker.screenShows('heard said to one who is busy')).toContain('welcome')
    using again = await sitDown(session.id)
    again.type('after\r')
    await again.shows('heard after')
    await stop(session.id)
    expect(await seen(session.id)).toMatchObject({ ending: 'cancelled' })
    expect(await heardBy(session.id)).toEqual(['before', 'said to one who is busy', 'after'])
    expect(await alive()).toEqual([])
  })

  it('that ends by itself under a daemon that is gone is over for the next one, with its work', async () => {
    const session = await openScreen()
    const writer = await sitDown(session.id)
    await writer.shows('welcome')
    const door = resolve(home.home, 'door')
    writer.type('before\r')
    await writer.shows('heard before')
    writer.type(`${door}\r`)
    await writer.shows(door)
    await daemon.kill()
    await writeFile(door, '')
    await until(async () => (await processesWith(session.id, [daemon.pid])).length === 0)
    daemon = await home.start()
    await until(async () => (await seen(session.id)).status === 'terminated')
    expect((await seen(session.id)).end).toEqual({ type: 'exited', code: 7 })
    expect(await heardBy(session.id)).toEqual(['before'])
  })

  it('is attached to by `muster attach`, which gives the terminal back when Ctrl-] is pressed', async () => {
    const started = await runCommandLine(
      ['session', 'start', '--interactive', '--agent', 'screen', '--role', 'guide', '--json'],
      { home: home.home, cwd: repository.path },
    )
    expect(started.code).toBe(0)
    const { data } = JSON.parse(started.stdout) as { readonly data: WireSession }
    await until(async () => (await seen(data.id)).status === 'running')

    const command = `"$@"; echo "code is $?"; stty -a`
    const words = ['-c', command, 'sh', process.execPath, BIN, 'attach', data.id]
    const environment = Object.entries({ ...process.env, TERM: 'xterm-256color', MUSTER_HOME: home.home })
    const pty = spawn('/bin/sh', words, {
      cols: SIZE.columns,
      rows: SIZE.rows,
      cwd: repository.path,
      env: Object.fromEntries(
        environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    })
    let shown = ''
    let exit: number | undefined
    pty.onData((text) => {
      shown += text
    })
    pty.onExit(({ exitCode }) => {
      exit = exitCode
    })
    await until(() => shown.includes('welcome to guide'))
    pty.write('typed by hand\r')
    await until(() => shown.includes('heard typed by hand'))
    pty.write('\u001d')
    await until(() => exit !== undefined)
    expect(exit).toBe(0)
    const [before = '', after = ''] = shown.split('\u001b[?1049l').slice(-2)
    expect(before).toContain('heard typed by hand')
    expect(after).toContain('code is 0')
    expect(after).toMatch(/\bicanon\b/)
    expect(after).toMatch(/(?<!-)\becho\b/)
    expect(after).toContain(`muster attach ${data.id}`)
    expect(await seen(data.id)).toMatchObject({ status: 'running' })
    await stop(data.id)
    expect(await heardBy(data.id)).toEqual(['typed by hand'])
  })
})
