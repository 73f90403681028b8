import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { readInstructions, readMessageText, readNamedFile } from './read-text.ts'

const GOAL = { noun: 'goal', command: 'muster run' } as const
const PROMPT = { noun: 'prompt', command: 'muster session start' } as const
const stdin = () => Object.assign(Readable.from(['make it ', 'fast\n']), { isTTY: false })

describe('a file that an option names', () => {
  it('is suggested again if it is missing or empty', async () => {
    await using directory = await temporaryDirectory()
    writeFileSync(join(directory.path, 'empty.md'), ' ')
    const kind = { noun: 'prompt', command: 'muster fork run_1 --at 1 --prompt implement=FILE' } as const
    for (const file of ['nofile.md', 'empty.md'])
      expect(await readNamedFile({ cwd: directory.path }, file, kind)).toMatchObject({
        failure: { next: `name a file that contains the prompt: ${kind.command}` },
      })
  })
})

describe('a goal or a prompt', () => {
  it('is text, @file, @@ for a leading @, or - for standard input', async () => {
    await using directory = await temporaryDirectory()
    writeFileSync(join(directory.path, 'GOAL.md'), '# Goal\n')
    const read = (given: string) => readInstructions({ cwd: directory.path, stdin: stdin() }, given, GOAL)
    expect(await read('fix it')).toEqual({ ok: true, value: 'fix it' })
    expect(await read('@GOAL.md')).toEqual({ ok: true, value: '# Goal\n' })
    expect(await read('@@types/node is missing')).toEqual({ ok: true, value: '@types/node is missing' })
    expect(await read('-')).toEqual({ ok: true, value: 'make it fast\n' })
  })

  it('must not be empty, a missing file or a directory', async () => {
    await using directory = await temporaryDirectory()
    const needs = { cwd: directory.path, stdin: new PassThrough() }
    for (const given of ['  \n', '@absent.md', '@.']) {
      expect(await readInstructions(needs, given, GOAL)).toMatchObject({
        ok: false,
        failure: { exitCode: 2 },
      })
    }
  })

  it('is called what it is when it cannot be read', async () => {
    await using directory = await temporaryDirectory()
    const needs = { cwd: directory.path, stdin: new PassThrough() }
    expect(await readInstructions(needs, '@x why?', PROMPT)).toMatchObject({
      failure: {
        type: 'prompt-unreadable',
        message: `cannot read the prompt from ${join(directory.path, 'x why?')}`,
        next: 'muster session start @PROMPT.md with an existing file, or muster session start "@@..." for a text that begins with @',
      },
    })
    expect(await readInstructions(needs, ' ', PROMPT)).toMatchObject({
      failure: { message: 'the prompt is empty' },
    })
  })
})

describe('a message', () => {
  it('is taken as it is, or read from standard input', async () => {
    expect(await readMessageText({ stdin: stdin() }, '@types/node')).toEqual({
      ok: true,
      value: '@types/node',
    })
    expect(await readMessageText({ stdin: stdin() }, '-')).toEqual({ ok: true, value: 'make it fast\n' })
  })
})
