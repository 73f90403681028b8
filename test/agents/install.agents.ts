import { execFile } from 'node:child_process'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)

/** The environment of a person who has neither a home of Muster nor npm's settings of this run. */
function environmentIn(home: string) {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|MUSTER_|NODE_OPTIONS)/.test(name))
  return { ...Object.fromEntries(own), PATH: path, HOME: home, MUSTER_HOME: join(home, 'muster') }
}

async function expectWorkingCommand(prefix: string): Promise<void> {
  const options = { cwd: '/', env: environmentIn(prefix), maxBuffer: 16 * 1024 * 1024 }
  const demo = await run(join(prefix, 'bin/muster'), ['demo', '--json'], options)
  expect(JSON.parse(demo.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ success: true })
}

/** Imports the installed package by its name, and opens a home with an embedded daemon. */
async function expectWorkingLibrary(prefix: string): Promise<void> {
  const packages = join(prefix, 'lib/node_modules')
  const program = [
    `import { createMuster, definePlaybook } from 'muster'`,
    'await using muster = await createMuster()',
    'const status = await muster.client.status()',
    `process.stdout.write([typeof definePlaybook, muster.isEmbedded, status.ok].join(' '))`,
  ]
  await writeFile(join(packages, 'program.mjs'), program.join('\n'))
  const { stdout } = await run(process.execPath, [join(packages, 'program.mjs')], {
    cwd: packages,
    env: environmentIn(prefix),
  })
  expect(stdout).toBe('function true true')
}

it('installs from a packed tarball as a working command and a working library', async () => {
  await using directory = await temporaryDirectory('muster-install')
  const env = environmentIn(directory.path)
  await run('npm', ['pack', '--pack-destination', directory.path], { cwd: ROOT, env })
  const [tarball = ''] = (await readdir(directory.path)).filter((name) => name.endsWith('.tgz'))
  await run('npm', ['install', '-g', '--prefix', directory.path, join(directory.path, tarball)], { env })
  await expectWorkingCommand(directory.path)
  await expectWorkingLibrary(directory.path)
})

it('installs from a checkout as a working command, built on the way', async () => {
  await using directory = await temporaryDirectory('muster-install')
  const checkout = join(directory.path, 'checkout')
  const skipped = new Set(['.git', 'dist'].map((name) => join(ROOT, name)))
  await cp(ROOT, checkout, { recursive: true, verbatimSymlinks: true, filter: (from) => !skipped.has(from) })
  const env = environmentIn(directory.path)
  await run('npm', ['install', '-g', '--prefix', directory.path, '.'], { cwd: checkout, env })
  await expectWorkingCommand(directory.path)
})
