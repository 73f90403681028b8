import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../test/support/temporary-directory.ts'

const BIN = resolve(import.meta.dirname, 'bin.ts')

type Start = { readonly removeDirectory?: string; readonly stdout?: number }

/** Runs `muster`. With `removeDirectory`, it runs in that directory, which no longer exists when the program starts. */
async function run(words: readonly string[], { removeDirectory, stdout }: Start = {}) {
  const shell = removeDirectory === undefined ? 'exec "$@"' : 'rmdir -- "$PWD" && exec "$@"'
  const child = spawn('/bin/sh', ['-c', shell, 'sh', process.execPath, BIN, ...words], {
    cwd: removeDirectory ?? '/',
    stdio: ['ignore', stdout ?? 'ignore', 'pipe'],
  })
  const [err] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')])
  return { code: child.exitCode, err }
}

it('reports that the current directory was removed', async () => {
  await using directory = await temporaryDirectory()
  expect(await run(['status'], { removeDirectory: directory.path })).toEqual({
    code: 1,
    err: 'error: the current directory no longer exists\n  try: cd ~\n',
  })
})

it('names the Node of its checkout if the person has an older one', async () => {
  const older =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})'
  const child = spawn(process.execPath, ['--import', older, BIN, 'status'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [err] = await Promise.all([text(child.stderr), once(child, 'close')])
  const node = resolve(import.meta.dirname, '../node_modules/node/bin/node')
  expect(child.exitCode).toBe(2)
  expect(err).toBe(
    `error: muster needs Node 22.13 or newer, but this is 20.1.0\n  see: https://nodejs.org\n  try: alias muster='"${node}" "${BIN}"'\n`,
  )
})

it("runs no program of the current directory, whatever the person's PATH says", async () => {
  await using directory = await temporaryDirectory()
  execFileSync('git', ['init', '--quiet', directory.path])
  await writeFile(join(directory.path, 'git'), '#!/bin/sh\ntouch ran\nexit 1\n', { mode: 0o755 })
  const child = spawn(process.execPath, [BIN, '--home', join(directory.path, 'home'), 'init'], {
    cwd: directory.path,
    env: { ...process.env, PATH: `.::${process.env['PATH']}` },
    stdio: 'ignore',
  })
  await once(child, 'close')
  expect(existsSync(join(directory.path, 'ran'))).toBe(false)
})

it('prints its version even if the current directory was removed', async () => {
  await using directory = await temporaryDirectory()
  expect(await run(['--version'], { removeDirectory: directory.path })).toEqual({ code: 0, err: '' })
})

it.skipIf(!existsSync('/dev/full'))('reports output that could not be written', async () => {
  const full = openSync('/dev/full', 'w')
  try {
    expect(await run(['help'], { stdout: full })).toEqual({
      code: 1,
      err: 'error: cannot write to standard output: no space left on device\n',
    })
  } finally {
    closeSync(full)
  }
})
