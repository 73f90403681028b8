import { execFile } from 'node:child_process'
import { link, mkdir, readdir, readFile, rename, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { parseMessageRequest } from '../../../contract/message.ts'
import type { OutboxFile } from '../../../ports/outbox.ts'
import { createFolderOutbox } from './folder-outbox.ts'

const run = promisify(execFile)
const outbox = createFolderOutbox(parseMessageRequest)
let place: TemporaryDirectory
let directory: string

beforeEach(async () => {
  place = await temporaryDirectory('muster-outbox')
  directory = join(place.path, 'outbox')
  await outbox.prepare(directory)
})

afterEach(() => place[Symbol.asyncDispose]())

/** Writes a file under another name and renames it, as an agent does. */
async function leave(name: string, content: unknown): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(join(directory, `.${name}`), text)
  await rename(join(directory, `.${name}`), join(directory, name))
}

function reasonsOf(files: readonly OutboxFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map((file) => [file.name, file.type === 'unusable' ? file.reason : 'fine']))
}

describe('an outbox folder', () => {
  it('returns messages sorted by name until they are removed', async () => {
    await leave('2.json', { type: 'complete', summary: 'done', unknown: 'ignored' })
    await leave('1.json', { type: 'handoff', summary: 'half', nextSteps: ['one', 'two'] })
    const { files, isMore } = await outbox.take(directory)
    expect(isMore).toBe(false)
    expect(files.map((file) => (file.type === 'message' ? file.request : file.reason))).toEqual([
      { type: 'handoff', summary: 'half', nextSteps: 'one\ntwo', reason: '' },
      { type: 'complete', summary: 'done' },
    ])
    expect((await outbox.take(directory)).files).toEqual(files)
    for (const file of files) await outbox.remove(directory, file)
    expect((await outbox.take(directory)).files).toEqual([])
  })

  it('ignores unfinished files, and is empty if it does not exist', async () => {
    await writeFile(join(directory, '.half.json'), '{"type":')
    await writeFile(join(directory, 'notes.txt'), 'not for you')
    expect(await outbox.take(directory)).toEqual({ files: [], isMore: false })
    expect(await outbox.take(join(place.path, 'nowhere'))).toEqual({ files: [], isMore: false })
  })

  it('keeps a new message with the name of a removed one', async () => {
    await leave('state.json', { type: 'progress', text: 'one' })
    const [first] = (await outbox.take(directory)).files
    await leave('state.json', { type: 'progress', text: 'two' })
    if (first === undefined) throw new Error('there was a message')
    await outbox.remove(directory, first)
    const [second] = (await outbox.take(directory)).files
    expect(second).toMatchObject({ request: { text: 'two' } })
    expect(second?.key).not.toBe(first.key)
  })

  it('refuses everything but regular files without blocking', async () => {
    const secret = join(place.path, 'secret.json')
    await writeFile(secret, JSON.stringify({ type: 'progress', text: 'a secret' }))
    await symlink(secret, join(directory, 'link.json'))
    await link(secret, join(directory, 'hard.json'))
    await run('mkfifo', [join(directory, 'fifo.json')])
    await mkdir(join(directory, 'folder.json'))
    await symlink('/dev/zero', join(directory, 'device.json'))
    const socket = createServer().listen(join(directory, 'socket.json'))
    try {
      const { files } = await outbox.take(directory)
      expect(reasonsOf(files)).toEqual({
        'device.json': 'it is a link',
        'fifo.json': 'it is not a regular file',
        'folder.json': 'it is not a regular file',
        'hard.json': 'it has other hard links; write a file and rename it instead',
        'link.json': 'it is a link',
        'socket.json': 'it cannot be opened (ENXIO)',
      })
      for (const { name } of files) await outbox.setAside(directory, name, 'no message')
    } finally {
      socket.close()
    }
    expect(await readdir(directory)).toEqual([])
    expect(await readFile(secret, 'utf8')).toContain('a secret')
  })

  it('reports why a file is too large or not a message', async () => {
    await writeFile(join(directory, 'large.json'), '')
    await truncate(join(directory, 'large.json'), 2 ** 40)
    await leave('just-too-large.json', `{"type":"progress","text":"${'x'.repeat(256 * 1024)}"}`)
    await leave('text.json', 'I am done')
    await leave('other.json', { type: 'approve', id: 'apr_1' })
    await leave('list.json', [])
    await leave('null.json', 'null')
    await leave('missing.json', { type: 'send', to: 'person' })
    await leave('deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const reasons = reasonsOf((await outbox.take(directory)).files)
    expect(Object.keys(reasons)).toHaveLength(8)
    expect(Object.values(reasons)).not.toContain('fine')
    expect(reasons['large.json']).toBe('it is larger than 262144 bytes')
    expect(reasons['just-too-large.json']).toBe('it is larger than 262144 bytes')
    expect(reasons['text.json']).toBe('it is not valid JSON')
    expect(reasons['missing.json']).toContain('body')
  })

  it('returns at most 64 messages and reports that there are more', async () => {
    for (let number = 100; number < 170; number += 1) {
      await leave(`${number}.json`, { type: 'progress', text: String(number) })
    }
    const { files, isMore } = await outbox.take(directory)
    expect(files).toHaveLength(64)
    expect(isMore).toBe(true)
    expect(files[0]?.name).toBe('100.json')
  })

  it('moves a rejected file out of the folder and writes down the reason', async () => {
    const elsewhere = join(place.path, 'elsewhere')
    await mkdir(elsewhere)
    // A link inside the folder has no effect.
    await symlink(elsewhere, join(directory, 'rejected'))
    const name = `${'n'.repeat(240)}.json`
    await leave(name, 'nonsense')
    await outbox.setAside(directory, name, 'it is not valid JSON')
    await outbox.setAside(directory, name, 'gone already')
    const kept = await readdir(join(place.path, 'outbox-rejected'))
    expect(kept).toHaveLength(2)
    const reason = kept.find((entry) => entry.endsWith('.reason')) ?? ''
    expect(await readFile(join(place.path, 'outbox-rejected', reason), 'utf8')).toBe('it is not valid JSON\n')
    expect(await readdir(elsewhere)).toEqual([])
  })

  it('notifies a watcher of existing and new files until it is disposed', async () => {
    let calls = 0
    let notify = () => {}
    const next = () =>
      new Promise<void>((resolve) => {
        notify = resolve
      })
    const first = next()
    const watch = outbox.watch(directory, () => {
      calls += 1
      notify()
    })
    await first
    const second = next()
    await leave('1.json', { type: 'progress', text: 'one' })
    await second
    watch[Symbol.dispose]()
    expect(calls).toBeGreaterThanOrEqual(2)
    outbox.watch(join(place.path, 'nowhere'), () => undefined)[Symbol.dispose]()
  })
})
