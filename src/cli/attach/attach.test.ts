import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createProcessTable } from '../../adapters/hosts/shared/process-table.ts'
import { spawnPty } from '../../adapters/hosts/terminal/spawn-pty.ts'
import { createTerminalTrial, eventually } from '../../adapters/hosts/terminal/testing/terminal-trial.ts'
import { findProgram } from '../../adapters/shared/find-program.ts'
import { formatId } from '../../domain/id.ts'
import { success } from '../../domain/result.ts'
import type { HostId } from '../../ports/session-host.ts'
import { createTerminalRoute } from '../../server/terminal/create-terminal-route.ts'
import { attachCommand } from '../commands/attach.ts'
import { createOutput } from '../output.ts'
import { testSurroundings } from '../testing/test-surroundings.ts'
import { readKeys } from './attach-session.ts'

const HERE = new URL('.', import.meta.url).href
const DETACH = '\x1d'

/** Runs the command in a separate process on a terminal, and prints its exit code at the end. */
const COMMAND = `
const { attachCommand } = await import('${HERE}../commands/attach.ts')
const { createOutput } = await import('${HERE}../output.ts')
const [server, tokenFile, id, ...flags] = process.argv.slice(1)
const onSignal = (signal, listener) => {
  process.on(signal, listener)
  return { [Symbol.dispose]: () => process.off(signal, listener) }
}
const { stdin, stdout, stderr } = process
const surroundings = { environment: process.env, cwd: '/', stdin, stdout, stderr, onSignal }
const options = { json: false, quiet: false, verbose: false, color: true, server, tokenFile }
const output = createOutput(surroundings, options)
if (flags.includes('--crash')) process.once('SIGWINCH', () => { throw new Error('crashed on purpose') })
const wanted = { ...(flags.includes('--read-only') && { readOnly: true }), ...(flags.includes('--take') && { take: true }) }
const outcome = await attachCommand({ surroundings, options, output, home: '/nowhere' }, id, wanted)
if (!outcome.ok) stdout.write('problem: ' + outcome.failure.message + '\\r\\n')
stdout.write('raw: ' + stdin.isRaw + '; left with ' + (outcome.ok ? outcome.value : outcome.failure.exitCode) + '\\r\\n')
process.exit()
`

/** Real terminals behind a real server, and a terminal for the person. */
async function openTrial() {
  const terminal = {
    processes: await createProcessTable(),
    findProgram,
    contain: async () => success({ containment: 'process-group', command: [] } as const),
  }
  const trial = await createTerminalTrial({ terminal, temporaryDirectory, processesWith })
  const note = () => {}
  const route = createTerminalRoute({
    terminals: trial.host,
    token: 'secret',
    log: { info: note, warn: note, error: note },
    findTerminal: async (id) => {
      const hostId = (await trial.host.list()).find((known) => String(known) === String(id))
      return hostId === undefined ? undefined : { hostId }
    },
    onAttended: note,
  })
  const server = createServer((_request, response) => response.end())
  server.on('upgrade', (incoming, socket, head) => route.upgrade(incoming, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokenFile = `${trial.path}/token`
  await writeFile(tokenFile, 'secret\n')
  return {
    ...trial,
    url,
    tokenFile,
    route,
    attach: (id: string, ...flags: string[]) => openPerson([url, tokenFile, id, ...flags]),
    async [Symbol.asyncDispose]() {
      route[Symbol.dispose]()
      server.close()
      await once(server, 'close')
      await trial[Symbol.asyncDispose]()
    },
  }
}

function openPerson(words: readonly string[]) {
  let text = ''
  let isFinished = false
  const decoder = new TextDecoder()
  const pty = spawnPty([process.execPath, '--input-type=module', '-e', COMMAND, ...words], {
    columns: 77,
    rows: 21,
    cwd: '/',
    environment: { PATH: '/usr/bin:/bin', TERM: 'xterm-256color' },
    onData: (bytes) => {
      text += decoder.decode(bytes, { stream: true })
    },
    onExit: () => {
      isFinished = true
    },
  })
  return {
    text: () => text,
    type: (typed: string) => pty.write(new TextEncoder().encode(typed)),
    resize: (columns: number, rows: number) => pty.resize({ columns, rows }),
    saw: (expected: string) => eventually(`"${expected}"`, () => text.includes(expected) || undefined),
    /** Everything that was printed, once the command has ended. */
    left: () => eventually('the end of the command', () => (isFinished ? text : undefined)),
    [Symbol.dispose]: () => pty.hangUp(),
  }
}

describe('muster attach', () => {
  it('connects the terminal, follows its size, detaches at Ctrl-] and restores the terminal', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run(
      'trap "stty size" WINCH; echo welcome; while :; do read line && echo "<$line>"; done',
    )
    using person = trial.attach(hostId)
    await person.saw('Ctrl-] to detach')
    await person.saw('welcome')
    await trial.shown(hostId, '21 77')
    person.type('hello\r')
    await person.saw('<hello>')
    person.resize(99, 31)
    await trial.shown(hostId, '31 99')
    person.type(`rest${DETACH}never sent`)
    const text = await person.left()
    expect(text).toContain('raw: false; left with 0')
    expect(text).toContain('Attach again with')
    expect(text.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(text.lastIndexOf('\x1b[?1049h'))
    expect((await trial.host.inspect(hostId)).type).toBe('running')
    expect(await trial.shown(hostId, 'rest')).not.toContain('never')
  })

  it.each([
    ['exit 0', 'ended normally', 0],
    ['exit 9', 'exited with code 9', 1],
    ['kill -KILL $$', 'killed by signal 9', 1],
  ])('detaches when the session ends by %s', async (script, words, code) => {
    await using trial = await openTrial()
    const hostId = await trial.run(`echo welcome; read line; ${script}`)
    using person = trial.attach(hostId)
    await person.saw('welcome')
    person.type('\r')
    const text = await person.left()
    expect(text).toContain(words)
    expect(text.slice(text.lastIndexOf('\x1b[?1049l'))).toContain('welcome')
    expect(text).toContain(`raw: false; left with ${code}`)
  })

  it('sends no keys with --read-only, and detaches at Ctrl-C', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('echo welcome; while read line; do echo "<$line>"; done')
    using person = trial.attach(hostId, '--read-only')
    await person.saw('welcome')
    person.type('not this\r\x03')
    expect(await person.left()).toContain('left with 0')
    await trial.host.write(hostId, 'this\r')
    expect(await trial.shown(hostId, '<this>')).not.toContain('not')
  })

  it('takes the keyboard from someone else only with --take', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('echo welcome; read line')
    using first = trial.attach(hostId)
    await first.saw('welcome')
    using second = trial.attach(hostId)
    expect(await second.left()).toMatch(/problem: someone else has the keyboard[\s\S]+left with 3/u)
    using third = trial.attach(hostId, '--take')
    await third.saw('welcome')
    expect(await first.left()).toMatch(/someone else took the keyboard[\s\S]+raw: false; left with 3/u)
  })

  it('restores the terminal when the daemon stops or the command crashes', async () => {
    await using trial = await openTrial()
    const hostId = await trial.run('echo welcome; read line')
    using person = trial.attach(hostId)
    await person.saw('welcome')
    trial.route[Symbol.dispose]()
    expect(await person.left()).toMatch(/cannot be reached[\s\S]+raw: false; left with 5/u)
    using crashing = trial.attach(hostId, '--crash')
    await crashing.saw('welcome')
    crashing.resize(60, 20)
    const text = await crashing.left()
    expect(text).toContain('crashed on purpose')
    expect(text.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(text.lastIndexOf('\x1b[?1049h'))
  })

  it('reports an unreachable daemon and a session without a terminal', async () => {
    await using trial = await openTrial()
    const stranger = formatId('session', Date.now(), randomBytes(11))
    using lost = openPerson(['http://127.0.0.1:9', trial.tokenFile, stranger])
    expect(await lost.left()).toMatch(/cannot be reached[\s\S]+left with 5/u)
    using person = trial.attach(stranger)
    expect(await person.left()).toMatch(/has no terminal to attach to[\s\S]+left with 2/u)
  })
})

describe('muster attach without a terminal', () => {
  async function attachPiped(
    hostId: string,
    flags: { readonly readOnly?: true },
    place: { url: string; tokenFile: string },
  ) {
    const surroundings = testSurroundings()
    const options = {
      json: false,
      quiet: false,
      verbose: false,
      color: false,
      server: place.url,
      tokenFile: place.tokenFile,
    }
    const output = createOutput(surroundings, options)
    const outcome = await attachCommand({ surroundings, output, options, home: '/nowhere' }, hostId, flags)
    return { outcome, text: surroundings.stdoutText() }
  }

  it('prints the screen once, without escape sequences, with --read-only', async () => {
    await using trial = await openTrial()
    const hostId: HostId = await trial.run('printf "\\033[31mwelcome\\033[0m\\n"; read line')
    await trial.shown(hostId, 'welcome')
    const { outcome, text } = await attachPiped(hostId, { readOnly: true }, trial)
    expect(outcome).toEqual({ ok: true, value: 0 })
    expect(text).toBe('welcome\n')
  })

  it('fails without --read-only', async () => {
    const { outcome } = await attachPiped('ses_x', {}, { url: 'http://127.0.0.1:9', tokenFile: '/nowhere' })
    expect(outcome).toMatchObject({ ok: false, failure: { type: 'no-terminal', exitCode: 2 } })
  })
})

describe('readKeys', () => {
  it('passes on everything before the key that detaches', () => {
    expect(readKeys(Buffer.from('abc'), false)).toEqual({ typed: Buffer.from('abc'), isDetach: false })
    expect(readKeys(Buffer.from('a\x03b\x1dc'), false)).toEqual({
      typed: Buffer.from('a\x03b'),
      isDetach: true,
    })
    expect(readKeys(Buffer.from('a\x03b'), true).isDetach).toBe(true)
  })
})
