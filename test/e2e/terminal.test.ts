import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTerminalLink } from '../../src/cli/attach/terminal-link.ts'
import type { WireSession } from '../../src/client/index.ts'
import { randomPart } from '../../src/domain/short-id.ts'
import { processesWith } from '../support/processes.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const BIN = resolve(import.meta.dirname, '../../src/bin.ts')
const SIZE = { columns: 80, rows: 24 }

/** Draws a screen, then records and shows each line that is typed. */
const SCREEN = [
  `printf '\\033[?1049h\\033[2J\\033[5;10Hwelcome to %s' "$MUSTER_ROLE"`,
  'setsid sleep 1000 &',
  'while IFS= read -r line; do',
  // A path makes it wait for that file and exit with status 7.
  `  case "$line" in /*) until [ -e "$line" ]; do sleep 0.05; done; exit 7;; esac`,
  `  echo "$line" >> heard.txt; printf '\\033[7;10Hheard %s   ' "$line"`,
  'done',
].join('\n')

const CONFIGURATION = {
  version: 1,
  checks: ['true'],
  agents: { screen: { provider: 'command', command: ['sh', './screen.sh'], roles: [] } },
}

const shared = shareDaemon()
let repository: TestRepository

beforeAll(async () => {
  repository = await testRepository({ 'screen.sh': SCREEN, 'muster.yaml': JSON.stringify(CONFIGURATION) })
})
afterAll(() => repository[Symbol.asyncDispose]())

const seen = async (id: string) => take(await shared.client.getSession(id))

async function openScreen(): Promise<WireSession> {
  const { id } = take(
    await shared.client.openSession({
      repositoryPath: repository.path,
      agent: 'screen',
      role: 'guide',
      mode: 'interactive',
    }),
  )
  await until(async () => (await seen(id)).status === 'running')
  return await seen(id)
}

/** Attaches a person to a session's terminal and records what they are shown. */
async function attach(
  sessionId: string,
  options: { readonly readOnly?: boolean; readonly take?: boolean } = {},
) {
  const token = (await readFile(resolve(shared.home.home, 'token'), 'utf8')).trim()
  let shown = ''
  let text = ''
  let isReadOnly: boolean | undefined
  let ended: string | undefined
  let closed: number | undefined
  const link = openTerminalLink(
    { url: shared.client.url, token, sessionId },
    {
      size: SIZE,
      readOnly: options.readOnly ?? false,
      take: options.take ?? false,
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
    endedAs: (type: string) => until(() => ended === type),
    isClosedBy: (code: number) => until(() => closed === code),
    [Symbol.dispose]: () => link[Symbol.dispose](),
  }
}

async function stop(sessionId: string): Promise<void> {
  take(await shared.client.stopSession(sessionId))
  await until(async () => (await seen(sessionId)).status === 'terminated')
}

/** The lines that were typed into a session that has ended, read from its branch. */
async function heardBy(sessionId: string): Promise<readonly string[]> {
  let text = ''
  await until(async () => {
    text = await repository.git('show', `muster/${sessionId}:heard.txt`).catch(() => '')
    return text !== ''
  })
  return text.split('\n')
}

describe('a session on a terminal', () => {
  it('shows its screen to everyone and takes input only from the person who has the keyboard', async () => {
    const session = await openScreen()
    expect(session).toMatchObject({ mode: 'interactive', role: 'guide' })
    using writer = await attach(session.id)
    await writer.shows('welcome to guide')
    expect(await writer.screenShows('welcome')).toMatch(/\n {9}welcome to guide/)
    using looker = await attach(session.id, { readOnly: true })
    using late = await attach(session.id)
    expect([writer.isReadOnly, looker.isReadOnly, late.isReadOnly]).toEqual([false, true, true])
    looker.type('from the looker\r')
    late.type('from the late one\r')
    writer.type('from the writer\r')
    await looker.shows('heard from the writer')

    using taker = await attach(session.id, { take: true })
    expect(taker.isReadOnly).toBe(false)
    await writer.isClosedBy(4001)
    taker.type('from the taker\r')
    await looker.shows('heard from the taker')
    await stop(session.id)
    await looker.isEnded()
    expect(await heardBy(session.id)).toEqual(['from the writer', 'from the taker'])
  })

  it('gets messages typed in only while no person has the keyboard', async () => {
    const session = await openScreen()
    const writer = await attach(session.id)
    await writer.shows('welcome')
    take(await shared.client.say(session.id, 'told by the engine'))
    writer.type('first ')
    await writer.shows('first')
    writer.type('my own\r')
    await writer.shows('heard first my own')
    writer[Symbol.dispose]()
    using looker = await attach(session.id, { readOnly: true })
    await looker.screenShows('heard told by the engine')
    take(await shared.client.say(session.id, 'and at once'))
    await looker.screenShows('heard and at once')
    await stop(session.id)
    expect(await heardBy(session.id)).toEqual(['first my own', 'told by the engine', 'and at once'])
  })

  it('survives the death of the daemon, and leaves no process when it is stopped', async () => {
    const session = await openScreen()
    const writer = await attach(session.id)
    await writer.shows('welcome')
    writer.type('before\r')
    await writer.shows('heard before')
    take(await shared.client.say(session.id, 'said to one who is busy'))
    const { pid } = await seen(session.id)
    await shared.daemon.kill()
    await writer.isClosedBy(1006)
    const alive = () => processesWith(session.id, [shared.daemon.pid])
    expect(await alive()).not.toEqual([])

    await shared.startNext()
    expect(await seen(session.id)).toMatchObject({ status: 'running', pid, processNumber: 1 })
    using looker = await attach(session.id, { readOnly: true })
    expect(await looker.screenShows('heard said to one who is busy')).toContain('welcome')
    using again = await attach(session.id)
    again.type('after\r')
    await again.shows('heard after')
    await stop(session.id)
    expect(await seen(session.id)).toMatchObject({ ending: 'cancelled' })
    using late = await attach(session.id)
    await late.endedAs('cancelled')
    expect(await heardBy(session.id)).toEqual(['before', 'said to one who is busy', 'after'])
    expect(await alive()).toEqual([])
  })

  it('keeps its exit status and its work if it ends while the daemon is dead', async () => {
    const session = await openScreen()
    const writer = await attach(session.id)
    await writer.shows('welcome')
    const door = resolve(shared.home.home, 'door')
    writer.type('before\r')
    await writer.shows('heard before')
    writer.type(`${door}\r`)
    await writer.shows(door)
    await shared.daemon.kill()
    await writeFile(door, '')
    await until(async () => (await processesWith(session.id, [shared.daemon.pid])).length === 0)
    await shared.startNext()
    await until(async () => (await seen(session.id)).status === 'terminated')
    expect((await seen(session.id)).end).toEqual({ type: 'exited', code: 7 })
    expect(await heardBy(session.id)).toEqual(['before'])
    const logs = await runCommandLine(['logs', session.id], { home: shared.home.home, cwd: repository.path })
    expect(logs.stdout).toContain('heard before')
  })

  it('is shown by `muster attach`, which restores the terminal after Ctrl-]', async () => {
    const started = await runCommandLine(
      ['session', 'start', '--interactive', '--agent', 'screen', '--role', 'guide', '--json'],
      { home: shared.home.home, cwd: repository.path },
    )
    expect(started.code).toBe(0)
    const { data } = JSON.parse(started.stdout) as { readonly data: WireSession }
    await until(async () => (await seen(data.id)).status === 'running')

    const command = `"$@"; echo "code is $?"; stty -a`
    const words = ['-c', command, 'sh', process.execPath, BIN, 'attach', data.id]
    const environment = Object.entries({
      ...process.env,
      TERM: 'xterm-256color',
      MUSTER_HOME: shared.home.home,
    })
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
    expect(after).toMatch(new RegExp(`muster attach ses_${randomPart(data.id).slice(0, 4)}`))
    expect(await seen(data.id)).toMatchObject({ status: 'running' })
    await stop(data.id)
    expect(await heardBy(data.id)).toEqual(['typed by hand'])
  })
})
