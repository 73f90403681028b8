import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { until } from '../../../test/support/test-daemon.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { createNoticeSender } from './send-notice.ts'

let directory: TemporaryDirectory
beforeEach(async () => {
  directory = await temporaryDirectory('muster-notices')
})
afterEach(() => directory[Symbol.asyncDispose]())

/** Sends notices with a PATH that contains only this directory. */
function trial(environment: Readonly<Record<string, string>> = {}, platform: NodeJS.Platform = 'linux') {
  const stdout = new PassThrough()
  const warnings: string[] = []
  const surroundings = { stdout, environment: { PATH: directory.path, ...environment } }
  const needs = { output: { isTerminal: true }, surroundings } as unknown as CommandNeeds
  const send = createNoticeSender(needs, (line) => warnings.push(line), platform)
  let shown = ''
  stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  return { send, warnings, shown: () => shown }
}

/** A program that records its arguments, one per line. */
async function install(name: string, script: string): Promise<void> {
  await writeFile(join(directory.path, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(directory.path, name), 0o755)
}

const recorded = (name: string) => {
  const file = join(directory.path, `${name}.words`)
  return { script: `printf '%s\\n' "$@" > "${file}"`, read: () => readFile(file, 'utf8').catch(() => '') }
}

it('passes the text to notify-send as one argument without markup', async () => {
  const { script, read } = recorded('notify-send')
  await install('notify-send', script)
  trial().send('--help <b>$(id)</b> & "x"')
  await until(async () => (await read()).includes('x'))
  expect((await read()).split('\n').slice(0, 4)).toEqual([
    '--app-name=Muster',
    '--',
    'Muster',
    '--help &lt;b&gt;$(id)&lt;/b&gt; &amp; "x"',
  ])
})

it('passes the text to osascript as an argument, not as a part of the script', async () => {
  const { script, read } = recorded('osascript')
  await install('osascript', script)
  trial({}, 'darwin').send('-e "quoted" text')
  await until(async () => (await read()).includes('quoted'))
  const words = (await read()).trimEnd().split('\n')
  expect(words.at(-1)).toBe('e "quoted" text')
  expect(words.slice(0, -1).join(' ')).not.toContain('quoted')
})

it('asks the terminal if the program is missing, and says so once', async () => {
  const { send, warnings, shown } = trial()
  send('first; second')
  await until(() => shown().includes('first'))
  send('third')
  await until(() => shown().includes('third'))
  expect(shown()).toContain('\u001b]9;Muster: first, second\u001b\\')
  expect(warnings).toEqual(['notify-send is not installed; your terminal shows notifications if it can'])
})

it('asks the terminal of the person over SSH, in the way that it knows', () => {
  const ssh = { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }
  const inFoot = trial({ ...ssh, TERM: 'foot' })
  inFoot.send('look')
  expect(inFoot.shown()).toBe('\u001b]777;notify;Muster;look\u001b\\')
  const inTmux = trial({ ...ssh, TMUX: '/tmp/tmux' })
  inTmux.send('look')
  expect(inTmux.shown()).toBe('\u001bPtmux;\u001b\u001b]9;Muster: look\u001b\u001b\\\u001b\\')
  expect([...inFoot.warnings, ...inTmux.warnings]).toEqual([])
})
