import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { success } from '../../../domain/result.ts'
import type { HostId } from '../../../ports/session-host.ts'
import { findProgram } from '../../shared/find-program.ts'
import { createProcessTable } from '../shared/process-table.ts'
import type { TerminalHostOptions } from './create-terminal-host.ts'
import type { TerminalContainment, TerminalNeeds } from './terminal-needs.ts'
import { createTerminalTrial, eventually, type TerminalTrial } from './testing/terminal-trial.ts'

const run = promisify(execFile)
const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc']
const namespaceMethod: TerminalContainment = {
  containment: 'pid-namespace',
  command: ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '/usr/bin/unshare', ...NAMESPACE],
}
const groupMethod: TerminalContainment = { containment: 'process-group', command: [] }

const hasNamespaces = await run('unshare', [...NAMESPACE, 'true']).then(
  () => true,
  () => false,
)
const hasTmux = (await findProgram('tmux', '/', '/usr/bin:/bin:/usr/local/bin')) !== undefined

async function createTrial(method: TerminalContainment, options: Partial<TerminalHostOptions> = {}) {
  const terminal: TerminalNeeds = {
    processes: await createProcessTable(),
    contain: async () => success(method),
  }
  return await createTerminalTrial({ terminal, temporaryDirectory, processesWith }, options)
}

/** A daemon that only opens a terminal. */
const DAEMON = `
const { createTerminalHost } = await import(process.env.HERE + 'create-terminal-host.ts')
const { createProcessTable } = await import(process.env.HERE + '../shared/process-table.ts')
const contain = async () => ({ ok: true, value: JSON.parse(process.env.CONTAINMENT) })
const needs = { processes: await createProcessTable(), contain }
const host = await createTerminalHost(needs, { directory: process.env.DIRECTORY, kind: 'pty' })
await host.open(JSON.parse(process.env.REQUEST))
setInterval(() => undefined, 60_000)
`

/** Reads keys as interactive agents do: an Enter right after other text is a line break, unless that was marked. */
const EDITOR = `
import { writeFileSync } from 'node:fs'
const BURST_MS = 120
let text = ''
let typedAt = -Infinity
process.stdin.setRawMode(true)
process.stdout.write(process.env.MODE + 'ready')
process.stdin.on('data', (bytes) => {
  const keys = bytes.toString().replaceAll('\\x1b[200~', '[paste]').replaceAll('\\x1b[201~', '[end]')
  const isBurst = keys.length > 1 || performance.now() - typedAt < BURST_MS
  typedAt = performance.now()
  if (keys !== '\\r' || isBurst) {
    text += keys
    return void process.stdout.write(keys)
  }
  writeFileSync('submitted', text)
  process.exit(0)
})
`

const bestContainment = hasNamespaces ? namespaceMethod : groupMethod

/** Tests with tmux are skipped if it isn't installed. */
const kinds = [
  { kind: 'tmux', isPresent: hasTmux },
  { kind: 'pty', isPresent: true },
] as const

for (const { kind, isPresent } of kinds) {
  const options: Partial<TerminalHostOptions> = kind === 'pty' ? { kind } : {}

  describe.skipIf(!isPresent)(`a terminal of kind ${kind}`, () => {
    it('runs a program on a terminal of the requested size and reports its exit status', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('stty size >size; test -t 0 && test -t 1 && exit 7', {
        columns: 91,
        rows: 33,
      })
      expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 7 })
      expect(await readFile(`${trial.path}/size`, 'utf8')).toBe('33 91\n')
    })

    it('reports the signal that killed a program', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('kill -KILL $$')
      expect(await trial.end(hostId)).toEqual({ type: 'signalled', signal: 9 })
    })

    it('starts the program once, even if it is opened many times or after the end', async () => {
      await using trial = await createTrial(bestContainment, options)
      const request = trial.request('echo once >>starts; read line')
      const opened = await Promise.all([1, 2, 3].map(() => trial.host.open(request)))
      expect(opened.every(({ ok }) => ok)).toBe(true)
      expect(new Set(opened.map((result) => result.ok && result.value.pid)).size).toBe(1)
      await eventually('the start', () => readFile(`${trial.path}/starts`, 'utf8').catch(() => undefined))
      await trial.host.write(request.hostId, 'enough\r')
      expect(await trial.end(request.hostId)).toEqual({ type: 'exited', code: 0 })
      expect((await trial.host.open(request)).ok).toBe(true)
      expect(await readFile(`${trial.path}/starts`, 'utf8')).toBe('once\n')
    })

    it('passes arguments and variables unchanged', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostile = [
        'a b',
        "it's",
        '$(touch no)',
        '#{pane_id}',
        'semi;',
        'back\\;',
        '',
        'é\n',
        'x'.repeat(60_000),
      ]
      await writeFile(
        `${trial.path}/print`,
        '#!/bin/sh\nprintf "%s\\0" "$@" "$VALUE" >words\nenv -0 >variables\n',
      )
      await chmod(`${trial.path}/print`, 0o700)
      const hostId = await trial.run('', {
        command: [`${trial.path}/print`, ...hostile],
        environment: { PATH: '/usr/bin:/bin', VALUE: '#{;} "x" \'y\'' },
      })
      expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 0 })
      const words = (await readFile(`${trial.path}/words`, 'utf8')).split('\0').slice(0, -1)
      expect(words).toEqual([...hostile, '#{;} "x" \'y\''])
      const names = (await readFile(`${trial.path}/variables`, 'utf8'))
        .split('\0')
        .map((line) => line.split('=')[0])
      expect(names.filter((name) => /^(TMUX|muster_|MUSTER_)/.test(name ?? ''))).toEqual([])
    })

    it('types text, including control characters', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run(
        'trap "echo interrupted >>log" INT; echo ready; while read line; do echo "$line" >>log; done',
      )
      await trial.shown(hostId, 'ready')
      const log = () => readFile(`${trial.path}/log`, 'utf8').catch(() => '')
      await trial.host.write(hostId, 'grüße; $HOME\r')
      await eventually('the line', async () => (await log()).includes('grüße; $HOME\n') || undefined)
      await trial.host.write(hostId, '\x03')
      await eventually('the interrupt', async () => (await log()).includes('interrupted') || undefined)
    })

    it.each([
      { mode: 'marks pasted text', script: '\u001b[?2004h', pasted: '[paste]one\ntwo[end]' },
      { mode: 'knows a paste only by its speed', script: '', pasted: 'one\ntwo' },
    ])('submits a message to a program that $mode', async ({ script, pasted }) => {
      await using trial = await createTrial(bestContainment, options)
      await writeFile(`${trial.path}/editor.mjs`, EDITOR)
      const hostId = await trial.run('', {
        command: [process.execPath, `${trial.path}/editor.mjs`],
        environment: { PATH: '/usr/bin:/bin', MODE: script },
      })
      await trial.shown(hostId, 'ready')
      await trial.host.submit(hostId, 'one\ntwo\u001b')
      expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 0 })
      expect(await readFile(`${trial.path}/submitted`, 'utf8')).toBe(pasted)
    })

    it('shows a viewer the current screen, and lets it type and resize', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run(
        'trap "stty size >>sizes" WINCH; printf "\\033[?1049h\\033[2J\\033[3;5Hbefore"; while :; do read line && printf "\\033[5;5H<$line>"; done',
      )
      await trial.shown(hostId, 'before')
      using viewer = await trial.view(hostId, { columns: 100, rows: 30 })
      await eventually('the current screen', () => viewer.text().includes('before') || undefined)
      const sizes = () => readFile(`${trial.path}/sizes`, 'utf8').catch(() => '')
      await eventually('the size of the viewer', async () => (await sizes()).includes('30 100') || undefined)
      viewer.resize({ columns: 70, rows: 20 })
      await eventually('the new size', async () => (await sizes()).includes('20 70') || undefined)
      viewer.write(new TextEncoder().encode('typed\r'))
      await eventually('the answer', () => viewer.text().includes('<typed>') || undefined)
    })

    it('does not let a read-only viewer type or resize', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('echo ready; while read line; do echo "got $line"; done')
      await trial.shown(hostId, 'ready')
      using watcher = await trial.view(hostId, { readOnly: true, columns: 40, rows: 10 })
      await eventually('the current screen', () => watcher.text().includes('ready') || undefined)
      watcher.write(new TextEncoder().encode('forbidden\r'))
      watcher.resize({ columns: 41, rows: 11 })
      using writer = await trial.view(hostId)
      writer.write(new TextEncoder().encode('allowed\r'))
      expect(await trial.shown(hostId, 'got allowed')).not.toContain('forbidden')
      writer.write(new TextEncoder().encode('end of test\r'))
      await eventually('the output', () => watcher.text().includes('end of test') || undefined)
    })

    it('notifies a viewer of the end and accepts no new ones', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('read line; exit 3')
      using viewer = await trial.view(hostId)
      viewer.write(new TextEncoder().encode('\r'))
      expect(await eventually('the end', viewer.end)).toEqual({ type: 'terminal-end' })
      expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 3 })
      await expect(trial.view(hostId)).rejects.toThrow('terminal-closed')
      await trial.host.write(hostId, 'nothing happens')
      await trial.host.close(hostId, 0)
      await trial.host.remove(hostId)
      expect(await trial.host.inspect(hostId)).toEqual({ type: 'absent' })
    })

    it('keeps the last screen of a program that has ended', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('echo first; echo "last line"; exit 1')
      await trial.end(hostId)
      expect(await trial.shown(hostId, 'last line')).toBe('first\nlast line\n')
    })

    it('resumes a program that stops itself', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('kill -STOP $$; exit 4')
      expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 4 })
    })

    it('reports why it cannot be opened', async () => {
      await using trial = await createTrial(bestContainment, options)
      const missing = await trial.host.open(trial.request('', { command: ['no-such-program'] }))
      expect(missing).toEqual({ ok: false, failure: { type: 'program-missing', program: 'no-such-program' } })
      const nowhere = await trial.host.open(trial.request('', { cwd: '/no/such/place' }))
      expect(nowhere).toEqual({
        ok: false,
        failure: { type: 'directory-missing', directory: '/no/such/place' },
      })
      const closed = trial.request('exit 0')
      await trial.host.close(closed.hostId, 0)
      expect((await trial.host.open(closed)).ok).toBe(false)
    })

    it.skipIf(!hasNamespaces)(
      'leaves no process after it is closed, even if one hides and ignores signals',
      async () => {
        await using trial = await createTrial(namespaceMethod, options)
        const hostId = await trial.run(
          'trap "" TERM HUP INT; setsid sh -c "trap \\"\\" TERM HUP; echo hidden >>up; while :; do sleep 1; done" & (trap "" TERM HUP; sleep 1000 & wait) & echo shown >>up; while :; do sleep 1; done',
        )
        await eventually('both', async () => {
          const up = await readFile(`${trial.path}/up`, 'utf8').catch(() => '')
          return up.includes('hidden') && up.includes('shown') ? true : undefined
        })
        await trial.host.close(hostId, 200)
        expect(await trial.survivors()).toEqual([])
        expect((await trial.host.inspect(hostId)).type).toBe('signalled')
      },
    )

    it('leaves no process of its session after it is closed without namespaces', async () => {
      await using trial = await createTrial(groupMethod, options)
      const hostId = await trial.run('', {
        command: [
          '/bin/bash',
          '--norc',
          '-i',
          '-c',
          'set -m; trap "" TERM HUP; sleep 1000 & echo up; sleep 1000',
        ],
      })
      await trial.shown(hostId, 'up')
      await trial.host.close(hostId, 200)
      expect(await trial.survivors()).toEqual([])
    })

    it.each([
      ['is removed', (path: string) => rm(path, { recursive: true })],
      [
        'is replaced by another',
        async (path: string) => {
          await rename(path, `${path}.moved`)
          await mkdir(path)
          await writeFile(`${path}/pid`, 'host 4711 99@another-boot process-group pty\n')
        },
      ],
    ] as const)('ends its program soon after its directory %s, and leaves that alone', async (_, remove) => {
      for (const method of new Set([bestContainment, groupMethod])) {
        await using trial = await createTrial(method, { ...options, lookMs: 200 })
        const hostId = await trial.run(
          '(trap "" HUP TERM; sleep 1000) & trap "" HUP TERM; echo up; while :; do sleep 0.1; done',
        )
        await trial.shown(hostId, 'up')
        const directory = `${trial.path}/terminals/${hostId}`
        await remove(directory)
        await eventually('the end of all processes', async () =>
          (await trial.survivors()).length === 0 ? true : undefined,
        )
        expect(await readdir(directory).catch(() => [])).not.toContain('exit')
      }
    })

    it('gives a program time to clean up', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run('trap "exit 5" TERM; echo up; while :; do sleep 0.05; done')
      await trial.shown(hostId, 'up')
      await trial.host.close(hostId, 15_000)
      expect(await trial.host.inspect(hostId)).toEqual({ type: 'exited', code: 5 })
    })

    it('does not block a program that floods a paused viewer', async () => {
      await using trial = await createTrial(bestContainment, options)
      const hostId = await trial.run(
        'read line; head -c 10000000 /dev/zero | tr "\\0" "x"; echo done >>log; read line',
      )
      using slow = await trial.view(hostId)
      slow.pause()
      await trial.host.write(hostId, '\r')
      await eventually('the end of the flood', () =>
        readFile(`${trial.path}/log`, 'utf8').catch(() => undefined),
      )
      expect(slow.shownBytes()).toBeLessThan(2_000_000)
    })
  })
}

const inTerminal = (trial: TerminalTrial, hostId: HostId) => ({ cwd: `${trial.path}/terminals/${hostId}` })

async function serverOf(trial: TerminalTrial, hostId: HostId): Promise<number> {
  const words = ['-S', './tmux', 'display-message', '-p', '#{pid}']
  const { stdout } = await run('tmux', words, inTerminal(trial, hostId))
  return Number(stdout)
}

describe.skipIf(!hasTmux)('a terminal in tmux', () => {
  it('outlives the daemon, and the next one sees its screen and types into it', async () => {
    await using trial = await createTrial(bestContainment)
    const hostId = await trial.run('echo first; read line; echo "got $line"; read line; exit 6')
    await trial.shown(hostId, 'first')
    const before = await trial.host.inspect(hostId)
    await trial.host[Symbol.asyncDispose]()
    const next = await trial.again()
    expect(await next.inspect(hostId)).toEqual(before)
    expect(await next.list()).toEqual([hostId])
    await next.write(hostId, 'again\r')
    await trial.shown(hostId, 'got again')
    await next.write(hostId, '\r')
    expect(await trial.end(hostId)).toEqual({ type: 'exited', code: 6 })
  })

  it('is accessible only to its owner and leaves no server behind', async () => {
    await using trial = await createTrial(bestContainment)
    const hostId = await trial.run('read line')
    const directory = `${trial.path}/terminals/${hostId}`
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    await trial.host.write(hostId, '\r')
    await trial.end(hostId)
    await eventually('the end of tmux', async () =>
      (await trial.survivors()).length === 0 ? true : undefined,
    )
  })

  it("has the requested size until a viewer connects, and then the viewer's", async () => {
    await using trial = await createTrial(bestContainment)
    const hostId = await trial.run('trap "stty size" WINCH; echo up; while :; do sleep 0.05; done')
    await trial.shown(hostId, 'up')
    await trial.host.resize(hostId, { columns: 60, rows: 15 })
    await trial.shown(hostId, '15 60')
    using _viewer = await trial.view(hostId, { columns: 90, rows: 35 })
    await trial.shown(hostId, '35 90')
  })

  it('gets all that a viewer typed just before it left', async () => {
    await using trial = await createTrial(bestContainment)
    const hostId = await trial.run('echo up; while read line; do echo "<$line>"; done')
    const viewer = await trial.view(hostId)
    await eventually('the screen', () => viewer.text().includes('up') || undefined)
    viewer.write(new TextEncoder().encode(`${'word\r'.repeat(2_000)}last words\r`))
    viewer[Symbol.dispose]()
    await trial.shown(hostId, '<last words>')
    await eventually('the end of the viewer', async () => {
      const { stdout } = await run('tmux', ['-S', './tmux', 'list-clients'], inTerminal(trial, hostId))
      return stdout === '' || undefined
    })
    // Nothing of the leaving reached the program.
    await trial.host.write(hostId, 'after\r')
    await trial.shown(hostId, '<after>')
  })

  it('is lost if its server is killed, and leaves no process', async () => {
    await using trial = await createTrial(bestContainment)
    const hostId = await trial.run('trap "" HUP TERM; echo up; while :; do sleep 0.1; done')
    await trial.shown(hostId, 'up')
    process.kill(await serverOf(trial, hostId), 'SIGKILL')
    expect((await trial.end(hostId)).type).toBe('lost')
    if (hasNamespaces) {
      await eventually('the end of all processes', async () =>
        (await trial.survivors()).length === 0 ? true : undefined,
      )
    }
  })
})

describe('a terminal of the daemon', () => {
  it('ends if the daemon is killed, and the next daemon reports why', async () => {
    await using trial = await createTrial(bestContainment, { kind: 'pty' })
    const request = trial.request('trap "" HUP TERM; echo up >log; while :; do sleep 0.1; done')
    const daemon = spawn(process.execPath, ['--input-type=module', '-e', DAEMON], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        REQUEST: JSON.stringify(request),
        CONTAINMENT: JSON.stringify(bestContainment),
        DIRECTORY: `${trial.path}/terminals`,
        HERE: new URL('.', import.meta.url).href,
      },
    })
    await eventually('the program', () => readFile(`${trial.path}/log`, 'utf8').catch(() => undefined))
    expect((await trial.host.inspect(request.hostId)).type).toBe('running')
    daemon.kill('SIGKILL')
    const snapshot = await trial.end(request.hostId)
    expect(snapshot).toMatchObject({
      type: 'lost',
      reason: expect.stringContaining('belonged to the daemon'),
    })
    if (hasNamespaces) {
      await eventually('the end of all processes', async () =>
        (await trial.survivors()).length === 0 ? true : undefined,
      )
    }
  })

  it('is closed when the daemon stops', async () => {
    await using trial = await createTrial(bestContainment, { kind: 'pty' })
    const hostId = await trial.run('echo up; read line')
    await trial.shown(hostId, 'up')
    await trial.host[Symbol.asyncDispose]()
    expect((await (await trial.again()).inspect(hostId)).type).toBe('signalled')
    expect(await trial.survivors()).toEqual([])
  })
})
