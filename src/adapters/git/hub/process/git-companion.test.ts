import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kill } from 'node:process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Companion, createCompanion } from './git-companion.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'muster-companion-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A companion that runs this script. The script first writes its PID to the file `starts`. */
function companionOf(script: string, answerTimeoutMs?: number): Companion {
  const command = join(directory, 'program')
  writeFileSync(command, `#!/bin/sh\necho $$ >> '${join(directory, 'starts')}'\n${script}\n`)
  chmodSync(command, 0o755)
  return createCompanion({
    command,
    arguments: [],
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    isWhole: (answer) => answer.at(-1) === 0x0a,
    ...(answerTimeoutMs === undefined ? {} : { answerTimeoutMs }),
  })
}

function starts(): readonly number[] {
  const file = join(directory, 'starts')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

function isAlive(pid: number): boolean {
  try {
    kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function ask(companion: Companion, question: string): Promise<string | undefined> {
  return (await companion.ask(`${question}\n`))?.toString()
}

const ECHO = 'while read -r line; do echo "you said $line"; done'

describe('a companion', () => {
  it('answers questions in order, even if they are asked at once', async () => {
    using companion = companionOf(ECHO)
    const answers = await Promise.all(['one', 'two', 'three'].map((word) => ask(companion, word)))

    expect(answers).toEqual(['you said one\n', 'you said two\n', 'you said three\n'])
    expect(starts()).toHaveLength(1)
  })

  it('waits for the complete answer', async () => {
    using companion = companionOf('while read -r line; do printf "half "; sleep 0.1; echo whole; done')

    expect(await ask(companion, 'x')).toBe('half whole\n')
  })

  it('has no answer if it ends, and is started again for the next question', async () => {
    using companion = companionOf('read -r line; [ "$line" = die ] && exit 1; echo yes; cat > /dev/null')

    expect(await ask(companion, 'die')).toBeUndefined()
    expect(await ask(companion, 'live')).toBe('yes\n')
    expect(starts()).toHaveLength(2)
  })

  it('notices that it was killed between two questions', async () => {
    using companion = companionOf(ECHO)
    await ask(companion, 'one')
    const [pid = 0] = starts()
    kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    const answers = [await ask(companion, 'two'), await ask(companion, 'three')]

    expect(answers.at(-1)).toBe('you said three\n')
    expect([undefined, 'you said two\n']).toContain(answers[0])
    expect(starts()).toHaveLength(2)
  })

  it('is killed if it prints more than the answer', async () => {
    using companion = companionOf('read -r line; echo yes; sleep 0.2; echo more; cat > /dev/null')
    await ask(companion, 'one')
    const [pid = 0] = starts()

    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    expect(await ask(companion, 'two')).toBe('yes\n')
    expect(starts()).toHaveLength(2)
  })

  it('is killed if its answer is endless', async () => {
    using companion = companionOf('read -r line; cat /dev/zero')

    expect(await ask(companion, 'one')).toBeUndefined()
    const [pid = 0] = starts()
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
  })

  it('is not used for a while if it does not answer', async () => {
    using companion = companionOf('exec cat > /dev/null', 300)

    expect(await ask(companion, 'one')).toBeUndefined()
    expect(await ask(companion, 'two')).toBeUndefined()
    const [pid = 0, ...others] = starts()
    expect(others).toEqual([])
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
  })

  it('is not used for a while if it ends again and again', async () => {
    using companion = companionOf('exit 1')
    for (let question = 0; question < 10; question += 1) {
      expect(await ask(companion, 'x')).toBeUndefined()
    }

    expect(starts()).toHaveLength(5)
  })

  it('has no answer if its program does not exist', async () => {
    const isWhole = () => true
    using companion = createCompanion({ command: '/nonexistent', arguments: [], environment: {}, isWhole })

    expect(await ask(companion, 'x')).toBeUndefined()
  })

  it('ends when it is disposed, without an answer to the open question', async () => {
    const companion = companionOf('cat > /dev/null')
    const waiting = ask(companion, 'x')
    await vi.waitFor(() => expect(starts()).toHaveLength(1))
    companion[Symbol.dispose]()

    expect(await waiting).toBeUndefined()
    const [pid = 0] = starts()
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
  })
})
