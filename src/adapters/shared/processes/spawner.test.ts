import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { until } from '../../../../test/support/test-daemon.ts'
import { createSpawner } from './spawner.ts'
import { type ProcessEnd, type StartedProcess, type StartProcess, startProcess } from './start-process.ts'

type Trial = { readonly process: StartedProcess; readonly end: Promise<ProcessEnd>; output(): string }

function shell(start: StartProcess, script: string, options: { isBackground?: boolean } = {}): Trial {
  let output = ''
  let resolve: (end: ProcessEnd) => void = () => undefined
  const end = new Promise<ProcessEnd>((settle) => {
    resolve = settle
  })
  const process = start(
    {
      command: '/bin/sh',
      arguments: ['-c', script],
      cwd: '/',
      environment: { GREETING: 'hello' },
      hasInput: true,
      hasOutput: true,
      isBackground: options.isBackground ?? false,
    },
    {
      onStdout: (chunk) => {
        output += chunk
      },
      onStderr: (chunk) => {
        output += chunk
      },
      onEnd: resolve,
    },
  )
  return { process, end, output: () => output }
}

describe.each([
  ['from this process', () => ({ start: startProcess, [Symbol.dispose]: () => undefined })],
  ['by a spawner', createSpawner],
])('a process started %s', (_, create) => {
  it('gets its environment and input, and reports its output and status', async () => {
    using spawner = create()
    const trial = shell(spawner.start, 'echo "$GREETING"; cat; echo oops >&2; exit 3')
    trial.process.write('written\n')
    trial.process.endInput()
    expect(await trial.end).toEqual({ type: 'ended', code: 3, signal: null })
    expect(trial.output().split('\n').toSorted()).toEqual(['', 'hello', 'oops', 'written'])
  })

  it('passes on all of a large output before the end', async () => {
    using spawner = create()
    const trial = shell(spawner.start, 'seq 200000')
    expect(await trial.end).toMatchObject({ code: 0 })
    expect(trial.output().trimEnd().split('\n')).toHaveLength(200_000)
  })

  it('is killed together with everything that it started', async () => {
    using spawner = create()
    const trial = shell(spawner.start, 'sleep 60 & echo up; wait')
    await until(() => trial.output().includes('up'))
    trial.process.kill()
    expect(await trial.end).toEqual({ type: 'ended', code: null, signal: 'SIGKILL' })
  })

  it('is reported if it cannot be started', async () => {
    using spawner = create()
    const request = { command: '/nonexistent', arguments: [], cwd: '/', environment: {} }
    const end = await new Promise((onEnd) => {
      spawner.start({ ...request, hasInput: false, hasOutput: true, isBackground: false }, { onEnd })
    })
    expect(end).toMatchObject({ type: 'unstartable', code: 'ENOENT' })
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a spawner', () => {
  it('reports its processes as lost when it is killed, and is replaced', async () => {
    using spawner = createSpawner()
    const trial = shell(spawner.start, 'echo $PPID; cat')
    await until(() => trial.output() !== '')
    process.kill(Number(trial.output()), 'SIGKILL')
    expect(await trial.end).toEqual({ type: 'lost' })
    const next = shell(spawner.start, 'echo $PPID')
    expect(await next.end).toMatchObject({ code: 0 })
    expect(Number(next.output())).not.toBe(process.pid)
  })

  it('ends its other processes when it is closed', async () => {
    await using directory = await temporaryDirectory('muster-spawner')
    const pipe = join(directory.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const spawner = createSpawner()
    const trial = shell(spawner.start, `echo $$; cat ${pipe}`)
    await until(() => trial.output() !== '')
    const pid = Number(trial.output())
    spawner[Symbol.dispose]()
    await until(() => !isAlive(pid), 10_000)
    expect(await trial.end).toEqual({ type: 'lost' })
  })

  it('leaves background processes running and closes their input', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'file')
    {
      using spawner = createSpawner()
      const trial = shell(spawner.start, `echo up; cat >/dev/null; echo closed > ${file}`, {
        isBackground: true,
      })
      await until(() => trial.output().includes('up'))
    }
    await until(async () => (await readFile(file, 'utf8').catch(() => '')) === 'closed\n')
  })
})
